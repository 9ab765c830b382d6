import { accessWindows } from '../../domain/access-hours.ts';
import { type CrewInput, type DayPlanInput, totesFor } from '../../domain/day-plan.ts';
import { AppError } from '../../domain/errors.ts';
import { type LocationRef, locationKey, type Point, toPoint } from '../../domain/location.ts';
import { serviceMinutes } from '../../domain/route.ts';
import { instantIn } from '../../domain/time.ts';
import type { Deps } from '../deps.ts';
import type { TravelMatrix } from '../roads/service.ts';
import { findLocations, type PlannedLocation } from '../route-planning/service.ts';
import { machineInScope, marketInScope, type Scope } from '../scope/service.ts';
import { getOperator } from '../settings/service.ts';
import { findAccessHours, findCrews } from './queries.ts';

/** Seconds since the midnight that begins the day. */
export type Span = readonly [number, number];

export type Place = PlannedLocation & {
  key: string;
  /** Row of the matrix. */
  index: number;
  serviceMin: number;
  totes: number;
  accessHours: string | null;
  /** When it can be entered; null: any time. */
  windows: Span[] | null;
};

export type Crew = {
  /** Name for the solver: the position in the input, from 1. */
  number: number;
  input: CrewInput;
  driverName: string | null;
  vehicleName: string | null;
  capacityTotes: number | null;
  depotId: number | null;
  depot: { name: string; latitude: string; longitude: string };
  /** Row of the matrix. */
  depotIndex: number;
  shift: Span;
};

/** All that a plan's arrangement is judged by. */
export type Context = {
  date: string;
  midnight: Date;
  places: Map<string, Place>;
  crews: Crew[];
  matrix: TravelMatrix;
};

export const refsOf = (input: Pick<DayPlanInput, 'marketIds' | 'vendingMachineIds'>): LocationRef[] => [
  ...[...new Set(input.marketIds)].map((id): LocationRef => ({ type: 'market', id })),
  ...[...new Set(input.vendingMachineIds)].map((id): LocationRef => ({ type: 'vending_machine', id })),
];

/** Reads places, crews and travel of a plan; refuses what does not exist (any more). */
export async function loadContext(deps: Deps, scope: Scope, input: DayPlanInput): Promise<Context> {
  const { timeZone } = await getOperator(deps.db);
  const places = await loadPlaces(deps, scope, input);
  const crews = await loadCrews(deps, input, [...places.values()]);
  const { matrix, depotRows } = await travel(deps, [...places.values()], crews);
  return {
    date: input.date,
    midnight: instantIn(timeZone, input.date, 0),
    places,
    crews: crews.map((crew, index) => ({ ...crew, depotIndex: depotRows[index] ?? 0 })),
    matrix,
  };
}

async function loadPlaces(deps: Deps, scope: Scope, input: DayPlanInput): Promise<Map<string, Place>> {
  const refs = refsOf(input);
  const found = await findLocations(deps.db, refs, { markets: marketInScope(scope), machines: machineInScope(scope) });
  const byKey = new Map(found.map((location) => [locationKey(location), location]));
  const missing = refs.filter((ref) => !byKey.has(locationKey(ref)));
  if (missing.length) {
    const sentence =
      missing.length === 1
        ? 'A chosen location does not exist any more. Choose again.'
        : `${missing.length} chosen locations do not exist any more. Choose again.`;
    throw new AppError('not-found', sentence);
  }
  const hours = await findAccessHours(deps.db, refs);
  const weekday = (new Date(`${input.date}T00:00:00Z`).getUTCDay() + 6) % 7;
  const places = refs.flatMap((ref, index) => {
    const location = byKey.get(locationKey(ref));
    return location ? [toPlace(location, { index, weekday, accessHours: hours.get(locationKey(ref)) ?? null })] : [];
  });
  return new Map(places.map((place) => [place.key, place]));
}

type Facts = { index: number; weekday: number; accessHours: string | null };

function toPlace(location: PlannedLocation, { index, weekday, accessHours }: Facts): Place {
  const windows = accessHours === null ? null : accessWindows(accessHours, weekday);
  return {
    ...location,
    key: locationKey(location),
    index,
    serviceMin: serviceMinutes(location.type, location.missingUnits),
    totes: totesFor(location.missingUnits),
    accessHours,
    windows: windows?.map(({ fromMin, toMin }) => [fromMin * 60, toMin * 60] as const) ?? null,
  };
}

type Loaded = Omit<Crew, 'depotIndex'>;

async function loadCrews(deps: Deps, input: DayPlanInput, places: readonly Place[]): Promise<Loaded[]> {
  const found = await findCrews(deps.db, input.crews);
  return input.crews.map((crew, index) => {
    const row = found[index];
    const label = `Driver ${index + 1}`;
    if (!row || (crew.driverId && row.driverName === null))
      throw new AppError('not-found', `${label} does not exist any more. Choose again.`);
    if (row.driverIsActive === false)
      throw new AppError('conflict', `${row.driverName} was deactivated. Choose again.`);
    if (crew.vehicleId && row.vehicleName === null)
      throw new AppError(
        'not-found',
        `The vehicle of ${row.driverName ?? label} does not exist any more. Choose again.`,
      );
    return toCrew(crew, row, { number: index + 1, fallback: places[0] });
  });
}

type CrewFacts = { number: number; fallback: Place | undefined };

function toCrew(input: CrewInput, row: Awaited<ReturnType<typeof findCrews>>[number], facts: CrewFacts): Loaded {
  const { number, fallback } = facts;
  const { depotName, depotLatitude, depotLongitude } = row;
  const depot =
    depotName !== null && depotLatitude !== null && depotLongitude !== null
      ? { name: depotName, latitude: depotLatitude, longitude: depotLongitude }
      : fallback;
  if (!depot) throw new AppError('conflict', 'There is no depot to start from. Add one in the settings.');
  const from = input.startMin * 60;
  const to = input.endMin * 60;
  return {
    number,
    input,
    driverName: row.driverName,
    vehicleName: row.vehicleName,
    capacityTotes: row.capacityTotes,
    depotId: row.depotId,
    depot: { name: depot.name, latitude: depot.latitude, longitude: depot.longitude },
    shift: [from, to <= from ? to + 24 * 3600 : to],
  };
}

/** One matrix over all places and the different depots behind them. */
async function travel({ roads }: Deps, places: readonly Place[], crews: readonly Loaded[]) {
  const points: Point[] = places.map(toPoint);
  const rowOf = new Map<string, number>();
  const depotRows = crews.map(({ depot }) => {
    const key = `${depot.latitude},${depot.longitude}`;
    const known = rowOf.get(key);
    if (known !== undefined) return known;
    rowOf.set(key, points.length);
    points.push(toPoint(depot));
    return points.length - 1;
  });
  return { matrix: await roads.matrix(points), depotRows };
}
