/**
 * The tables of legs. Guarantees: places that follow each other in a table lie near each other, because the search looks at the legs between
 * neighbours most: they then share lines of the processor's cache. Places that nothing refers to have no row.
 */
import { legCost, NO_WAY } from '../cost.ts';
import { type CompleteProblem, type CompleteVehicle, drivenSeconds } from '../problem.ts';

/** Seconds, metres and ticks of every leg for vehicles of one kind; entry = from place x places + to place. */
export interface Legs {
  readonly seconds: Int32Array;
  readonly metres: Int32Array;
  readonly cost: Int32Array;
  /** As `cost` and `seconds`, with to and from exchanged; the same array when both directions are alike. */
  readonly costInto: Int32Array;
  readonly secondsInto: Int32Array;
}

/** Row of a place that no job and no vehicle refers to. */
const UNUSED = -1;

/** Rows of the tables: `row` per place of the matrices; one row more, the last, for a missing start or end. */
export interface PlaceRows {
  readonly row: Int32Array;
  readonly places: number;
}

interface Shape extends PlaceRows {
  readonly scale: number;
}

/** Numbers the places along a way that always goes on to the nearest place not yet seen. */
export function placeRows(problem: CompleteProblem): PlaceRows {
  const matrices = Object.values(problem.matrices);
  const size = Math.max(...matrices.map(({ durations }) => durations.length));
  const row = new Int32Array(size).fill(UNUSED);
  const { jobs, vehicles } = problem;
  const ends = vehicles.flatMap((vehicle) => [vehicle.start_index, vehicle.end_index]);
  const open = [...new Set([...ends, ...jobs.map((job) => job.location_index)])].filter((place) => place !== undefined);
  const total = open.length;
  let at = open[0] ?? 0;
  for (let rank = 0; rank < total; rank++) {
    const nearest = rank === 0 ? 0 : nearestOf(open, matrices[0]?.durations[at] ?? []);
    at = open[nearest] ?? 0;
    open[nearest] = open[open.length - 1] ?? 0;
    open.pop();
    row[at] = rank;
  }
  return { row, places: total + 1 };
}

function nearestOf(open: readonly number[], seconds: readonly (number | null)[]): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < open.length; i++) {
    const away = seconds[open[i] ?? 0] ?? NO_WAY;
    if (away >= least) continue;
    nearest = i;
    least = away;
  }
  return nearest;
}

function legsOf(problem: CompleteProblem, vehicle: CompleteVehicle, shape: Shape): Legs {
  const { places, scale, row } = shape;
  const size = places * places;
  const cost = new Int32Array(size);
  const legs = { seconds: new Int32Array(size), metres: new Int32Array(size), cost };
  const { durations = [], distances, costs } = problem.matrices[vehicle.profile] ?? {};
  let isTime = true;
  for (let from = 0; from < durations.length; from++) {
    const secondsRow = durations[from] ?? [];
    const metresRow = distances?.[from];
    if ((row[from] ?? UNUSED) === UNUSED) continue;
    for (let to = 0; to < durations.length; to++) {
      if (row[to] === UNUSED) continue;
      const cell = (row[from] ?? 0) * places + (row[to] ?? 0);
      const matrixSeconds = secondsRow[to] ?? null;
      const metres = metresRow === undefined ? 0 : (metresRow[to] ?? null);
      const custom = costs === undefined ? undefined : (costs[from]?.[to] ?? null);
      if (matrixSeconds === null || metres === null || custom === null) {
        legs.seconds[cell] = NO_WAY;
        legs.metres[cell] = NO_WAY;
        legs.cost[cell] = NO_WAY;
        continue;
      }
      const seconds = drivenSeconds(matrixSeconds, vehicle.speed_factor);
      legs.seconds[cell] = seconds;
      legs.metres[cell] = metres;
      legs.cost[cell] = legCost(vehicle.costs, { seconds, metres, cost: custom }, scale);
      isTime &&= legs.cost[cell] === seconds;
    }
  }
  const costInto = turned(cost, places);
  // One table instead of two stays in the processor's cache.
  if (isTime) return { ...legs, seconds: cost, costInto, secondsInto: costInto };
  return { ...legs, costInto, secondsInto: turned(legs.seconds, places) };
}

/** Rows as columns. Insertion looks at all legs from and to one stop; in one row each, they stay in the processor's cache. */
function turned(table: Int32Array, places: number): Int32Array {
  const result = new Int32Array(table.length);
  let isSame = true;
  for (let from = 0; from < places; from++) {
    for (let to = 0; to < places; to++) {
      const entry = table[to * places + from] ?? 0;
      result[from * places + to] = entry;
      isSame &&= entry === table[from * places + to];
    }
  }
  return isSame ? table : result;
}

/** Vehicles that drive alike share one table of legs. */
export function sharedLegs(problem: CompleteProblem, shape: Shape): Legs[] {
  const tables = new Map<string, Legs>();
  return problem.vehicles.map((vehicle) => {
    const key = JSON.stringify([vehicle.profile, vehicle.speed_factor, vehicle.costs.per_hour, vehicle.costs.per_km]);
    const legs = tables.get(key) ?? legsOf(problem, vehicle, shape);
    tables.set(key, legs);
    return legs;
  });
}
