/**
 * From problem to answer: first plan, search that suits the problem, answer. Guarantees: never worse than the order given; the first plan is
 * reported before the search begins; stops within a few milliseconds of its limit or of being cancelled.
 */
import { construct, followOrder, insertAbsent } from '../construct.ts';
import { LocalSearch } from '../local-search.ts';
import type { Model } from '../model.ts';
import { Plan } from '../plan/plan.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import { breed } from '../population/breed.ts';
import type { Id } from '../problem.ts';
import { Random } from '../random.ts';
import { InvalidProblem } from '../reading/read-fields.ts';
import { Reasons } from '../reasons.ts';
import { reportOf } from '../report.ts';
import type { Solution } from '../solution.ts';
import { cancelled } from '../stop/cancelled.ts';
import { maxIterations } from '../stop/max-iterations.ts';
import { maxRuntime } from '../stop/max-runtime.ts';
import { noImprovement } from '../stop/no-improvement.ts';
import type { StopRule } from '../stop/stop-rule.ts';
import { improveSingleRoute } from '../tour/single-route.ts';
import { type Neighbours, neighboursOf } from './neighbours.ts';
import { RuinRecreate } from './ruin-recreate.ts';
import { Search } from './search.ts';

/** An order given by a person, or the plan so far. */
export interface InitialRoute {
  readonly vehicle: Id;
  readonly jobs: readonly Id[];
}

export interface SolveProgress {
  /** What the search minimises, in cost units: routes, prizes left, and a very large amount per stop that should be served but is not. */
  readonly cost: number;
  /** 0 without a clock. */
  readonly elapsedMs: number;
  readonly iterations: number;
}

export interface SolveOptions {
  /** Default 1. */
  seed?: number;
  iterations?: number;
  /** Needs `now`. */
  timeLimitMs?: number;
  /** Iterations without a better plan after which to stop. */
  noImprovement?: number;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
  /** Asked every few milliseconds; true ends the search with the best plan so far. */
  cancelled?: () => boolean;
  /** Called with the first plan and with every better one. */
  onProgress?: (progress: SolveProgress) => void;
  /** The answer is not worse than these routes, if they keep every promise. */
  initial?: readonly InitialRoute[];
}

/** Neighbours kept per stop: enough for strings of neighbouring routes; insertion looks at fewer. */
export const NEIGHBOURS = 100;
/** Share of the budget after which local search polishes the best plan. */
const RUIN_SHARE = 0.97;
const DEFAULT_ITERATIONS = 30_000;
/** How fast ruin and recreate is about, on a machine that others use as well. */
const ROUNDS_PER_MS = 100;
/** Up to this many stops, a search of SMALL_EFFORT iterations per stop finds nothing more. */
const SMALL = 12;
const SMALL_EFFORT = 500;

export function rulesOf(model: Model, options: SolveOptions, startedAt: number): StopRule[] {
  const rules: StopRule[] = [];
  const { timeLimitMs, iterations, now, cancelled: isCancelled } = options;
  if (timeLimitMs !== undefined) {
    if (now === undefined) throw new InvalidProblem('options', 'timeLimitMs', 'needs now');
    rules.push(maxRuntime(timeLimitMs, now, startedAt));
  }
  if (iterations !== undefined) rules.push(maxIterations(iterations));
  if (rules.length === 0) rules.push(maxIterations(DEFAULT_ITERATIONS));
  if (model.stops <= SMALL) rules.push(maxIterations(SMALL_EFFORT * model.stops));
  if (options.noImprovement !== undefined) rules.push(noImprovement(options.noImprovement));
  if (isCancelled !== undefined) rules.push(cancelled(isCancelled));
  return rules;
}

export function initialStops(model: Model, initial: readonly InitialRoute[]): { vehicle: number; stops: number[] }[] {
  const vehicleOf = new Map(model.problem.vehicles.map((vehicle, index) => [vehicle.id, index]));
  const stopOf = new Map(model.problem.jobs.map((job, stop) => [job.id, stop]));
  return initial.map((route) => {
    const vehicle = vehicleOf.get(route.vehicle);
    if (vehicle === undefined) throw new InvalidProblem('initial', 'vehicle', `is unknown: ${route.vehicle}`);
    const stops = route.jobs.map((id) => {
      const stop = stopOf.get(id);
      if (stop === undefined) throw new InvalidProblem('initial', 'jobs', `names the unknown job ${id}`);
      return stop;
    });
    return { vehicle, stops };
  });
}

interface Beginning {
  /** Where the search begins. */
  plan: Plan;
  /** The best plan so far, which may be another. */
  best: Snapshot;
}

/**
 * The best of a constructed plan and the given order, as far as it can be kept. With optional stops the search begins from a plan that
 * serves them all: one prize alone seldom pays for a new route, so a plan without them would never grow one.
 */
export function begin(model: Model, near: Neighbours, random: Random, initial: readonly InitialRoute[]): Beginning {
  const plan = construct(model, near, random, model.missed);
  const best = plan.snapshot();
  if (initial.length > 0) {
    const given = new Plan(model);
    followOrder(given, initialStops(model, initial));
    if (given.cost < best.cost) given.save(best);
    insertAbsent(given, near, random, model.missed);
    if (given.cost < best.cost) given.save(best);
  }
  if (model.optional.includes(1)) {
    const whole = construct(model, near, random, new Float64Array(model.stops).fill(Number.MAX_VALUE));
    if (whole.cost < best.cost) whole.save(best);
    return { plan: whole, best };
  }
  plan.restore(best);
  return { plan, best };
}

/** Solves a prepared problem. */
export function solveModel(model: Model, options: SolveOptions): Solution {
  const startedAt = options.now?.() ?? 0;
  const rules = rulesOf(model, options, startedAt);
  const random = new Random(options.seed ?? 1);
  const near = neighboursOf(model, NEIGHBOURS);
  const { plan, best } = begin(model, near, random, options.initial ?? []);
  const onBetter = (cost: number, iterations: number) => {
    const elapsedMs = (options.now?.() ?? startedAt) - startedAt;
    options.onProgress?.({ cost: cost / model.scale, elapsedMs, iterations });
  };
  onBetter(best.cost, 0);
  const search = new Search({ random, rules, onBetter });
  improve({ plan, best }, near, { search, rounds: roundsOf(options) });
  return reportOf(plan, new Reasons(plan, near, random), search.iterations);
}

/** Rounds of ruin and recreate that the limits are likely to allow. */
function roundsOf({ iterations, timeLimitMs }: SolveOptions): number {
  if (iterations === undefined && timeLimitMs === undefined) return DEFAULT_ITERATIONS;
  return Math.min(iterations ?? Number.POSITIVE_INFINITY, (timeLimitMs ?? Number.POSITIVE_INFINITY) * ROUNDS_PER_MS);
}

/** Improves the plan with the search that suits it. */
function improve(
  { plan, best }: Beginning,
  near: Neighbours,
  { search, rounds }: { search: Search; rounds: number },
): void {
  if (search.used < 1 && improveSingleRoute(plan, near, search)) return;
  if (!breed({ plan, near, search, until: RUIN_SHARE }, rounds, best)) {
    new RuinRecreate(plan, near, search).run(RUIN_SHARE, best);
  }
  plan.restore(best);
  new LocalSearch(plan, near).run(search);
}
