import { useMemo, useState } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import { locationKey } from '../../../domain/place.ts';
import type { KeptLocation } from '../../offline/kept/reads.ts';
import type { OfflineStatus } from '../../offline/outbox/status.ts';
import { Tabs } from '../../ui/address/tabs.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/forms/select.tsx';
import type { Drafts } from '../drafts/draft-desk.ts';
import { useStockAhead } from '../stock/stock-ahead.ts';
import { useRoutesToday } from '../use-field.ts';
import { count } from '../wording.ts';
import {
  allRoutes,
  designationsOf,
  filterLocations,
  type ListedLocation,
  type LocationFilter,
} from './location-filter.ts';

/** Cards beyond this many come on demand: a manager may hold thousands of locations. */
const pageSize = 60;

type LocationListProps = {
  locations: KeptLocation[] | undefined;
  download: OfflineStatus['download'];
  onRetry: () => void;
  drafts: Drafts;
  filter: LocationFilter;
  onFilter: (filter: LocationFilter) => void;
  onOpen: (ref: LocationRef) => void;
  /** A finger rests on a card, or was drawn away from it. */
  onHold: (ref: LocationRef) => void;
  onRelease: () => void;
  /** Likely to be opened next. */
  onExpect: (ref: LocationRef) => void;
};

const tabs = [
  { value: 'market', label: 'Markets' },
  { value: 'vending_machine', label: 'Vending' },
] as const;

export function LocationList(props: LocationListProps) {
  const { locations, download, filter, onFilter } = props;
  const routes = useRoutesToday();
  const found = useMemo(() => filterLocations(locations ?? [], filter, routes ?? []), [locations, filter, routes]);
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
        <Select
          label="Route"
          hideLabel
          size="field"
          value={filter.route}
          onChange={(route) => onFilter({ ...filter, route })}
          options={[
            { value: allRoutes, label: 'All Routes' },
            ...designationsOf(locations ?? []).map((route) => ({ value: route, label: `Route ${route}` })),
          ]}
        />
      </div>
      <Tabs
        label="Kind of location"
        size="field"
        tabs={tabs}
        value={filter.type}
        onChange={(type) => onFilter({ ...filter, type })}
      >
        {download === 'partial' && (
          <p role="status" className="px-4 pt-4 text-14 text-text-2">
            There are more locations than a phone keeps. Those listed here are not all.
          </p>
        )}
        <Found {...props} found={routes && found} />
      </Tabs>
    </section>
  );
}

function Found(props: LocationListProps & { found: ListedLocation[] | undefined }) {
  const { locations, download, onRetry, drafts, filter, onOpen, onHold, onRelease, onExpect, found } = props;
  const isEmpty = locations?.length === 0;
  // Before the day's routes are read the order is another: cards would move away under the finger.
  if (!locations || !found || (isEmpty && (download === 'none' || download === 'running'))) return <LoadingCards />;
  if (isEmpty && download === 'failed') return <NotDownloaded onRetry={onRetry} />;
  return (
    <Cards
      key={`${filter.type}/${filter.route}/${filter.search}`}
      found={found}
      filter={filter}
      drafts={drafts}
      isEmpty={locations.length === 0}
      onOpen={onOpen}
      onHold={onHold}
      onRelease={onRelease}
      onExpect={onExpect}
    />
  );
}

function NotDownloaded({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-center gap-4 px-4 py-8 text-center text-text-2">
      <p>Your locations are not on this phone yet, and the server could not be reached for them.</p>
      <Button size="field" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

type CardsProps = Pick<LocationListProps, 'filter' | 'drafts' | 'onOpen' | 'onHold' | 'onRelease' | 'onExpect'> & {
  found: ListedLocation[];
  isEmpty: boolean;
};

function Cards({ found, filter, drafts, isEmpty, onOpen, onHold, onRelease, onExpect }: CardsProps) {
  const [limit, setLimit] = useState(pageSize);
  useStockAhead(found, onExpect);
  if (found.length === 0) {
    return (
      <p role="status" className="px-4 py-8 text-center text-text-2">
        {isEmpty ? 'No locations are assigned to you yet. Ask your route manager for a route.' : noneOf(filter)}
      </p>
    );
  }
  return (
    <>
      <ul>
        {found.slice(0, limit).map((one) => (
          <LocationCard
            key={locationKey(one.ref)}
            location={one}
            drafts={drafts}
            onOpen={() => onOpen(one.ref)}
            onHold={() => onHold(one.ref)}
            onRelease={onRelease}
          />
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

function noneOf({ search, route, type }: LocationFilter): string {
  if (search.trim() !== '') return 'No locations match this search.';
  const where = route === allRoutes ? 'your route' : `Route ${route}`;
  return type === 'market'
    ? `No markets on ${where}. Machines are under Vending.`
    : `No machines on ${where}. Markets are under Markets.`;
}

type CardProps = {
  location: ListedLocation;
  drafts: Drafts;
  onOpen: () => void;
  onHold: () => void;
  onRelease: () => void;
};

function LocationCard({ location, drafts, onOpen, onHold, onRelease }: CardProps) {
  const key = locationKey(location.ref);
  const draftCount = [...drafts.values()].filter((draft) => draft.locationKey === key).length;
  return (
    <li className="border-b border-line">
      <button
        type="button"
        onPointerDown={onHold}
        onPointerCancel={onRelease}
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
