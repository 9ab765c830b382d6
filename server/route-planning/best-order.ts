import { farWarnings } from '../../domain/far-place.ts';
import { type Point, toPoint } from '../../domain/location.ts';
import type { Problem } from '../../optimizer/index.ts';
import { check } from '../../optimizer/index.ts';
import type { Deps } from '../deps.ts';
import { matrixAround } from './closures.ts';
import { activeIncidents, longestRouteMs } from './incidents.ts';
import type { PlannedLocation } from './queries.ts';
import { type Start, slowed, type Timed, timeOrder } from './timing.ts';
import { byDistance, toOrder, toProblem } from './to-problem.ts';
import { matrixOver, reachedFrom, type TravelMatrix } from './travel-matrix.ts';

export type Wish = {
  locations: PlannedLocation[];
  start: Start;
  /** Where the route ends; null: where it began. */
  end: Point | null;
  startAt: Date;
  timeLimitMs?: number | undefined;
  seed?: number | undefined;
};

export type Candidate = { order: number[]; timed: Timed; source: TravelMatrix['source'] };

export type Best = Candidate & {
  given: Candidate;
  /** Locations without a way by road from the start or back. */
  unreached: PlannedLocation[];
  warnings: string[];
};

/** A second for a hundred stops, less for fewer. */
function budgetMs(stops: number): number {
  return Math.min(1000, Math.max(100, stops * 10));
}

const noWaySentence = 'There is no way by road between some stops in this order.';

/**
 * The order with the least driving time that is neither slower nor longer than the order given, or merely faster where
 * incidents are met; the order given where nothing better is found. Every answer of the solver passes the independent
 * checker before it counts.
 */
export async function bestOrder(deps: Deps, wish: Wish): Promise<Best> {
  const all = [wish.start.point, ...wish.locations.map(toPoint), ...(wish.end ? [wish.end] : [])];
  const incidents = await activeIncidents(deps.db);
  const { startAt } = wish;
  const met = incidents.between(startAt, new Date(startAt.getTime() + longestRouteMs));
  const { matrix: whole, driven } = await matrixAround(deps.roads, all, met);
  const isReached = reachedFrom(whole, wish.end ? all.length - 1 : 0);
  const kept = all.map((_, place) => place).filter(isReached);
  const locations = wish.locations.filter((_, index) => isReached(index + 1));
  const unreached = wish.locations.filter((_, index) => !isReached(index + 1));
  const isWhole = kept.length === all.length;
  const clean = {
    matrix: isWhole ? whole : matrixOver(whole, kept),
    order: locations.map((_, index) => index + 1),
    locations,
    startAt,
    home: wish.end ? kept.length - 1 : 0,
  };
  const places = kept.flatMap((place) => all[place] ?? []);
  const slow = slowed(clean, places, incidents, driven);
  const found = await search(deps, { ...wish, locations }, { ...clean, ...slow });
  const ends = wish.end ? [wish.start.point, wish.end] : [wish.start.point];
  const noWay = found.timed.withoutWay > 0 ? [noWaySentence] : [];
  const warnings = [...farWarnings(wish.locations, ends), ...whole.warnings, ...noWay];
  // Places are numbered as asked for, whether all were reached or not.
  const order = found.order.map((place) => kept[place] ?? place);
  return { ...found, order, unreached, warnings };
}

type Ground = Parameters<typeof timeOrder>[0] & { matrix: TravelMatrix; home: number; touched: boolean };

async function search(deps: Deps, wish: Wish, ground: Ground): Promise<Candidate & { given: Candidate }> {
  const { matrix, home, touched } = ground;
  const timed = (order: number[]): Candidate => ({
    order,
    timed: timeOrder({ ...ground, order }),
    source: matrix.source,
  });
  const given = timed(wish.locations.map((_, index) => index + 1));
  if (wish.locations.length === 0) return { ...given, given };
  const problem = toProblem({ locations: wish.locations, matrix, home });
  const fastest = await candidate(deps, problem, { wish, given, timed });
  // Who avoids an incident drives farther to be faster.
  if (fastest && (isNoWorse(fastest, given) || (touched && isFaster(fastest, given)))) return { ...fastest, given };
  const shortest = await candidate(deps, byDistance(problem), { wish, given, timed });
  return { ...(shortest && isNoWorse(shortest, given) ? shortest : given), given };
}

type Context = { wish: Wish; given: Candidate; timed: (order: number[]) => Candidate };

async function candidate(deps: Deps, problem: Problem, { wish, given, timed }: Context): Promise<Candidate | null> {
  const solution = await deps.solver.solve(problem, {
    timeLimitMs: wish.timeLimitMs ?? budgetMs(wish.locations.length),
    seed: wish.seed ?? 1,
    ...(given.timed.withoutWay > 0 ? {} : { initial: [{ vehicle: 1, jobs: given.order }] }),
  });
  const violations = check(problem, solution);
  const order = toOrder(solution);
  if (violations.length === 0 && order.length === wish.locations.length) return timed(order);
  deps.log.error({ violations: violations.slice(0, 5), stops: order.length }, 'a plan did not pass the checker');
  return null;
}

function isNoWorse(one: Candidate, given: Candidate): boolean {
  // An order that cannot be driven is worse than any other; its sums leave legs out.
  if (one.timed.withoutWay !== given.timed.withoutWay) return one.timed.withoutWay < given.timed.withoutWay;
  return one.timed.distanceKm <= given.timed.distanceKm + 1e-9 && one.timed.drivingMin <= given.timed.drivingMin;
}

function isFaster(one: Candidate, given: Candidate): boolean {
  return one.timed.drivingSeconds < given.timed.drivingSeconds;
}
