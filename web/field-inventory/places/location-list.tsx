import { useMemo, useState } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import { locationKey } from '../../../domain/place.ts';
import { countOf } from '../../http/format.ts';
import type { KeptLocation } from '../../offline/kept/reads.ts';
import type { OfflineStatus } from '../../offline/outbox/status.ts';
import { ButtonLink } from '../../ui/address/button-link.tsx';
import { Tabs } from '../../ui/address/tabs.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { ActiveBadge } from '../../ui/status-badge.tsx';
import { ShowMore } from '../../ui/tables/show-more.tsx';
import type { Drafts } from '../drafts/draft-desk.ts';
import { useStockAhead } from '../stock/stock-ahead.ts';
import { useRoutesToday } from '../use-field.ts';
import {
  allRoutes,
  designationsOf,
  filterLocations,
  type KeptFilter,
  type ListedLocation,
  type LocationFilter,
  withKnown,
} from './location-filter.ts';

/** Cards beyond this many come on demand: a manager may hold thousands of locations. */
const pageSize = 60;

type LocationListProps = {
  /** Whether the person is tied to a route; the office sees every location. */
  isOffice: boolean;
  locations: KeptLocation[] | undefined;
  download: OfflineStatus['download'];
  onRetry: () => void;
  drafts: Drafts;
  filter: KeptFilter;
  onFilter: (filter: KeptFilter) => void;
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

/** Why locations of the person's may be missing from the list. */
const notAll: Partial<Record<OfflineStatus['download'], string>> = {
  running: 'Locations are being downloaded. The list is not whole yet.',
  partial: 'There are more locations than a device keeps. Those listed here are not all.',
};

export function LocationList(props: LocationListProps) {
  const { locations, download, onFilter } = props;
  const routes = useRoutesToday();
  const designations = useMemo(() => designationsOf(locations ?? []), [locations]);
  // The next page of a first download may bring the first market: until then none moves in under the finger.
  const isWhole = download === 'complete' || download === 'partial';
  const filter = useMemo(
    () => withKnown(props.filter, { locations: locations ?? [], isWhole }),
    [props.filter, locations, isWhole],
  );
  const found = useMemo(() => filterLocations(locations ?? [], filter, routes ?? []), [locations, filter, routes]);
  return (
    <section aria-label="Locations">
      <div className="grid gap-2 px-4 pt-4">
        <input
          type="search"
          placeholder="Search locations..."
          aria-label="Search locations"
          value={filter.search}
          onChange={(event) => onFilter({ ...props.filter, search: event.target.value })}
          className="h-12 w-full rounded border border-line-strong bg-ground px-3 text-16 text-text placeholder:text-text-3"
        />
        <Select
          label="Route"
          hideLabel
          size="field"
          value={filter.route}
          onChange={(route) => onFilter({ ...props.filter, route })}
          options={[
            { value: allRoutes, label: 'All Routes' },
            ...designations.map((route) => ({ value: route, label: `Route ${route}` })),
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
        {notAll[download] && (
          <p role="status" className="px-4 pt-4 text-14 text-text-2">
            {notAll[download]}
          </p>
        )}
        <Found {...props} filter={filter} found={routes && found} />
      </Tabs>
    </section>
  );
}

type FoundProps = Omit<LocationListProps, 'filter'> & { filter: LocationFilter; found: ListedLocation[] | undefined };

function Found(props: FoundProps) {
  const { isOffice, locations, download, onRetry, drafts, filter, onOpen, onHold, onRelease, onExpect, found } = props;
  const isComing = download === 'none' || download === 'running';
  // Before the day's routes are read the order is another: cards would move away under the finger.
  if (!locations || !found || (found.length === 0 && isComing)) return <LoadingCards />;
  const isCut = download === 'failed';
  return (
    <>
      {isCut && <NotDownloaded isEmpty={locations.length === 0} onRetry={onRetry} />}
      {(found.length > 0 || !isCut) && (
        <Cards
          key={`${filter.type}/${filter.route}/${filter.search}`}
          isOffice={isOffice}
          found={found}
          filter={filter}
          drafts={drafts}
          isEmpty={locations.length === 0}
          onOpen={onOpen}
          onHold={onHold}
          onRelease={onRelease}
          onExpect={onExpect}
        />
      )}
    </>
  );
}

function NotDownloaded({ isEmpty, onRetry }: { isEmpty: boolean; onRetry: () => void }) {
  const missing = isEmpty ? 'Your locations are not' : 'Not all of your locations are';
  return (
    <div role="alert" className="grid justify-items-center gap-4 px-4 py-8 text-center text-text-2">
      <p>{missing} on this device yet, and the server could not be reached for them.</p>
      <Button size="field" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

type CardsProps = Pick<
  FoundProps,
  'isOffice' | 'filter' | 'drafts' | 'onOpen' | 'onHold' | 'onRelease' | 'onExpect'
> & {
  found: ListedLocation[];
  isEmpty: boolean;
};

function Cards({ isOffice, found, filter, drafts, isEmpty, onOpen, onHold, onRelease, onExpect }: CardsProps) {
  const [limit, setLimit] = useState(pageSize);
  useStockAhead(found, onExpect);
  if (found.length === 0) {
    return (
      <div className="grid justify-items-center gap-4 px-4 py-8 text-center text-text-2">
        <p role="status">{isEmpty ? noLocations(isOffice) : noneOf(filter, isOffice)}</p>
        {isEmpty && isOffice && (
          <span className="flex flex-wrap justify-center gap-2">
            <ButtonLink href="/markets">Open Markets</ButtonLink>
            <ButtonLink href="/vending-machines">Open Vending Machines</ButtonLink>
          </span>
        )}
      </div>
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
      <ShowMore
        shown={limit}
        total={found.length}
        step={pageSize}
        things="locations"
        onMore={() => setLimit(limit + pageSize)}
      />
    </>
  );
}

function noLocations(isOffice: boolean): string {
  return isOffice
    ? 'There are no locations yet. Add them under Markets and Vending Machines.'
    : 'No locations are assigned to you yet. Ask your route manager for a route.';
}

function noneOf({ search, route, type }: LocationFilter, isOffice: boolean): string {
  if (search.trim() !== '') return 'No locations match this search.';
  const everywhere = isOffice ? 'yet' : 'on your route';
  const where = route === allRoutes ? everywhere : `on Route ${route}`;
  return type === 'market'
    ? `No markets ${where}. Machines are under Vending.`
    : `No machines ${where}. Markets are under Markets.`;
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
        className="flex min-h-18 w-full items-center gap-3 px-4 py-3 text-left active:bg-hover"
      >
        {location.stop !== null && (
          <span className="grid size-10 flex-none place-items-center rounded-full bg-accent text-16 font-semibold text-on-accent">
            <span className="sr-only">Stop </span>
            {location.stop}
          </span>
        )}
        <span className="grid min-w-0 flex-1 grid-cols-1 gap-1">
          <span className="text-16 font-medium text-text">{location.name}</span>
          <span className="line-clamp-2 text-14 text-text-2">{whereIs(location)}</span>
          <span className="flex flex-wrap gap-2">
            {location.routeDesignation !== null && <Badge tone="outline">Route {location.routeDesignation}</Badge>}
            <ActiveBadge status={location.status} />
            {draftCount > 0 && <Badge tone="run">{countOf(draftCount, 'draft')}</Badge>}
          </span>
        </span>
      </button>
    </li>
  );
}

/** Where in its building a machine stands, and where that is: places of one name are in many towns. */
const whereIs = ({ place, address }: ListedLocation): string => [place, address].filter(Boolean).join(' · ');

function LoadingCards() {
  return (
    <ul aria-label="Loading locations">
      {[1, 2, 3, 4, 5].map((row) => (
        <li key={row} className="grid h-26 content-center gap-2 border-b border-line px-4">
          <span className="h-4 w-48 rounded bg-idle-soft" />
          <span className="h-4 w-64 rounded bg-idle-soft" />
        </li>
      ))}
    </ul>
  );
}
