/**
 * One of several workers on a plan, on its own thread; team.ts says what each has to do. Guarantees: every plan handed back keeps all
 * promises; costs count alike in every share, so those of shares may be added up.
 */
import { followOrder } from '../construct.ts';
import { LocalSearch } from '../local-search.ts';
import { type Model, prepare } from '../model.ts';
import { type Part, partOf } from '../plan/part.ts';
import { Plan } from '../plan/plan.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import { evolutionOf, isLongEnough, populate } from '../population/breed.ts';
import type { Evolution } from '../population/evolution.ts';
import { Mixing, routesOf } from '../population/mixing.ts';
import type { Id, Problem } from '../problem.ts';
import { Random } from '../random.ts';
import { parseProblem } from '../reading/parse-problem.ts';
import { Reasons } from '../reasons.ts';
import { reportOf } from '../report.ts';
import { RoutePool } from '../routes/route-pool.ts';
import type { Solution } from '../solution.ts';
import { begin, type InitialRoute, initialStops, NEIGHBOURS, rulesOf, type SolveOptions } from './engine.ts';
import { type Neighbours, neighboursOf } from './neighbours.ts';
import { meanLeg, RuinRecreate } from './ruin-recreate.ts';
import { Search } from './search.ts';

/** A plan by its ids; vehicles without stops are left out. */
export interface Standing {
  readonly routes: readonly InitialRoute[];
  /** As in `SolveProgress`: routes, prizes left, and a very large amount per stop that should be served but is not. */
  readonly cost: number;
}

/** Where a search stands: it goes on from `current`, which may be worse than the best plan it has seen. */
export interface Standings {
  readonly current: Standing;
  readonly best: Standing;
  readonly iterations: number;
}

/** A part of the problem for one worker to improve. */
export interface Share {
  readonly jobs: readonly Id[];
  readonly vehicles: readonly Id[];
  readonly routes: readonly InitialRoute[];
  readonly seed: number;
  /** Which part of the way from hot to cold to go, from 0 to 1. */
  readonly cooling: readonly [number, number];
  /** Cost of a leg that temperatures are shares of. */
  readonly leg: number;
}

export type ShareOptions = Pick<SolveOptions, 'iterations' | 'timeLimitMs' | 'now' | 'cancelled'>;

/** Part of the cooling from which on workers of a whole plan breed. */
const BRED_FROM = 0.6;

function standingOf(model: Model, { order, from, cost }: Snapshot): Standing {
  const { jobs, vehicles } = model.problem;
  const routes = vehicles.flatMap((vehicle, index) => {
    const stops = order.subarray(from[index] ?? 0, from[index + 1] ?? 0);
    return stops.length === 0 ? [] : [{ vehicle: vehicle.id, jobs: Array.from(stops, (stop) => jobs[stop]?.id ?? '') }];
  });
  return { routes, cost: cost / model.scale };
}

/** Keeps the prepared problem, and good routes, from one share to the next. */
export class Member {
  private readonly model: Model;
  private readonly near: Neighbours;
  private readonly pool: RoutePool;
  /** Plans without absent stops met while searching, then the population that goes on from them; where vehicles differ there is none. */
  private readonly met: Int32Array[][] = [];
  private evolution: Evolution | undefined;
  private done = 0;

  /** @throws InvalidProblem when the problem is malformed */
  constructor(problem: Problem) {
    this.model = prepare(parseProblem(problem));
    this.near = neighboursOf(this.model, NEIGHBOURS);
    this.pool = new RoutePool(this.model);
  }

  /** The first plan, and the cost of a mean leg. */
  first(options: { seed?: number; initial?: readonly InitialRoute[] }): Standings & { leg: number } {
    const { model, near } = this;
    const { plan, best } = begin(model, near, new Random(options.seed ?? 1), options.initial ?? []);
    const current = standingOf(model, plan.snapshot());
    return { current, best: standingOf(model, best), iterations: 0, leg: meanLeg(plan) / model.scale };
  }

  /** Improves a share until the first of the limits. */
  improve(share: Share, options: ShareOptions): Standings {
    const { model, near, pool } = this;
    const startedAt = options.now?.() ?? 0;
    const plan = this.follow(share.routes, partOf(model, share.jobs, share.vehicles));
    const isWhole = plan.part.stops.length === model.stops && !plan.part.hasVehicle.includes(0);
    const search = new Search({ random: new Random(share.seed), rules: rulesOf(model, options, startedAt) });
    const best = plan.snapshot();
    const { cooling, leg } = share;
    if (isWhole && cooling[0] >= BRED_FROM && this.breed({ plan, near, search }, this.done / cooling[0], best)) {
      plan.restore(best);
    } else {
      new RuinRecreate(plan, near, search).run(1, best, { cooling, leg: leg * model.scale, pool });
      if (isWhole && plan.absentCount === 0) this.met.push(routesOf(plan));
    }
    this.done += search.iterations;
    const current = standingOf(model, plan.snapshot());
    return { current, best: standingOf(model, best), iterations: search.iterations };
  }

  /**
   * Breeds on from the population so far, into which the plan comes from elsewhere. False where there can be none, or the budget of so
   * many rounds is too small.
   */
  private breed(task: { plan: Plan; near: Neighbours; search: Search }, rounds: number, best: Snapshot): boolean {
    const { plan, near, search } = task;
    if (!isLongEnough(plan, rounds)) return false;
    const known = this.evolution;
    const evolution = known ?? evolutionOf(task, (1 - BRED_FROM) * rounds);
    if (evolution === undefined) return false;
    this.evolution = evolution;
    evolution.follow(search, Mixing.of(plan, near, search, this.pool));
    if (known === undefined) populate({ evolution, plan, search }, this.met, best);
    evolution.add(routesOf(plan), best);
    evolution.run(1, best);
    return true;
  }

  /** The answer for a plan of the whole problem, polished. */
  finish(routes: readonly InitialRoute[], options: ShareOptions & { done?: number }): Solution {
    const { model, near } = this;
    const plan = this.follow(routes);
    const random = new Random(1);
    const search = new Search({ random, rules: rulesOf(model, options, options.now?.() ?? 0) });
    new LocalSearch(plan, near).run(search);
    return reportOf(plan, new Reasons(plan, near, random), options.done ?? 0);
  }

  private follow(routes: readonly InitialRoute[], part?: Part): Plan {
    const plan = new Plan(this.model, part);
    followOrder(plan, initialStops(this.model, routes));
    return plan;
  }
}
