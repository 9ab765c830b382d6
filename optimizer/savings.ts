/**
 * Routes by savings for vehicles that are all alike and limited by load alone. Guarantees routes within the capacity, each stop at most once;
 * an empty list when the problem is of another kind. Method: Clarke & Wright 1964, parallel version, over neighbour pairs only;
 * ends of routes are joined while the best saving is positive.
 */
import type { Model } from './model.ts';
import type { Neighbours } from './neighbours.ts';

function isSuited(model: Model): boolean {
  if (model.timed || model.dimensions === 0 || model.mixedLoad || model.types !== 1) return false;
  if (model.allowed.includes(0) || model.optional.includes(1)) return false;
  const limits = [...model.maxSeconds, ...model.maxMetres].some((limit) => limit < Number.POSITIVE_INFINITY);
  return !limits && !model.lockedTo.some((vehicle) => vehicle >= 0);
}

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
    const b = near.list[i] ?? 0;
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

/** Stops per route, in order. */
export function savingsRoutes(model: Model, near: Neighbours): number[][] {
  if (!isSuited(model)) return [];
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
  const pairs = savingPairs(model, near);
  for (const i of pairs.order) {
    const a = pairs.from[i] ?? 0;
    const b = pairs.to[i] ?? 0;
    if (next[a] !== -1 || prev[b] !== -1) continue;
    const first = find(a);
    const second = find(b);
    if (first === second || !fits(first, second)) continue;
    next[a] = b;
    prev[b] = a;
    owner[second] = first;
    for (let d = 0; d < dimensions; d++) {
      load[first * dimensions + d] = (load[first * dimensions + d] ?? 0) + (load[second * dimensions + d] ?? 0);
    }
  }
  return longestFirst(next, prev, model);
}

/** Reads the joined stops as routes; a lone stop too heavy for any vehicle is left to the insertion, which will refuse it. */
function longestFirst(next: Int32Array, prev: Int32Array, model: Model): number[][] {
  const routes: number[][] = [];
  for (let stop = 0; stop < next.length; stop++) {
    if (prev[stop] !== -1) continue;
    const route: number[] = [];
    for (let at = stop; at !== -1; at = next[at] ?? -1) route.push(at);
    const isTooHeavy = route.length === 1 && exceeds(model, stop);
    if (!isTooHeavy) routes.push(route);
  }
  return routes.sort((a, b) => b.length - a.length);
}

function exceeds(model: Model, stop: number): boolean {
  for (let d = 0; d < model.dimensions; d++) {
    const at = stop * model.dimensions + d;
    if ((model.delivery[at] ?? 0) + (model.pickup[at] ?? 0) > (model.capacity[d] ?? 0)) return true;
  }
  return false;
}
