import { type Point, toPoint } from '../../domain/location.ts';
import type { Problem } from '../../optimizer/index.ts';
import { check } from '../../optimizer/index.ts';
import type { Deps } from '../deps.ts';
import type { PlannedLocation } from './queries.ts';
import { type Start, type Timed, timeOrder } from './timing.ts';
import { byDistance, toOrder, toProblem } from './to-problem.ts';
import { estimateMatrix, type TravelMatrix } from './travel-matrix.ts';

type Wish = {
  locations: PlannedLocation[];
  start: Start;
  /** Where the route ends; null: where it began. */
  end: Point | null;
  startAt: Date;
  timeLimitMs?: number | undefined;
  seed?: number | undefined;
};

export type Candidate = { order: number[]; timed: Timed; source: TravelMatrix['source'] };

/** A second for a hundred stops, less for fewer. */
function budgetMs(stops: number): number {
  return Math.min(1000, Math.max(100, stops * 10));
}

/**
 * The order with the least driving time that is neither slower nor longer than the order given; the order given where
 * nothing better is found. Every answer of the solver passes the independent checker before it counts.
 */
export async function bestOrder(deps: Deps, wish: Wish): Promise<Candidate & { given: Candidate }> {
  const points = wish.locations.map(toPoint);
  const places = [wish.start.point, ...points, ...(wish.end ? [wish.end] : [])];
  const matrix = estimateMatrix(places);
  const home = wish.end ? places.length - 1 : 0;
  const timed = (order: number[]): Candidate => ({
    order,
    timed: timeOrder({ matrix, order, locations: wish.locations, startAt: wish.startAt, home }),
    source: matrix.source,
  });
  const given = timed(wish.locations.map((_, index) => index + 1));
  const problem = toProblem({ locations: wish.locations, matrix, home });
  const fastest = await candidate(deps, problem, { wish, given, timed });
  if (fastest && isNoWorse(fastest, given)) return { ...fastest, given };
  const shortest = await candidate(deps, byDistance(problem), { wish, given, timed });
  return { ...(shortest && isNoWorse(shortest, given) ? shortest : given), given };
}

type Context = { wish: Wish; given: Candidate; timed: (order: number[]) => Candidate };

async function candidate(deps: Deps, problem: Problem, { wish, given, timed }: Context): Promise<Candidate | null> {
  const solution = await deps.solver.solve(problem, {
    timeLimitMs: wish.timeLimitMs ?? budgetMs(wish.locations.length),
    seed: wish.seed ?? 1,
    initial: [{ vehicle: 1, jobs: given.order }],
  });
  const violations = check(problem, solution);
  const order = toOrder(solution);
  if (violations.length === 0 && order.length === wish.locations.length) return timed(order);
  deps.log.error({ violations: violations.slice(0, 5), stops: order.length }, 'a plan did not pass the checker');
  return null;
}

function isNoWorse(one: Candidate, given: Candidate): boolean {
  return one.timed.distanceKm <= given.timed.distanceKm + 1e-9 && one.timed.drivingMin <= given.timed.drivingMin;
}
