/**
 * Makes better routes of those of many plans: a pool of routes seen while searching, and the cheapest choice of them that serves the stops
 * of some neighbouring routes once each (set partitioning, as in Subramanian, Uchoa & Ochi 2013, but on a part of the plan at a time). Strong
 * where routes are short, since there the same good routes come up in many plans. Guarantees: the plan gets cheaper or stays, and keeps
 * every promise; the effort is a small share of the search's.
 */

import { endOf, startOf } from '../model.ts';
import { ABSENT } from '../plan/chain.ts';
import type { Plan } from '../plan/plan.ts';
import type { RouteChange } from '../plan/snapshot.ts';
import type { Random } from '../random.ts';
import type { Neighbours } from '../search/neighbours.ts';
import { type Columns, columnsOf } from './columns.ts';
import { PartitionBound } from './partition-bound.ts';
import { PartitionSearch } from './partition-search.ts';
import { RoutePool, routeCost } from './route-pool.ts';

/** Longer routes in the mean hardly ever come up again, with windows and without. */
const LONGEST_ROUTE = 25;
const LONGEST_UNTIMED_ROUTE = 12;
/** Stops looked at together. */
const MOST_STOPS = 100;
/** Neighbours of every stop gathered through which the part grows. */
const GROWTH = 5;
/** Plans up to this many times the cost of the best are worth keeping the routes of. */
const MARGIN = 1.01;
/** Steps allowed per round of the search, a tenth of its effort, and at most for the bound of one part. */
const STEPS_PER_ROUND = 1000;
const BOUND_STEPS = 6e6;
/** Steps of the bound that cost as much as one look of the search, and as many as one route of the pool passed over. */
const STEPS_PER_LOOK = 10;
const STEPS_PER_ROUTE = 5;
/** Added for every part, however small: what gathering it costs. */
const STEPS_PER_PART = 100_000;

export class Recombination {
  private readonly plan: Plan;
  private readonly near: Neighbours;
  private readonly random: Random;
  private readonly pool: RoutePool;
  private readonly bound = new PartitionBound(MOST_STOPS);
  /** Per stop: its number in the part, or -1. */
  private readonly number: Int32Array;
  private readonly members: number[] = [];
  private readonly vehicles: number[] = [];
  /** Round from which on there is time for another part. */
  private next = 0;

  private constructor(plan: Plan, near: Neighbours, random: Random, pool: RoutePool) {
    this.plan = plan;
    this.near = near;
    this.random = random;
    this.pool = pool;
    this.number = new Int32Array(plan.model.stops).fill(-1);
  }

  /** Undefined where it would not help: long routes, reloads, a part driven already, stops that may be left out. `pool`: routes known already. */
  static of(plan: Plan, near: Neighbours, random: Random, pool?: RoutePool): Recombination | undefined {
    const { model } = plan;
    const { length } = plan.part.stops;
    if (model.hasReloads || model.optional.includes(1) || length === 0) return undefined;
    if (length > (model.timed ? LONGEST_ROUTE : LONGEST_UNTIMED_ROUTE) * plan.usedCount) return undefined;
    if (model.lockedTo.some((vehicle) => vehicle >= 0)) return undefined;
    return new Recombination(plan, near, random, pool ?? new RoutePool(model));
  }

  /** Keeps the routes changed last, if the plan is about as good as the `best`, in ticks. */
  note(best: number): void {
    const { plan, pool } = this;
    if (plan.cost <= MARGIN * best) plan.eachChanged((vehicle) => pool.add(plan, vehicle));
  }

  /** Keeps a route that any vehicle of the first type can drive. `cost`: in ticks, its fixed price included. */
  noteRoute(stops: Int32Array, cost: number): void {
    this.pool.addStops(0, stops, cost);
  }

  /** Whether enough rounds have gone by since the last part. */
  isDue(rounds: number): boolean {
    return rounds >= this.next;
  }

  /** Improves a part of the plan when it is time for one. Returns whether the plan changed. */
  run(rounds: number): boolean {
    if (!this.isDue(rounds)) return false;
    this.gather();
    const { plan, pool, bound, members, vehicles, number } = this;
    // Twice, since a full pool forgets its older half and numbers what it keeps anew.
    for (const vehicle of vehicles) pool.add(plan, vehicle);
    const own = vehicles.map((vehicle) => pool.add(plan, vehicle));
    const columns = columnsOf(pool, { number, size: members.length, own });
    // What the routes cost now: the pool may know a cheaper order for the same stops.
    const target = vehicles.reduce((sum, vehicle) => sum + routeCost(plan, vehicle), 0);
    const steps = bound.run(columns, own.length, BOUND_STEPS);
    const search = new PartitionSearch(columns, bound, { target, free: this.freeOfTypes() });
    const chosen = search.run();
    const effort = STEPS_PER_PART + steps + STEPS_PER_LOOK * search.looks + STEPS_PER_ROUTE * pool.count;
    this.next = rounds + Math.ceil(effort / STEPS_PER_ROUND);
    for (const stop of members) number[stop] = -1;
    if (chosen !== undefined) this.take(columns, chosen);
    return chosen !== undefined;
  }

  /** Whole routes around a stop drawn at random. */
  private gather(): void {
    const { near, members } = this;
    members.length = 0;
    this.vehicles.length = 0;
    const { stops } = this.plan.part;
    const seed = stops[this.random.below(stops.length)] ?? 0;
    this.gatherRoute(seed);
    this.gatherAround(seed, near.width);
    for (let i = 0; i < members.length; i++) this.gatherAround(members[i] ?? 0, Math.min(GROWTH, near.width));
  }

  private gatherAround(stop: number, width: number): void {
    const { near } = this;
    for (let rank = 0; rank < width; rank++) this.gatherRoute(near.list[stop * near.width + rank] ?? 0);
  }

  private gatherRoute(stop: number): void {
    const { plan, members, number } = this;
    const { chain, model } = plan;
    const vehicle = chain.route[stop] ?? ABSENT;
    if (vehicle === ABSENT || number[stop] !== -1) return;
    if (members.length + (chain.tasks[vehicle] ?? 0) > MOST_STOPS) return;
    this.vehicles.push(vehicle);
    const end = endOf(model, vehicle);
    for (let node = chain.next[startOf(model, vehicle)] ?? end; node !== end; node = chain.next[node] ?? end) {
      number[node] = members.length;
      members.push(node);
    }
  }

  /** Per type: vehicles of the part and those not used. */
  private freeOfTypes(): Int32Array {
    const { plan } = this;
    const { model } = plan;
    const free = new Int32Array(model.types);
    const own = new Set(this.vehicles);
    for (let vehicle = 0; vehicle < model.vehicles; vehicle++) {
      const type = model.type[vehicle] ?? 0;
      if (plan.isEmpty(vehicle) || own.has(vehicle)) free[type] = (free[type] ?? 0) + 1;
    }
    return free;
  }

  /** Gives the chosen routes to the vehicles of the part, then to empty ones. */
  private take({ type, route }: Columns, chosen: readonly number[]): void {
    const { plan, pool } = this;
    const { model } = plan;
    const waiting = [...chosen];
    const changes: RouteChange[] = [];
    const nextFor = (vehicle: number): RouteChange => {
      const at = waiting.findIndex((column) => type[column] === model.type[vehicle]);
      if (at < 0) return { vehicle, stops: [] };
      const [column = 0] = waiting.splice(at, 1);
      const from = route[column] ?? 0;
      return { vehicle, stops: pool.stops.subarray(pool.from[from], pool.from[from + 1]) };
    };
    for (const vehicle of this.vehicles) changes.push(nextFor(vehicle));
    for (let vehicle = 0; vehicle < model.vehicles && waiting.length > 0; vehicle++) {
      if (plan.isEmpty(vehicle)) changes.push(nextFor(vehicle));
    }
    plan.setRoutes(changes);
  }
}
