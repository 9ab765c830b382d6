import { useState } from 'react';
import { type LocationRef, locationKey } from '../../domain/location.ts';
import type { KeptLocation } from '../offline/reads.ts';
import { Badge } from '../ui/badge.tsx';
import type { Drafts } from './draft-desk.ts';
import {
  allRoutes,
  designationsOf,
  filterLocations,
  type ListedLocation,
  type LocationFilter,
} from './location-filter.ts';
import { useRoutesToday } from './use-field.ts';
import { count } from './wording.ts';

/** Cards beyond this many come on demand: a manager may hold thousands of locations. */
const pageSize = 60;

type LocationListProps = {
  locations: KeptLocation[] | undefined;
  isDownloading: boolean;
  drafts: Drafts;
  filter: LocationFilter;
  onFilter: (filter: LocationFilter) => void;
  onOpen: (ref: LocationRef) => void;
};

const tabs = [
  { type: 'market', label: 'Markets' },
  { type: 'vending_machine', label: 'Vending' },
] as const;

export function LocationList({ locations, isDownloading, drafts, filter, onFilter, onOpen }: LocationListProps) {
  const routes = useRoutesToday() ?? [];
  const found = filterLocations(locations ?? [], filter, routes);
  return (
    <section aria-label="Locations">
      <div className="grid gap-2 px-4 pt-4">
        <input
          type="search"
          placeholder="Search locations..."
          aria-label="Search locations"
          value={filter.search}
          onChange={(event) => onFilter({ ...filter, search: event.target.value })}
          className="h-12 w-full rounded border border-line-strong bg-ground px-3 text-16 text-text placeholder:text-text-3"
        />
        <select
          aria-label="Route"
          value={filter.route}
          onChange={(event) => onFilter({ ...filter, route: event.target.value })}
          className="h-12 w-full rounded border border-line-strong bg-ground px-3 text-16 text-text"
        >
          <option value={allRoutes}>All Routes</option>
          {designationsOf(locations ?? []).map((route) => (
            <option key={route} value={route}>
              Route {route}
            </option>
          ))}
        </select>
        <div role="tablist" aria-label="Kind of location" className="grid grid-cols-2 border-b border-line">
          {tabs.map((tab) => (
            <button
              key={tab.type}
              type="button"
              role="tab"
              aria-selected={filter.type === tab.type}
              onClick={() => onFilter({ ...filter, type: tab.type })}
              className="h-12 border-b-2 border-transparent text-16 font-semibold text-text-2 aria-selected:border-accent aria-selected:text-accent"
            >
              {tab.label}
            </button>
          ))}
        </div>
      </div>
      {locations === undefined || (locations.length === 0 && isDownloading) ? (
        <LoadingCards />
      ) : (
        <Cards
          key={`${filter.type}/${filter.route}/${filter.search}`}
          found={found}
          drafts={drafts}
          isEmpty={locations.length === 0}
          onOpen={onOpen}
        />
      )}
    </section>
  );
}

type CardsProps = { found: ListedLocation[]; drafts: Drafts; isEmpty: boolean; onOpen: (ref: LocationRef) => void };

function Cards({ found, drafts, isEmpty, onOpen }: CardsProps) {
  const [limit, setLimit] = useState(pageSize);
  if (found.length === 0) {
    return (
      <p role="status" className="px-4 py-8 text-center text-text-2">
        {isEmpty ? 'No locations are assigned to you yet.' : 'No locations match this search.'}
      </p>
    );
  }
  return (
    <>
      <ul>
        {found.slice(0, limit).map((one) => (
          <LocationCard key={locationKey(one.ref)} location={one} drafts={drafts} onOpen={() => onOpen(one.ref)} />
        ))}
      </ul>
      {found.length > limit && (
        <button
          type="button"
          onClick={() => setLimit(limit + pageSize)}
          className="h-14 w-full text-16 font-semibold text-accent"
        >
          Show more of {found.length}
        </button>
      )}
    </>
  );
}

function LocationCard({ location, drafts, onOpen }: { location: ListedLocation; drafts: Drafts; onOpen: () => void }) {
  const key = locationKey(location.ref);
  const draftCount = [...drafts.values()].filter((draft) => draft.locationKey === key).length;
  return (
    <li className="border-b border-line">
      <button
        type="button"
        onClick={onOpen}
        className="flex min-h-[72px] w-full items-center gap-3 px-4 py-3 text-left active:bg-hover"
      >
        {location.stop !== null && (
          <span className="grid size-10 flex-none place-items-center rounded-full bg-accent text-16 font-semibold text-on-accent">
            <span className="sr-only">Stop </span>
            {location.stop}
          </span>
        )}
        <span className="grid min-w-0 flex-1 gap-1">
          <span className="text-16 font-medium text-text">{location.name}</span>
          <span className="truncate text-14 text-text-2">{location.place ?? location.address}</span>
          <span className="flex flex-wrap gap-2">
            {location.routeDesignation !== null && <Badge tone="outline">Route {location.routeDesignation}</Badge>}
            <Badge tone={location.status === 'active' ? 'ok' : 'idle'}>
              <span className="capitalize">{location.status}</span>
            </Badge>
            {draftCount > 0 && <Badge tone="run">{count(draftCount, 'draft')}</Badge>}
          </span>
        </span>
      </button>
    </li>
  );
}

function LoadingCards() {
  return (
    <ul aria-label="Loading locations">
      {[1, 2, 3, 4, 5].map((row) => (
        <li key={row} className="grid h-[104px] content-center gap-2 border-b border-line px-4">
          <span className="h-4 w-48 rounded bg-idle-soft" />
          <span className="h-4 w-64 rounded bg-idle-soft" />
        </li>
      ))}
    </ul>
  );
}
