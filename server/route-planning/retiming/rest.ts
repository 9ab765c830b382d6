import { type LocationRef, locationKey, type Point, toPoint } from '../../../domain/location.ts';
import { beginsAt } from '../../../domain/route-progress.ts';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { machineInScope, marketInScope } from '../../scope/service.ts';
import type { Wish } from '../optimize/best-order.ts';
import { findLocations, type RouteRow, type StopRow } from '../queries.ts';
import { type Leaving, leavingOn } from './timing.ts';

/** How far a route is: what is done or left out, where the driver is or drives to, and what comes after it. */
export type Divided = { settled: StopRow[]; current: StopRow | null; rest: StopRow[] };

export function dividedStops(status: string, stops: readonly StopRow[]): Divided {
  const settled = stops.filter((stop) => stop.completed || stop.skippedReason !== null);
  const open = stops.filter((stop) => !settled.includes(stop));
  if (status !== 'in_progress') return { settled, current: null, rest: open };
  const current = open.find((stop) => stop.actualArrival !== null) ?? open[0] ?? null;
  return { settled, current, rest: open.filter((stop) => stop !== current) };
}

/** When the driver is expected to leave the current stop. */
export function leavesAt(stop: StopRow, now: Date): Date {
  const there = stop.actualArrival ?? latest(stop.expectedArrival ?? stop.estimatedArrival, now);
  return new Date(Math.max(now.getTime(), beginsAt(stop, Date.parse(there)) + stop.serviceMin * 60_000));
}

function latest(expected: string | null, now: Date): string {
  return expected !== null && Date.parse(expected) > now.getTime() ? expected : now.toISOString();
}

/** What of a route can still be put in another order, and where and when driving it begins. */
export type Rest = { stops: StopRow[]; current: StopRow | null; wish: Wish };

const everything = { everything: true } as const;

/**
 * The rest of a route: its open stops, without the one being driven to when it is under way. Null where nothing is left
 * to be put in another order.
 */
export async function restOf(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  route: RouteRow,
  stops: readonly StopRow[],
): Promise<Rest | null> {
  const { current, rest } = dividedStops(route.status, stops);
  const [first] = rest;
  if (!first || route.status === 'completed') return null;
  const depot = depotOf(route);
  const begin = current ?? depot ?? first;
  const locations = await locationsOf(db, rest);
  if (!locations) return null;
  const start = { name: 'Start', point: toPoint(begin) };
  return {
    stops: rest,
    current,
    wish: {
      locations,
      start,
      end: endOf(depot, stops),
      ...(await leavingOf({ db, clock }, route, current)),
      mayLeaveLater: current === null,
    },
  };
}

async function leavingOf(
  deps: Pick<Deps, 'db' | 'clock'>,
  { date: day, earliestStartAt, plannedStartAt }: RouteRow,
  current: StopRow | null,
): Promise<Leaving> {
  const leaving = await leavingOn(deps, { day, earliest: earliestStartAt ?? plannedStartAt });
  if (!current?.estimatedArrival) return leaving;
  const begins = beginsAt(current, Date.parse(current.estimatedArrival));
  return { ...leaving, startAt: new Date(begins + current.serviceMin * 60_000) };
}

/** Back to the depot; without one to where the first stop is. */
function endOf(depot: ReturnType<typeof depotOf>, stops: readonly StopRow[]): Point | null {
  const end = depot ?? stops[0];
  return end ? toPoint(end) : null;
}

function depotOf({ depotLatitude, depotLongitude }: RouteRow): { latitude: string; longitude: string } | null {
  return depotLatitude && depotLongitude ? { latitude: depotLatitude, longitude: depotLongitude } : null;
}

/** The locations of the stops in their order; null when one is no more. */
async function locationsOf(db: Db, stops: readonly StopRow[]) {
  const scope = { markets: marketInScope(everything), machines: machineInScope(everything) };
  const found = await findLocations(db, stops.map(refOf), scope);
  const byKey = new Map(found.map((location) => [locationKey(location), location]));
  const locations = stops.flatMap((stop) => byKey.get(locationKey(refOf(stop))) ?? []);
  return locations.length === stops.length ? locations : null;
}

function refOf(stop: StopRow): LocationRef {
  if (stop.marketId !== null) return { type: 'market', id: stop.marketId };
  return { type: 'vending_machine', id: stop.vendingMachineId ?? 0 };
}
