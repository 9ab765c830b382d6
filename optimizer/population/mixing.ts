/**
 * Lets the routes of all children come together: those that keep their promises are pooled, and parts of the best plan are put together anew
 * from them (set partitioning). A child takes routes of two parents, such a plan of any number. Guarantees: the best plan gets cheaper
 * or stays, and keeps every promise; the effort is a small share of the search's.
 */
import type { Plan } from '../plan/plan.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import { Recombination } from '../routes/recombination.ts';
import type { RoutePool } from '../routes/route-pool.ts';
import type { Neighbours } from '../search/neighbours.ts';
import type { Search } from '../search/search.ts';
import type { Draft } from './draft.ts';
import type { Individual } from './individual.ts';

/** The routes of a plan as a population takes them. */
export const routesOf = (plan: Plan): Int32Array[] =>
  Array.from(plan.used.subarray(0, plan.usedCount), (vehicle) => plan.stopsOf(vehicle));

export class Mixing {
  private readonly plan: Plan;
  private readonly search: Search;
  private readonly recombination: Recombination;

  private constructor(plan: Plan, search: Search, recombination: Recombination) {
    this.plan = plan;
    this.search = search;
    this.recombination = recombination;
  }

  /** Undefined where routes are too long to come up again. `pool`: routes known already; vehicles are all alike. */
  static of(plan: Plan, near: Neighbours, search: Search, pool: RoutePool): Mixing | undefined {
    const recombination = Recombination.of(plan, near, search.random, pool);
    return recombination && new Mixing(plan, search, recombination);
  }

  /** Pools the routes of a plan taught that keep their promises, whatever the others do. */
  note({ routes, count, excess, warp, legs }: Draft, child: Individual): void {
    let at = 0;
    for (let route = 0; route < routes; route++) {
      if (count[route] === 0) continue;
      const stops = child.routes[at++];
      if (stops === undefined || (excess[route] ?? 0) > 0 || (warp[route] ?? 0) > 0) continue;
      this.recombination.noteRoute(stops, legs[route] ?? 0);
    }
  }

  /** Improves a part of the best plan, unless it is too early for the next. Returns the routes of the plan that came of it, if that is better. */
  run(best: Snapshot): Int32Array[] | undefined {
    const { plan, search, recombination } = this;
    if (!recombination.isDue(search.iterations)) return undefined;
    plan.restore(best);
    if (!recombination.run(search.iterations)) return undefined;
    plan.forget();
    plan.save(best);
    search.better(best.cost);
    return routesOf(plan);
  }
}
