/**
 * What a move of the local search is. A move changes one or two routes around two nodes: `u`, a stop that is to change, and `v`, the node it
 * is to stand behind (a stop, or the start of a route). Guarantees asked of every move: `delta` is exactly the change of the routes' cost in
 * ticks, or +Infinity when the move makes no sense there; it says nothing about windows or loads, which are checked on `routes`.
 */

import { endOf, type Model, startOf } from '../model.ts';
import { legsOf } from '../plan/chain.ts';
import type { Plan } from '../plan/plan.ts';
import type { RouteChange } from '../plan/snapshot.ts';

export interface Move {
  readonly name: string;
  /** Ticks the move adds to the routes. */
  delta(plan: Plan, u: number, v: number): number;
  /** The routes after the move. Only asked when `delta` is finite. */
  routes(plan: Plan, u: number, v: number): RouteChange[];
}

export const NO_MOVE = Number.POSITIVE_INFINITY;

/** Whether a node is a stop that may be moved. */
export function isFree(model: Model, node: number): boolean {
  return node < model.stops && (model.lockedTo[node] ?? -1) < 0;
}

/** Whether something may be put behind a node. */
export function isOpenBehind(plan: Plan, node: number): boolean {
  const behind = plan.chain.next[node] ?? 0;
  return behind >= plan.model.stops || isFree(plan.model, behind);
}

/** Ticks of a leg driven by a vehicle. */
export function ticks(model: Model, vehicle: number, from: number, to: number): number {
  return legsOf(model, vehicle).cost[(model.place[from] ?? 0) * model.places + (model.place[to] ?? 0)] ?? 0;
}

/** Ticks of driving from node to node along a list. */
export function ticksAlong(model: Model, vehicle: number, nodes: readonly number[]): number {
  let sum = 0;
  for (let i = 1; i < nodes.length; i++) sum += ticks(model, vehicle, nodes[i - 1] ?? 0, nodes[i] ?? 0);
  return sum;
}

/** Ticks of a whole route, 0 when it is empty. */
export function routeTicks(model: Model, vehicle: number, stops: readonly number[]): number {
  if (stops.length === 0) return 0;
  const nodes = [startOf(model, vehicle), ...stops, endOf(model, vehicle)];
  return (model.fixed[vehicle] ?? 0) + ticksAlong(model, vehicle, nodes);
}

/** Ticks saved by taking the stops `first`..`last` off their route. */
export function removalGain(plan: Plan, first: number, last: number, count: number): number {
  const { model, chain } = plan;
  const vehicle = chain.route[first] ?? 0;
  const before = chain.prev[first] ?? 0;
  const behind = chain.next[last] ?? 0;
  const ends = ticks(model, vehicle, before, first) + ticks(model, vehicle, last, behind);
  if (chain.tasks[vehicle] === count) return ends + (model.fixed[vehicle] ?? 0);
  return ends - ticks(model, vehicle, before, behind);
}

/** Ticks added by putting a chain of stops with these ends behind `v`. */
export function insertionTicks(plan: Plan, first: number, last: number, v: number): number {
  const { model, chain } = plan;
  const vehicle = chain.route[v] ?? 0;
  const behind = chain.next[v] ?? 0;
  const ends = ticks(model, vehicle, v, first) + ticks(model, vehicle, last, behind);
  if (chain.tasks[vehicle] === 0) return ends + (model.fixed[vehicle] ?? 0);
  return ends - ticks(model, vehicle, v, behind);
}

/** A route without some stops, and with others put behind `v`. */
export function rebuilt(
  plan: Plan,
  vehicle: number,
  without: readonly number[],
  put?: { v: number; stops: readonly number[] },
) {
  const stops: number[] = put !== undefined && put.v >= plan.model.stops ? [...put.stops] : [];
  for (const stop of plan.stopsOf(vehicle)) {
    if (!without.includes(stop)) stops.push(stop);
    if (stop === put?.v) stops.push(...put.stops);
  }
  return { vehicle, stops };
}
