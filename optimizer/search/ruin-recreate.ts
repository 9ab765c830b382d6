/**
 * Ruin and recreate under simulated annealing: takes strings of stops out, puts them back greedily with blinks, keeps the result when it
 * is not worse than the present plan by more than a random amount that shrinks as the budget is used. Guarantees: the best
 * plan seen is kept; every plan on the way keeps all promises. Method: SISR, Christiaens & Vanden Berghe 2020.
 * Temperatures are shares of the mean leg, not of the first plan, so that dear stops left out do not overheat the search.
 */

import { isReload, startOf } from '../model.ts';
import { Inserter } from '../plan/insertion.ts';
import type { Plan } from '../plan/plan.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import { Recombination } from '../routes/recombination.ts';
import type { RoutePool } from '../routes/route-pool.ts';
import type { Neighbours } from './neighbours.ts';
import { Order } from './order.ts';
import { dropIdleReloads, openTrip } from './reload.ts';
import type { Search } from './search.ts';
import { StringRemoval } from './string-removal.ts';

interface Tuning {
  /** Stops removed in the mean, and in one string at most. */
  removed: number;
  longest: number;
  /** Share of rounds in which stops are put beside any neighbour that is known, not only beside the nearest. */
  wide: number;
  /** Temperatures as shares of the mean leg. */
  hot: number;
  cold: number;
}

export interface Annealing {
  readonly cooling?: readonly [number, number];
  readonly leg?: number;
  /** Called SAMPLES times in the cool part with the plan as it stands. */
  readonly onSample?: () => void;
  /** Routes known from other searches of the same model, to which this one adds. */
  readonly pool?: RoutePool;
}

const SAMPLES = 4;
const SAMPLED_FROM = 0.5;

/** Neighbours tried per insertion. */
const WIDTH = 30;

/** Strings as in the paper. */
const PLAIN_TUNING: Tuning = { removed: 10, longest: 10, wide: 0, hot: 1, cold: 0.03 };
/** With windows whole routes must give way to others, and in clusters the nearest stops all belong to the same one. */
const TIMED_TUNING: Tuning = { ...PLAIN_TUNING, removed: 15, longest: 15, wide: 0.1 };
/** Cooler with optional stops: in the heat whole routes dissolve, and single prizes seldom pay for a new one. */
const COOL = { hot: 0.03, cold: 0.01 };
/** Stops on a route, in the mean, from which on longer strings pay with optional stops as well. */
const LONG = 25;

function tuningOf({ model: { optional, timed }, usedCount, servedCount }: Plan): Tuning {
  if (!optional.includes(1)) return timed ? TIMED_TUNING : PLAIN_TUNING;
  const isLong = timed && servedCount >= LONG * usedCount;
  return { ...(isLong ? TIMED_TUNING : PLAIN_TUNING), ...COOL };
}

/** Legs up to this many mean legs are opened for any insertion worth it. */
const LONG_LEG = 2;

/** Absent stops offered again in a round, beside those just removed. */
const OFFERED = 8;
/**
 * Share of the rounds, with optional stops, in which a route is opened for one stop whatever it costs, and absent stops offered then: single
 * prizes seldom pay for a route that several would.
 */
const GROWN = 0.1;
const OFFERED_ROUTE = 24;

/** Parts of the cooling after which good routes are noted, and after which they are recombined: hotter plans have few. */
const NOTED_FROM = 0.3;
const RECOMBINED_FROM = 0.4;

/** Mean cost of a leg of the routes in ticks, at least a little above 0. */
export function meanLeg(plan: Plan): number {
  const { model, chain } = plan;
  let legs = 0;
  let routes = plan.cost;
  for (let vehicle = 0; vehicle < model.vehicles; vehicle++) {
    const tasks = chain.tasks[vehicle] ?? 0;
    if (tasks === 0) continue;
    legs += tasks + 1;
    routes -= model.fixed[vehicle] ?? 0;
  }
  for (let i = 0; i < plan.absentCount; i++) routes -= model.missed[plan.absent[i] ?? 0] ?? 0;
  return Math.max(0.01, routes / Math.max(1, legs));
}

/**
 * A stop put back first looks dearer than it is, because the others that will share its way are not back yet. So optional stops may
 * cost up to this many times their prize more; whether the round was worth it is judged afterwards.
 */
const GENEROSITY = 2;

export class RuinRecreate {
  private readonly plan: Plan;
  private readonly search: Search;
  private readonly near: Neighbours;
  private readonly tuning: Tuning;
  private readonly inserter: Inserter;
  private readonly removal: StringRemoval;
  private readonly isOptional: boolean;
  private readonly order: Order;
  private readonly offered: Int32Array;
  private readonly offeredIn: Int32Array;
  private round = 0;
  /** Kept from one run to the next with the routes it knows. */
  private recombination: Recombination | undefined;

  constructor(plan: Plan, near: Neighbours, search: Search) {
    const tuning = tuningOf(plan);
    this.plan = plan;
    this.search = search;
    this.near = near;
    this.tuning = tuning;
    this.inserter = new Inserter(plan, near, search.random, WIDTH);
    this.removal = new StringRemoval(plan, near, search.random, tuning);
    this.isOptional = plan.model.optional.includes(1);
    this.order = new Order(plan.model, search.random);
    this.offered = new Int32Array(plan.model.stops);
    this.offeredIn = new Int32Array(plan.model.stops);
  }

  /**
   * Searches from the plan as it is until the share `until` of the budget is used; `best` becomes the best plan seen, the plan itself ends
   * where the search stands. `cooling`: which part of the way from hot to cold this search goes, for one that others continue;
   * `leg`: ticks of a leg that temperatures are shares of.
   */
  run(
    until: number,
    best: Snapshot,
    { cooling = [0, 1], leg = meanLeg(this.plan), onSample, pool }: Annealing = {},
  ): void {
    const { plan, search } = this;
    const { hot, cold } = this.tuning;
    this.inserter.reachTo(LONG_LEG * leg);
    let current = plan.cost;
    this.recombination ??= Recombination.of(plan, this.near, search.random, pool);
    const { recombination } = this;
    const from = search.used;
    let sampled = 0;
    while (search.used < until && search.goOn()) {
      const cooled = cooling[0] + ((cooling[1] - cooling[0]) * (search.used - from)) / (until - from);
      const temperature = leg * hot * (cold / hot) ** cooled;
      const threshold = current - temperature * Math.log(1 - search.random.fraction());
      if (!this.ruinAndRecreate(threshold) || plan.cost >= threshold || !plan.keepsPromises()) {
        plan.rollback();
        continue;
      }
      if (cooled > NOTED_FROM) recombination?.note(best.cost);
      plan.forget();
      if (cooled > RECOMBINED_FROM && recombination?.run(search.iterations)) plan.forget();
      current = plan.cost;
      if (cooled > SAMPLED_FROM + (sampled * (1 - SAMPLED_FROM)) / SAMPLES) {
        sampled++;
        onSample?.();
      }
      if (current >= best.cost) continue;
      plan.save(best);
      search.better(current);
    }
  }

  /**
   * False, with stops still absent, as soon as the plan costs `limit` or more without them: where no way around is shorter than
   * the way, putting them back makes it no cheaper. What a visit to reload costs may be saved at the end.
   */
  private ruinAndRecreate(limit: number): boolean {
    const { plan } = this;
    const { model } = plan;
    const alreadyAbsent = plan.absentCount;
    const { wide } = this.tuning;
    if (wide > 0) this.inserter.look(this.search.random.fraction() < wide ? this.near.width : WIDTH);
    const seed = this.removal.run();
    const grows = this.isOptional && alreadyAbsent > 0 && this.search.random.fraction() < GROWN;
    const count = this.gather(seed, alreadyAbsent, grows ? OFFERED_ROUTE : OFFERED);
    if (grows) this.openRoute(seed);
    this.order.sort(this.offered, count);
    const generosity = 1 + GENEROSITY * this.search.random.fraction();
    const most = model.hasReloads ? Number.POSITIVE_INFINITY : limit;
    let left = this.missedOf(count);
    for (let i = 0; i < count; i++) {
      const stop = this.offered[i] ?? 0;
      if (!plan.isAbsent(stop)) continue;
      const missed = model.missed[stop] ?? 0;
      const worth = missed * (model.optional[stop] === 1 ? generosity : 1);
      if (this.inserter.find(stop, worth, most - (plan.cost - left))) plan.insert(stop, this.inserter.after);
      else if (model.hasReloads) openTrip(plan, stop, worth);
      left -= missed;
      if (plan.cost - left >= most) return false;
    }
    dropIdleReloads(plan);
    return true;
  }

  /** What the absent ones among the first stops offered cost as long as they are absent. */
  private missedOf(count: number): number {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const stop = this.offered[i] ?? 0;
      if (this.plan.isAbsent(stop)) sum += this.plan.model.missed[stop] ?? 0;
    }
    return sum;
  }

  private openRoute(stop: number): void {
    const { plan } = this;
    if (!plan.isAbsent(stop) || isReload(plan.model, stop)) return;
    for (let type = 0; type < plan.model.types; type++) {
      const vehicle = plan.emptyVehicle(type);
      const start = startOf(plan.model, vehicle);
      if (vehicle < 0 || !plan.canInsert(stop, start)) continue;
      plan.insert(stop, start);
      return;
    }
  }

  /** Lists the stops just removed and some of those absent before: the nearest to the seed, and random ones. */
  private gather(seed: number, alreadyAbsent: number, offers: number): number {
    const { plan, near, offered } = this;
    this.round++;
    let count = 0;
    for (let i = alreadyAbsent; i < plan.absentCount; i++) count = this.offer(plan.absent[i] ?? 0, count);
    if (alreadyAbsent === 0) return count;
    const limit = Math.min(count + offers, offered.length);
    if (plan.isAbsent(seed)) count = this.offer(seed, count);
    for (let rank = 0; rank < near.width && count < limit; rank++) {
      const stop = near.list[seed * near.width + rank] ?? 0;
      if (plan.isAbsent(stop)) count = this.offer(stop, count);
    }
    for (let i = 0; i < 2; i++) count = this.offer(plan.absent[this.search.random.below(alreadyAbsent)] ?? 0, count);
    return count;
  }

  private offer(stop: number, count: number): number {
    if (this.offeredIn[stop] === this.round || isReload(this.plan.model, stop)) return count;
    this.offeredIn[stop] = this.round;
    this.offered[count] = stop;
    return count + 1;
  }
}
