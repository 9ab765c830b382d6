import { farWarnings } from '../../../domain/far-place.ts';
import {
  alreadyClosedSentence,
  closedSentence,
  closesEarlySentence,
  leftOutSentence,
  mostWayMin,
  tooFarSentence,
} from '../../../domain/left-out.ts';
import { locationKey, type Point, toPoint } from '../../../domain/location.ts';
import type { Problem, Solution } from '../../../optimizer/index.ts';
import { check } from '../../../optimizer/index.ts';
import type { Deps } from '../../deps.ts';
import type { Worths } from '../../need/service.ts';
import { getOperator } from '../../settings/service.ts';
import { activeIncidents, drivenFrom, type Incidents } from '../incidents.ts';
import type { PlannedLocation } from '../queries.ts';
import { doorsOf, type Leaving, type Start, slowed, type Timed, timeOrder } from '../retiming/timing.ts';
import { aroundOver, type Driven, matrixAround, nearTo } from './closures.ts';
import { offRoadWarnings } from './off-road.ts';
import { byDistance, toOrder, toProblem } from './to-problem.ts';
import { reachedFrom, type TravelMatrix, wayMinOf } from './travel-matrix.ts';

export type Wish = Leaving & {
  locations: PlannedLocation[];
  start: Start;
  /** Where the route ends; null: where it began. */
  end: Point | null;
  /** The driver is not on the road yet: a wait at the first door becomes a later start. */
  mayLeaveLater: boolean;
  timeLimitMs?: number | undefined;
  seed?: number | undefined;
  /** A selection may lose what cannot be served; stops of a route stay, at its end. */
  mayLeaveOut?: boolean;
  /** Totes that the vehicle holds, what visits need and are worth: where not all fit, the best ones stay. */
  load?: { capacityTotes: number | null; worths: Worths };
};

export type Candidate = { order: number[]; timed: Timed; source: TravelMatrix['source'] };

/** A location that the plan cannot serve, with the sentence that says why. */
export type Left = { location: PlannedLocation; reason: string };

export type Best = Candidate & {
  /** The order given, of the stops that the plan serves. */
  given: Candidate;
  /** Locations without a way by road from the start or back. */
  unreached: PlannedLocation[];
  /** Cannot be entered in time, are more than a day away, or do not fit on the vehicle. */
  left: Left[];
  warnings: string[];
};

/** A second for a hundred stops, less for fewer. */
function budgetMs(stops: number): number {
  return Math.min(1000, Math.max(100, stops * 10));
}

const noWaySentence = 'There is no way by road between some stops in this order.';

/**
 * The order with the least driving time that is neither slower nor longer than the order given and is done no later for
 * waiting at doors, or merely faster where incidents are met, or longer where only that meets open doors or spares a night
 * before closed ones; the order given where nothing better is found. Every answer of the solver passes the independent
 * checker before it counts.
 */
export async function bestOrder(deps: Deps, wish: Wish): Promise<Best> {
  const all = [wish.start.point, ...wish.locations.map(toPoint), ...(wish.end ? [wish.end] : [])];
  const incidents = await activeIncidents(deps.db);
  const { startAt, began, mayLeaveLater } = wish;
  const met = incidents.between(drivenFrom(startAt));
  const around = await matrixAround(deps.roads, all, met);
  const whole = around.matrix;
  const home = wish.end ? all.length - 1 : 0;
  const isReached = reachedFrom(whole, home);
  const tooFar = wish.mayLeaveOut ? tooFarOf(whole, home, wish.locations) : new Map<number, Left>();
  const isKept = (place: number): boolean => isReached(place) && !tooFar.has(place);
  const kept = all.map((_, place) => place).filter(isKept);
  const locations = wish.locations.filter((_, index) => isKept(index + 1));
  const unreached = wish.locations.filter((_, index) => !isReached(index + 1));
  const { matrix, driven } = kept.length === all.length ? around : aroundOver(around, kept);
  const { timeZone } = await getOperator(deps.db);
  const clean = {
    matrix,
    order: locations.map((_, index) => index + 1),
    locations,
    doors: doorsOf(locations, { timeZone, startAt, began }),
    startAt,
    mayLeaveLater,
    home: wish.end ? kept.length - 1 : 0,
  };
  const places = kept.flatMap((place) => all[place] ?? []);
  const found = await searchInTraffic(deps, { ...wish, locations }, { clean, places, incidents, driven });
  const ends = wish.end ? [wish.start.point, wish.end] : [wish.start.point];
  const noWay = found.timed.withoutWay > 0 ? [noWaySentence] : [];
  const warnings = [
    ...farWarnings(wish.locations, ends),
    ...(await offRoadWarnings(deps.roads, wish.locations)),
    ...whole.warnings,
    ...noWay,
  ];
  // Places are numbered as asked for, whether all were reached or not.
  const order = found.order.map((place) => kept[place] ?? place);
  return { ...found, order, left: [...found.left, ...tooFar.values()], unreached, warnings };
}

type Traffic = { clean: Clean; places: readonly Point[]; incidents: Incidents; driven: Driven | null };

/** How often an order is searched for anew with what the roads of the one before told. */
const mostLooks = 2;

/**
 * Where incidents are near, the order found is looked at along its roads, and searched for again where they lose other times,
 * until it keeps what it promised. An order is never better for a road that nobody looked at.
 */
async function searchInTraffic(deps: Deps, wish: Wish, { clean, places, incidents, driven }: Traffic): Promise<Found> {
  const look = async (orders: readonly (readonly number[])[]) => {
    for (const order of orders) {
      const stops = [0, ...order, clean.home];
      await deps.roads.route(stops.flatMap((place) => places[place] ?? []));
    }
    return slowed(clean, places, { ...deps, incidents, driven });
  };
  let ground = await look([]);
  let found = await search(deps, wish, { ...clean, ...ground });
  if (!ground.circles.some(nearTo(places)) || clean.matrix.source === 'estimate') return found;
  // All further searches together take no longer than the first.
  const timeLimitMs =
    Math.min(wish.timeLimitMs ?? Number.POSITIVE_INFINITY, budgetMs(wish.locations.length)) / mostLooks;
  const orders = [found.given.order, found.order];
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const known = await look(looks === 0 ? orders : [found.order]);
    if (isSame(ground.matrix, known.matrix)) return found;
    ground = known;
    found = await search(deps, { ...wish, timeLimitMs }, { ...clean, ...ground });
    orders.push(found.order);
  }
  return bestOf(orders, found, { ...clean, ...(await look([found.order])) });
}

function isSame(one: TravelMatrix, other: TravelMatrix): boolean {
  return one.durations.every((row, from) => row.every((seconds, to) => seconds === other.durations[from]?.[to]));
}

/** The fastest of several orders of the same stops, by roads that all were looked at. */
function bestOf(orders: readonly number[][], last: Found, ground: Ground): Found {
  const timed = (order: number[]): Candidate => candidateOf(ground, order);
  const given = timed(last.given.order);
  const stops = new Set(last.order);
  const same = orders.filter((order) => order.length === stops.size && order.every((place) => stops.has(place)));
  const fair = same.map(timed).filter((one) => isNoWorse(one, given) || isFaster(one, given));
  const [best = given] = fair.toSorted((one, other) => one.timed.drivingSeconds - other.timed.drivingSeconds);
  return { ...last, ...best, given };
}

/** What no day has room for, by place. Where that is everything, it is rather the start that is wrong: nothing is left out. */
function tooFarOf(matrix: TravelMatrix, home: number, locations: readonly PlannedLocation[]): Map<number, Left> {
  const found = locations.flatMap((location, index): [number, Left][] => {
    const wayMin = wayMinOf(matrix, index + 1, home) ?? 0;
    return wayMin > mostWayMin ? [[index + 1, { location, reason: tooFarSentence(wayMin) }]] : [];
  });
  return new Map(found.length < locations.length ? found : []);
}

type Clean = Parameters<typeof timeOrder>[0] & {
  matrix: TravelMatrix;
  home: number;
  doors: ReturnType<typeof doorsOf>;
};

/** With what incidents add. */
type Ground = Clean & { touched: boolean };

const candidateOf = (ground: Ground, order: number[]): Candidate => ({
  order,
  timed: timeOrder({ ...ground, order }),
  source: ground.matrix.source,
});

type Found = Candidate & { given: Candidate; left: Left[] };

async function search(deps: Deps, wish: Wish, ground: Ground): Promise<Found> {
  const timed = (order: number[]): Candidate => candidateOf(ground, order);
  const given = timed(wish.locations.map((_, index) => index + 1));
  if (wish.locations.length === 0) return { ...given, given, left: [] };
  const problem = toProblem({ ...ground, ...wish.load, locations: wish.locations });
  const context = { wish, ground, given, timed };
  const found = await searchOpen(deps, problem, context);
  if (found.timed.waitMin < longestWaitMin) return found;
  const early = await candidate(deps, firstOpenings(problem), context);
  return early && isDoneSooner(early, found) ? early : found;
}

/** Who waits longer at doors waits for the next morning. */
const longestWaitMin = 4 * 60;

/** The same problem for a driver who comes before a door closes, not after it has opened again. */
function firstOpenings(problem: Problem): Problem {
  const jobs = problem.jobs.map(({ time_windows: windows, ...job }) =>
    windows ? { ...job, time_windows: windows.slice(0, 1) } : job,
  );
  return { ...problem, jobs };
}

/** Serves as many, misses no more doors, and saves so much waiting that some more driving does not matter. */
function isDoneSooner(one: Found, other: Found): boolean {
  const { timed } = other;
  const isNoLess = one.left.length <= other.left.length && one.timed.withoutWay <= timed.withoutWay;
  return isNoLess && one.timed.lateMs <= timed.lateMs && one.timed.wholeMin + longestWaitMin <= timed.wholeMin;
}

async function searchOpen(deps: Deps, problem: Problem, context: Context): Promise<Found> {
  const { ground, given } = context;
  const fastest = await candidate(deps, problem, context);
  // Who avoids an incident drives farther to be faster.
  if (fastest && (isNoWorse(fastest, fastest.given) || (ground.touched && isFaster(fastest, fastest.given))))
    return fastest;
  const shortest = await candidate(deps, byDistance(problem), context);
  if (shortest && isNoWorse(shortest, shortest.given)) return shortest;
  const soonest =
    fastest &&
    waitsLonger(fastest, fastest.given) &&
    (await candidate(deps, endingWith(fastest.given, problem, ground), context));
  if (soonest && soonest.left.length === fastest.left.length && isNoWorse(soonest, soonest.given)) return soonest;
  return fastest ? { ...fastest.given, given: fastest.given, left: fastest.left } : { ...given, given, left: [] };
}

/** The same problem for a driver who is done by when the order given is. */
function endingWith({ timed }: Candidate, problem: Problem, { startAt }: Ground): Problem {
  const endMs = timed.startAt.getTime() + (timed.wholeMin + 1) * 60_000;
  const end = Math.ceil((endMs - startAt.getTime()) / 1000);
  return { ...problem, vehicles: problem.vehicles.map((vehicle) => ({ ...vehicle, time_window: [0, end] })) };
}

type Context = { wish: Wish; ground: Ground; given: Candidate; timed: (order: number[]) => Candidate };

async function candidate(deps: Deps, problem: Problem, context: Context): Promise<Found | null> {
  const { wish, given, timed } = context;
  const solution = await deps.solver.solve(problem, {
    timeLimitMs: wish.timeLimitMs ?? budgetMs(wish.locations.length),
    seed: wish.seed ?? 1,
    ...(given.timed.withoutWay > 0 ? {} : { initial: [{ vehicle: 1, jobs: given.order.filter(isJobOf(problem)) }] }),
  });
  const violations = check(problem, solution);
  const order = toOrder(solution);
  if (violations.length > 0 || order.length + solution.unassigned.length !== problem.jobs.length) {
    deps.log.error({ violations: violations.slice(0, 5), stops: order.length }, 'a plan did not pass the checker');
    return null;
  }
  const left = leftOf(context, { solution, problem, now: deps.clock.now().getTime() });
  if (left.length === 0) return { ...timed(order), given, left };
  const served = new Set(order);
  if (!wish.mayLeaveOut) {
    const rest = given.order.filter((place) => !served.has(place));
    return { ...timed([...order, ...rest]), given, left };
  }
  return { ...timed(order), given: timed(given.order.filter((place) => served.has(place))), left };
}

function isJobOf({ jobs }: Problem): (place: number) => boolean {
  const ids = new Set(jobs.map(({ id }) => id));
  return (place) => ids.has(place);
}

type Answer = { solution: Solution; problem: Problem; now: number };

/** What the solution does not serve, in the order given. */
function leftOf({ wish, ground }: Context, { solution, problem, now }: Answer): Left[] {
  const reasons = new Map(solution.unassigned.map(({ id, reason }) => [Number(id), reason]));
  const isJob = isJobOf(problem);
  return wish.locations.flatMap((location, index) => {
    const openings = ground.doors[index] ?? null;
    if (openings?.length === 0) return [{ location, reason: closedSentence(location) }];
    if (!isJob(index + 1)) {
      const sentence = openings?.every(([, to]) => to < now) ? alreadyClosedSentence : closesEarlySentence;
      return [{ location, reason: sentence(location) }];
    }
    const reason = reasons.get(index + 1);
    if (!reason) return [];
    const { capacityTotes = null, worths } = wish.load ?? {};
    const stop = { ...location, totes: worths?.get(locationKey(location))?.totes ?? 0 };
    return [{ location, reason: leftOutSentence(reason, stop, [capacityTotes]) }];
  });
}

function isNoWorse(one: Candidate, given: Candidate): boolean {
  // An order that cannot be driven is worse than any other; its sums leave legs out.
  if (one.timed.withoutWay !== given.timed.withoutWay) return one.timed.withoutWay < given.timed.withoutWay;
  if (one.timed.lateMs !== given.timed.lateMs) return one.timed.lateMs < given.timed.lateMs;
  if (waitsLonger(one, given)) return false;
  return one.timed.distanceKm <= given.timed.distanceKm + 1e-9 && one.timed.drivingMin <= given.timed.drivingMin;
}

function isFaster(one: Candidate, given: Candidate): boolean {
  return one.timed.drivingSeconds < given.timed.drivingSeconds && !waitsLonger(one, given);
}

/** What is saved on the way is lost again before doors that are not open yet. */
function waitsLonger(one: Candidate, given: Candidate): boolean {
  const { waitMin, wholeMin } = one.timed;
  return waitMin > given.timed.waitMin && wholeMin > given.timed.wholeMin;
}
