/**
 * Routes by savings for vehicles that are all alike. Guarantees each stop once and that joined stops keep the capacity and all windows;
 * other limits are for the caller to check. An empty list when the problem is of another kind. Method: Clarke & Wright 1964, parallel version, over neighbour pairs only; ends of
 * routes are joined while the best saving is positive, with windows as in Solomon 1987 and no long waits.
 */
import { NO_WAY } from '../cost.ts';
import { endOf, type Model, startOf } from '../model.ts';
import { beginService, latestArrival, shiftStart } from '../plan/schedule.ts';
import { hasAlikeVehicles } from '../population/alike.ts';
import type { Neighbours } from './neighbours.ts';

/** Routes are joined when the wait between them is at most this share of the shift: waits fill the day that other stops need. */
const WAITING_SHARE = 0.1;

interface Pairs {
  order: Int32Array;
  from: Int32Array;
  to: Int32Array;
}

/** Pairs of neighbours with a positive saving, the largest first. */
function savingPairs(model: Model, near: Neighbours): Pairs {
  const { stops, place, places } = model;
  const cost = model.legs[0]?.cost ?? new Int32Array(0);
  const start = place[stops] ?? 0;
  const end = place[stops + model.vehicles] ?? 0;
  const size = stops * near.width;
  const from = new Int32Array(size);
  const to = new Int32Array(size);
  const keys = new Float64Array(size);
  const slot = 2 ** Math.ceil(Math.log2(size + 1));
  let count = 0;
  for (let i = 0; i < size; i++) {
    const a = Math.floor(i / near.width);
    const b = near.behind[i] ?? 0;
    const here = place[a] ?? 0;
    const there = place[b] ?? 0;
    const apart = (cost[here * places + end] ?? 0) + (cost[start * places + there] ?? 0);
    const saving = apart - (cost[here * places + there] ?? 0);
    if (saving <= 0) continue;
    from[count] = a;
    to[count] = b;
    keys[count] = -saving * slot + count;
    count++;
  }
  const sorted = keys.subarray(0, count).sort();
  return { order: Int32Array.from(sorted, (key) => ((key % slot) + slot) % slot), from, to };
}

/** Earliest begins and latest arrivals of stops on routes that grow. Says yes to everything where nothing can be late. */
class RouteTimes {
  private readonly model: Model;
  private readonly next: Int32Array;
  private readonly prev: Int32Array;
  private readonly begin: Int32Array;
  private readonly latest: Int32Array;
  private readonly patience: number;

  constructor(model: Model, next: Int32Array, prev: Int32Array) {
    this.model = model;
    this.next = next;
    this.prev = prev;
    this.begin = new Int32Array(model.stops);
    this.latest = new Int32Array(model.stops);
    this.patience = WAITING_SHARE * (latestArrival(model, endOf(model, 0), NO_WAY - 1) - shiftStart(model, 0));
    for (let stop = 0; stop < model.stops; stop++) {
      this.begin[stop] = this.beginBehind(startOf(model, 0), stop);
      this.latest[stop] = this.latestBefore(endOf(model, 0), stop);
    }
  }

  private step(from: number, to: number): number {
    const { model } = this;
    const seconds = model.legs[0]?.seconds[(model.place[from] ?? 0) * model.places + (model.place[to] ?? 0)] ?? NO_WAY;
    return (model.service[from] ?? 0) + seconds;
  }

  private beginBehind(from: number, to: number): number {
    const { model } = this;
    const ready = from < model.stops ? (this.begin[from] ?? 0) : shiftStart(model, 0);
    return beginService(model, to, ready + this.step(from, to));
  }

  private latestBefore(to: number, from: number): number {
    const { model } = this;
    const limit = to < model.stops ? (this.latest[to] ?? 0) : latestArrival(model, to, NO_WAY - 1);
    return latestArrival(model, from, limit - this.step(from, to));
  }

  /** Whether the route that begins with `b` may follow the one that ends with `a`, without a long wait between them. */
  follow(a: number, b: number): boolean {
    if (!this.model.timed) return true;
    const begin = this.beginBehind(a, b);
    return begin <= (this.latest[b] ?? 0) && begin - (this.begin[a] ?? 0) - this.step(a, b) <= this.patience;
  }

  joined(a: number, b: number): void {
    if (!this.model.timed) return;
    const { next, prev } = this;
    for (let from = a, to = b; to !== -1; from = to, to = next[to] ?? -1) this.begin[to] = this.beginBehind(from, to);
    for (let from = a, to = b; from !== -1; to = from, from = prev[from] ?? -1) {
      this.latest[from] = this.latestBefore(to, from);
    }
  }
}

/** Stops per route, in order. */
export function savingsRoutes(model: Model, near: Neighbours): number[][] {
  if (!hasAlikeVehicles(model)) return [];
  const { stops, dimensions, capacity } = model;
  const next = new Int32Array(stops).fill(-1);
  const prev = new Int32Array(stops).fill(-1);
  const owner = Int32Array.from({ length: stops }, (_, stop) => stop);
  const load = Int32Array.from(model.delivery, (amount, i) => amount + (model.pickup[i] ?? 0));
  const find = (stop: number) => {
    let at = stop;
    while (owner[at] !== at) {
      owner[at] = owner[owner[at] ?? 0] ?? 0;
      at = owner[at] ?? 0;
    }
    return at;
  };
  const fits = (a: number, b: number) => {
    for (let d = 0; d < dimensions; d++) {
      if ((load[a * dimensions + d] ?? 0) + (load[b * dimensions + d] ?? 0) > (capacity[d] ?? 0)) return false;
    }
    return true;
  };
  const times = new RouteTimes(model, next, prev);
  const pairs = savingPairs(model, near);
  for (const i of pairs.order) {
    const a = pairs.from[i] ?? 0;
    const b = pairs.to[i] ?? 0;
    if (next[a] !== -1 || prev[b] !== -1) continue;
    const first = find(a);
    const second = find(b);
    if (first === second || !fits(first, second) || !times.follow(a, b)) continue;
    next[a] = b;
    prev[b] = a;
    owner[second] = first;
    times.joined(a, b);
    for (let d = 0; d < dimensions; d++) {
      load[first * dimensions + d] = (load[first * dimensions + d] ?? 0) + (load[second * dimensions + d] ?? 0);
    }
  }
  return longestFirst(next, prev);
}

/** Reads the joined stops as routes. */
function longestFirst(next: Int32Array, prev: Int32Array): number[][] {
  const routes: number[][] = [];
  for (let stop = 0; stop < next.length; stop++) {
    if (prev[stop] !== -1) continue;
    const route: number[] = [];
    for (let at = stop; at !== -1; at = next[at] ?? -1) route.push(at);
    routes.push(route);
  }
  return routes.sort((a, b) => b.length - a.length);
}
