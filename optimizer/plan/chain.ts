/**
 * Routes as linked lists. Guarantees: from the start node of a vehicle, `next` leads over its stops to its end node, `prev` leads back;
 * a start has itself before it, an end itself behind it; `route` is ABSENT for a stop on no route.
 */

import { endOf, type Model, startOf } from '../model.ts';
import type { Legs } from './legs.ts';

/** Route number of a stop that is on no route. */
export const ABSENT = -1;

export interface Chain {
  /** Per node. */
  readonly next: Int32Array;
  readonly prev: Int32Array;
  readonly route: Int32Array;
  /** Per vehicle: number of stops. */
  readonly tasks: Int32Array;
}

export function emptyChain(model: Model): Chain {
  return {
    next: new Int32Array(model.nodes),
    prev: new Int32Array(model.nodes),
    route: new Int32Array(model.nodes).fill(ABSENT),
    tasks: new Int32Array(model.vehicles),
  };
}

/** Joins start and end of a vehicle with nothing between them. */
export function clearRoute(model: Model, chain: Chain, vehicle: number): void {
  const start = startOf(model, vehicle);
  const end = endOf(model, vehicle);
  chain.prev[start] = start;
  chain.next[start] = end;
  chain.prev[end] = start;
  chain.next[end] = end;
  chain.route[start] = vehicle;
  chain.route[end] = vehicle;
  chain.tasks[vehicle] = 0;
}

export function link(chain: Chain, stop: number, after: number): void {
  const before = chain.next[after] ?? 0;
  chain.next[after] = stop;
  chain.prev[stop] = after;
  chain.next[stop] = before;
  chain.prev[before] = stop;
  const vehicle = chain.route[after] ?? 0;
  chain.route[stop] = vehicle;
  chain.tasks[vehicle] = (chain.tasks[vehicle] ?? 0) + 1;
}

export function unlink(chain: Chain, stop: number): void {
  const after = chain.prev[stop] ?? 0;
  const before = chain.next[stop] ?? 0;
  chain.next[after] = before;
  chain.prev[before] = after;
  const vehicle = chain.route[stop] ?? 0;
  chain.route[stop] = ABSENT;
  chain.tasks[vehicle] = (chain.tasks[vehicle] ?? 0) - 1;
}

/** The stops of a route in order, written into `into`; returns how many. */
export function readRoute(model: Model, chain: Chain, vehicle: number, into: Int32Array): number {
  const end = endOf(model, vehicle);
  let node = chain.next[startOf(model, vehicle)] ?? end;
  let length = 0;
  while (node !== end) {
    into[length++] = node;
    node = chain.next[node] ?? end;
  }
  return length;
}

/** Legs of a vehicle's kind. */
export function legsOf(model: Model, vehicle: number): Legs {
  const legs = model.legs[vehicle];
  if (legs === undefined) throw new RangeError(`there is no vehicle ${vehicle}`);
  return legs;
}
