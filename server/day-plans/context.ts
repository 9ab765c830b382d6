import type { Arrangement, CrewInput, DayPlanInput } from '../../domain/day-plan.ts';
import { AppError } from '../../domain/errors.ts';
import { farWarnings } from '../../domain/far-place.ts';
import { type LocationRef, locationKey, type Point, toPoint } from '../../domain/location.ts';
import { openingsOn } from '../../domain/openings.ts';
import { instantIn } from '../../domain/time.ts';
import { totesFor } from '../../domain/totes.ts';
import type { Deps } from '../deps.ts';
import { type Worths, worthOfVisits } from '../need/service.ts';
import type { TravelMatrix } from '../roads/service.ts';
import {
  activeIncidents,
  eachLocation,
  offRoadWarnings,
  type PlannedLocation,
  startWarnings,
} from '../route-planning/service.ts';
import type { Scope } from '../scope/service.ts';
import { getOperator } from '../settings/service.ts';
import { findCrews } from './queries.ts';
import { type Traffic, trafficOf } from './traffic.ts';

const dayMin = 24 * 60;

/** Seconds since the midnight that begins the day. */
export type Span = readonly [number, number];

export type Place = PlannedLocation & {
  key: string;
  /** Row of the matrix. */
  index: number;
  /** By the units that are missing now, until the context is weighed. */
  totes: number;
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
  /** Without incidents; what a crew's ways take is its part of `traffic`. */
  matrix: TravelMatrix;
  /** Where the rows of the matrix are. */
  points: readonly Point[];
  traffic: Traffic;
  /** Asks once what visits need and are worth, which takes longer than a first plan waits; empty where it cannot be told. */
  worths: () => Promise<Worths>;
  isWeighed: boolean;
  /** Names the arrangement along whose roads `traffic` was looked at last. */
  along?: string;
  /** Sentences for whoever reads the plan. */
  warnings: string[];
};

export const refsOf = (input: Pick<DayPlanInput, 'marketIds' | 'vendingMachineIds'>): LocationRef[] => [
  ...[...new Set(input.marketIds)].map((id): LocationRef => ({ type: 'market', id })),
  ...[...new Set(input.vendingMachineIds)].map((id): LocationRef => ({ type: 'vending_machine', id })),
];

/** Reads places, crews and travel of a plan; refuses what does not exist (any more). */
export async function loadContext(deps: Deps, scope: Scope, input: DayPlanInput): Promise<Context> {
  const { timeZone } = await getOperator(deps.db);
  const clock = clockOf(timeZone, input.date);
  const places = await loadPlaces(deps, scope, { input, clock });
  const crews = await loadCrews(deps, { input, clock }, [...places.values()]);
  const { matrix, points, depotRows } = await travel(deps, [...places.values()], crews);
  const { midnight } = clock;
  const shifts = crews.map(({ shift }) => shift);
  return {
    date: input.date,
    midnight,
    places,
    crews: crews.map((crew, index) => ({ ...crew, depotIndex: depotRows[index] ?? 0 })),
    matrix,
    points,
    traffic: await trafficOf({ ...deps, matrix, points, midnight, shifts }, await activeIncidents(deps.db)),
    worths: onlyOnce(() => worthsOf(deps, [...places.values()], input.date)),
    isWeighed: false,
    warnings: [
      ...(await startWarnings(deps.roads, startsOf(crews), [...places.values()])),
      ...farWarnings([...places.values()], points.slice(places.size)),
      ...(await offRoadWarnings(deps.roads, [...places.values()])),
      ...matrix.warnings,
    ],
  };
}

/** A plan is made without what visits are worth where it cannot be told. */
async function worthsOf(deps: Deps, places: readonly Place[], date: string): Promise<Worths> {
  try {
    return await worthOfVisits(deps, places, date);
  } catch (error) {
    deps.log.error({ err: error }, 'worth of visits');
    return new Map();
  }
}

function onlyOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}

/** The context with the totes that the picker will pack. */
export async function weighed(context: Context): Promise<Context> {
  if (context.isWeighed) return context;
  const worths = await context.worths();
  const places = [...context.places].map(
    ([key, place]) => [key, { ...place, totes: worths.get(key)?.totes ?? place.totes }] as const,
  );
  return { ...context, places: new Map(places), isWeighed: true };
}

/** Each depot once; who has none starts at a stop, of which the sentences about stops speak. */
function startsOf(crews: readonly Loaded[]) {
  const byId = new Map(crews.flatMap(({ depotId, depot }) => (depotId === null ? [] : [[depotId, depot] as const])));
  return [...byId.values()].map((depot) => ({ name: depot.name, point: toPoint(depot) }));
}

/** The context with the incidents of now; the same one where none has changed. */
export async function withTraffic(deps: Deps, context: Context): Promise<Context> {
  const shifts = context.crews.map(({ shift }) => shift);
  const { db, roads } = deps;
  const traffic = await trafficOf({ ...context, db, roads, shifts }, await activeIncidents(db), context.traffic);
  if (traffic === context.traffic) return context;
  const { along: _along, ...rest } = context;
  return { ...rest, traffic };
}

type Arranged = { along: string; arrangement: Arrangement };

/** The context with what incidents cost along the roads of an arrangement, which the engine is asked for once. */
export async function alongRoads(deps: Deps, context: Context, { along, arrangement }: Arranged): Promise<Context> {
  if (context.along === along) return context;
  const { crews, places, points, matrix, traffic } = context;
  if (matrix.source === 'estimate' || !traffic.travel.some(({ isMet }) => isMet)) return { ...context, along };
  for (const [index, { depotIndex }] of crews.entries()) {
    const stops = arrangement.routes[index] ?? [];
    if (stops.length === 0 || !traffic.travel[index]?.isMet) continue;
    const rows = [depotIndex, ...stops.flatMap((stop) => places.get(locationKey(stop))?.index ?? []), depotIndex];
    await deps.roads.route(rows.flatMap((row) => points[row] ?? []));
  }
  const shifts = crews.map(({ shift }) => shift);
  return {
    ...context,
    along,
    traffic: await trafficOf({ ...deps, ...context, shifts }, await activeIncidents(deps.db)),
  };
}

type Clock = {
  timeZone: string;
  midnight: Date;
  seconds: (minutes: number) => number;
  /** From midnight to an instant. */
  after: (ms: number) => number;
};

/** Seconds from midnight to a time on the wall clock: a day on which the clocks change has 23 or 25 hours. */
function clockOf(timeZone: string, date: string): Clock {
  const midnight = instantIn(timeZone, date, 0);
  const after = (ms: number): number => (ms - midnight.getTime()) / 1000;
  return { timeZone, midnight, after, seconds: (minutes) => after(instantIn(timeZone, date, minutes).getTime()) };
}

type Day = { input: DayPlanInput; clock: Clock };

async function loadPlaces(deps: Deps, scope: Scope, { input, clock }: Day): Promise<Map<string, Place>> {
  const locations = await eachLocation(deps.db, scope, refsOf(input));
  // What opens after the last shift is open on the day all the same.
  const untilMin = Math.max(dayMin, ...input.crews.map(endMinOf));
  const windowsOf = (accessHours: string | null): Span[] | null => {
    const openings = openingsOn(accessHours, { timeZone: clock.timeZone, day: input.date, untilMin });
    return openings?.map(([from, to]) => [clock.after(from), clock.after(to)] as const) ?? null;
  };
  const places = locations.map((location, index) =>
    toPlace(location, { index, windows: windowsOf(location.accessHours) }),
  );
  return new Map(places.map((place) => [place.key, place]));
}

type Facts = { index: number; windows: Span[] | null };

function toPlace(location: PlannedLocation, { index, windows }: Facts): Place {
  return {
    ...location,
    key: locationKey(location),
    index,
    totes: totesFor(location.missingUnits),
    windows,
  };
}

type Loaded = Omit<Crew, 'depotIndex'>;

async function loadCrews(deps: Deps, { input, clock }: Day, places: readonly Place[]): Promise<Loaded[]> {
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
    if (crew.depotId && row.depotId !== crew.depotId)
      throw new AppError('not-found', `The depot of ${row.driverName ?? label} does not exist any more. Choose again.`);
    return toCrew(crew, row, { number: index + 1, fallback: places[0], clock });
  });
}

/** End of a shift in minutes of the day it begins on. */
const endMinOf = ({ startMin, endMin }: CrewInput): number => (endMin <= startMin ? endMin + dayMin : endMin);

type CrewFacts = { number: number; fallback: Place | undefined; clock: Clock };

function toCrew(input: CrewInput, row: Awaited<ReturnType<typeof findCrews>>[number], facts: CrewFacts): Loaded {
  const { number, fallback, clock } = facts;
  const { depotName, depotLatitude, depotLongitude } = row;
  const depot =
    depotName !== null && depotLatitude !== null && depotLongitude !== null
      ? { name: depotName, latitude: depotLatitude, longitude: depotLongitude }
      : fallback;
  if (!depot) throw new AppError('conflict', 'There is no depot to start from. Add one in the settings.');
  return {
    number,
    input,
    driverName: row.driverName,
    vehicleName: row.vehicleName,
    capacityTotes: row.capacityTotes,
    depotId: row.depotId,
    depot: { name: depot.name, latitude: depot.latitude, longitude: depot.longitude },
    shift: [clock.seconds(input.startMin), clock.seconds(endMinOf(input))],
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
  return { matrix: await roads.matrix(points), points, depotRows };
}
