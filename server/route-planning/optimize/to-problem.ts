import { locationKey } from '../../../domain/location.ts';
import { priorityOf } from '../../../domain/need.ts';
import type { Opening } from '../../../domain/openings.ts';
import type { Job, Problem, Solution } from '../../../optimizer/index.ts';
import type { Worths } from '../../need/service.ts';
import type { PlannedLocation } from '../queries.ts';
import type { TravelMatrix } from './travel-matrix.ts';

/** The only file that knows both the trade's words and the solver's. */
type Wish = {
  locations: readonly PlannedLocation[];
  /** Place 0 is the start, place n the n-th location; the last place may be another end. */
  matrix: TravelMatrix;
  home: number;
  startAt?: Date;
  /** When the locations' doors are open, by position; absent: always. */
  doors?: readonly (readonly Opening[] | null)[];
  /** Totes that the vehicle holds; null: not known. */
  capacityTotes?: number | null | undefined;
  worths?: Worths | undefined;
};

/**
 * One driver: the order of all stops with the least driving time. Those that cannot be entered in time, or do not fit on
 * the vehicle, are left out; of the latter those that are worth least.
 */
export function toProblem({ matrix, home, ...wish }: Wish): Problem {
  const jobs = wish.locations.flatMap((location, index) => toJob(location, index, wish) ?? []);
  const { capacityTotes = null } = wish;
  return {
    jobs,
    vehicles: [
      {
        id: 1,
        start_index: 0,
        end_index: home,
        ...(jobs.some((job) => job.time_windows) ? { time_window: [0, noEnd] } : {}),
        ...(capacityTotes === null ? {} : { capacity: [capacityTotes] }),
      },
    ],
    matrices: { car: { durations: matrix.durations, distances: matrix.distances } },
  };
}

/** Seconds that no route takes. */
const noEnd = 30 * 24 * 3600;

/** Undefined where the doors have closed for the day. */
function toJob(
  location: PlannedLocation,
  index: number,
  { startAt, doors, capacityTotes = null, worths }: Omit<Wish, 'matrix' | 'home'>,
): Job | undefined {
  const windows = windowsFrom(startAt, doors?.[index] ?? null);
  if (windows?.length === 0) return undefined;
  const worth = worths?.get(locationKey(location));
  return {
    id: index + 1,
    location_index: index + 1,
    service: location.serviceMin * 60,
    source: { type: location.type, id: location.id },
    ...(windows ? { time_windows: windows } : {}),
    ...(capacityTotes === null
      ? {}
      : {
          delivery: [worth?.totes ?? 0],
          priority: priorityOf(worth?.seconds ?? 0),
        }),
  };
}

/** What is left of the openings, in seconds after the start; null: at any time. */
function windowsFrom(startAt: Date | undefined, openings: readonly Opening[] | null): [number, number][] | null {
  if (!startAt || openings === null) return null;
  const after = (ms: number): number => (ms - startAt.getTime()) / 1000;
  return openings.flatMap(([from, to]): [number, number][] => {
    // The solver counts whole seconds, and a driver who is under way leaves at any millisecond: never early, never late.
    const [opens, closes] = [Math.max(0, Math.ceil(after(from))), Math.floor(after(to))];
    return closes < opens ? [] : [[opens, closes]];
  });
}

/** The same problem where a stop is only served when its worth pays for its way: the work there is put off, not saved. */
export function onlyWorthwhile(problem: Problem, locations: readonly PlannedLocation[], worths: Worths): Problem {
  const prizes = locations.map((location) => worths.get(locationKey(location))?.seconds ?? 0);
  return { ...problem, jobs: problem.jobs.map((job) => ({ ...job, prize: prizes[Number(job.id) - 1] ?? 0 })) };
}

/** The same problem with metres for costs: the order with the shortest way, by the same clock. */
export function byDistance(problem: Problem): Problem {
  const car = problem.matrices.car;
  if (!car?.distances) return problem;
  return { ...problem, matrices: { car: { ...car, costs: car.distances } } };
}

/** Places of the matrix in the order of the solution. */
export function toOrder(solution: Solution): number[] {
  return solution.routes.flatMap((route) =>
    route.steps.flatMap((step) => (step.type === 'job' && step.id !== undefined ? [Number(step.id)] : [])),
  );
}
