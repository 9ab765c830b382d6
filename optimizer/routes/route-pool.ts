/**
 * Good routes seen on the way, each set of stops once, in the cheapest order seen. Guarantees: a route kept was part of a plan that kept
 * every promise, so any vehicle of the same type can drive it; when full, the older half is forgotten. Sets of stops are told apart by 64 random
 * bits per stop, joined by exclusive or (Zobrist 1970).
 */
import { endOf, type Model, startOf } from '../model.ts';
import type { Plan } from '../plan/plan.ts';
import { Random } from '../random.ts';

const MOST_ROUTES = 2 ** 16;
const ROUTES_PER_STOP = 256;
const KEYS_SEED = 0x5eed;

/** Ticks of the route a vehicle drives now, its fixed price included. */
export function routeCost({ model, chain, legInto }: Plan, vehicle: number): number {
  const end = endOf(model, vehicle);
  let cost = (model.fixed[vehicle] ?? 0) + (legInto[end] ?? 0);
  let node = startOf(model, vehicle);
  for (let left = chain.tasks[vehicle] ?? 0; left > 0; left--) {
    node = chain.next[node] ?? end;
    cost += legInto[node] ?? 0;
  }
  return cost;
}

export class RoutePool {
  count = 0;
  /** Per route: ticks, type of vehicle, where its stops begin in `stops` (one entry more than routes). */
  readonly cost: Float64Array;
  readonly type: Int32Array;
  readonly from: Int32Array;
  stops = new Int32Array(2 ** 10);
  private readonly model: Model;
  private readonly keys: Int32Array;
  private readonly most: number;
  private readonly first: Int32Array;
  private readonly second: Int32Array;
  /** At most half full, so that a free slot is near. */
  private readonly slots: Int32Array;

  constructor(model: Model) {
    const random = new Random(KEYS_SEED);
    const most = Math.min(MOST_ROUTES, 2 ** Math.ceil(Math.log2(ROUTES_PER_STOP * model.stops)));
    this.model = model;
    this.most = most;
    this.cost = new Float64Array(most);
    this.type = new Int32Array(most);
    this.from = new Int32Array(most + 1);
    this.first = new Int32Array(most);
    this.second = new Int32Array(most);
    this.slots = new Int32Array(2 * most);
    this.keys = Int32Array.from({ length: 2 * (model.stops + model.types) }, () => random.bits());
  }

  /** Keeps the route a vehicle drives now; returns its number, good until the next is added. */
  add(plan: Plan, vehicle: number): number {
    return this.addStops(this.model.type[vehicle] ?? 0, plan.stopsOf(vehicle), routeCost(plan, vehicle));
  }

  /** Keeps a route of stops that a vehicle of a type can drive, fixed price included in its `cost`; returns its number as well. */
  addStops(type: number, stops: Int32Array, cost: number): number {
    const { model, keys } = this;
    let first = keys[2 * (model.stops + type)] ?? 0;
    let second = keys[2 * (model.stops + type) + 1] ?? 0;
    for (let i = 0; i < stops.length; i++) {
      const stop = stops[i] ?? 0;
      first ^= keys[2 * stop] ?? 0;
      second ^= keys[2 * stop + 1] ?? 0;
    }
    let slot = this.slotOf(first, second);
    let route = (this.slots[slot] ?? 0) - 1;
    if (route >= 0 && (this.cost[route] ?? 0) <= cost) return route;
    if (route < 0) {
      if (this.count === this.most) {
        this.forgetOlder();
        slot = this.slotOf(first, second);
      }
      route = this.count++;
      this.slots[slot] = route + 1;
      this.first[route] = first;
      this.second[route] = second;
      this.type[route] = type;
      this.from[route + 1] = (this.from[route] ?? 0) + stops.length;
    }
    this.cost[route] = cost;
    this.write(stops, route);
    return route;
  }

  private write(stops: Int32Array, route: number): void {
    const last = this.from[route + 1] ?? 0;
    if (last > this.stops.length) {
      const longer = new Int32Array(2 * last);
      longer.set(this.stops);
      this.stops = longer;
    }
    this.stops.set(stops, this.from[route] ?? 0);
  }

  private slotOf(first: number, second: number): number {
    const { slots } = this;
    const last = slots.length - 1;
    for (let slot = first & last; ; slot = (slot + 1) & last) {
      const route = (slots[slot] ?? 0) - 1;
      if (route < 0 || (this.first[route] === first && this.second[route] === second)) return slot;
    }
  }

  private forgetOlder(): void {
    const half = this.count >> 1;
    const gone = this.from[half] ?? 0;
    for (const kept of [this.cost, this.type, this.first, this.second]) kept.copyWithin(0, half, this.count);
    this.stops.copyWithin(0, gone, this.from[this.count] ?? 0);
    for (let route = half; route <= this.count; route++) this.from[route - half] = (this.from[route] ?? 0) - gone;
    this.count -= half;
    this.slots.fill(0);
    for (let route = 0; route < this.count; route++) {
      this.slots[this.slotOf(this.first[route] ?? 0, this.second[route] ?? 0)] = route + 1;
    }
  }
}
