import type { ScheduledRoute } from '../../../contract/routes.ts';
import type { LocationType } from '../../../domain/location.ts';
import { locationKey } from '../../../domain/place.ts';
import { isSettled } from '../../../domain/route-progress.ts';
import type { KeptLocation } from '../../offline/kept/reads.ts';

export type LocationFilter = { search: string; route: string; type: LocationType };
/** Before a kind was chosen it is null. */
export type KeptFilter = Omit<LocationFilter, 'type'> & { type: LocationType | null };

export const allRoutes = '';

export type ListedLocation = KeptLocation & {
  /** The stop's number on today's route, while it is still to be done. */
  stop: number | null;
};

/** The designations in use, as the downloaded locations have them. */
export function designationsOf(locations: readonly KeptLocation[]): string[] {
  const found = new Set(locations.map((one) => one.routeDesignation).filter((route) => route !== null));
  return [...found].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

type Known = { locations: readonly KeptLocation[]; isWhole: boolean };

/**
 * As it is used. A route that none of the locations has is not filtered by: another person's of this tab, or one that was renamed. A
 * driver who has machines alone begins with them.
 */
export function withKnown({ search, route, type }: KeptFilter, { locations, isWhole }: Known): LocationFilter {
  const isOfMachines = isWhole && locations.length > 0 && locations.every(({ ref }) => ref.type === 'vending_machine');
  return {
    search,
    route: designationsOf(locations).includes(route) ? route : allRoutes,
    type: type ?? (isOfMachines ? 'vending_machine' : 'market'),
  };
}

function openStops(routes: readonly ScheduledRoute[]): Map<string, number> {
  const stops = routes.flatMap((route) => route.stops).filter((stop) => !isSettled(stop));
  return new Map(
    stops.flatMap((stop) => {
      const id = stop.locationType === 'market' ? stop.marketId : stop.vendingMachineId;
      return id === null ? [] : [[locationKey({ type: stop.locationType, id }), stop.stopOrder] as const];
    }),
  );
}

function matches(location: KeptLocation, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  // Markets are known by name and address, machines by name and where in the building they stand.
  const where = location.ref.type === 'market' ? location.address : (location.place ?? '');
  return wanted === '' || `${location.name}\n${where}`.toLowerCase().includes(wanted);
}

/** Locations of a kind that match, today's open stops first in their order, then by name. */
export function filterLocations(
  locations: readonly KeptLocation[],
  filter: LocationFilter,
  routes: readonly ScheduledRoute[],
): ListedLocation[] {
  const stops = openStops(routes);
  return locations
    .filter((one) => one.ref.type === filter.type)
    .filter((one) => filter.route === allRoutes || one.routeDesignation === filter.route)
    .filter((one) => matches(one, filter.search))
    .map((one) => ({ ...one, stop: stops.get(locationKey(one.ref)) ?? null }))
    .sort((a, b) => (a.stop ?? Number.POSITIVE_INFINITY) - (b.stop ?? Number.POSITIVE_INFINITY) || byName(a, b));
}

/** Made once: with thousands of locations a comparison that looks up the language each time is felt while typing. */
const names = new Intl.Collator('en', { numeric: true });

function byName(a: KeptLocation, b: KeptLocation): number {
  return names.compare(a.name, b.name);
}
