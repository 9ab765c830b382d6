/** One plan of the population: its routes, and who stands beside whom. */
import type { Draft } from './draft.ts';

export interface Individual {
  /** Stops per route in use, in order. */
  readonly routes: readonly Int32Array[];
  /** Per stop: the stop before and behind it, -1 for the depot. */
  readonly prev: Int32Array;
  readonly next: Int32Array;
  /** Ticks of the legs; units too much and seconds too late of all routes. */
  readonly driven: number;
  readonly excess: number;
  readonly warp: number;
}

export function isFeasible({ excess, warp }: Individual): boolean {
  return excess === 0 && warp === 0;
}

const sumOf = (values: Int32Array) => values.reduce((sum, value) => sum + value, 0);

export function individualOf(draft: Draft): Individual {
  const { stops } = draft.alike;
  const routes: Int32Array[] = [];
  for (let route = 0; route < draft.routes; route++) {
    const own = new Int32Array(draft.count[route] ?? 0);
    let at = draft.startOf(route);
    for (let i = 0; i < own.length; i++) {
      at = draft.next[at] ?? 0;
      own[i] = at;
    }
    if (own.length > 0) routes.push(own);
  }
  const stopOr = (node: number) => (node < stops ? node : -1);
  return {
    routes,
    prev: draft.prev.subarray(0, stops).map(stopOr),
    next: draft.next.subarray(0, stops).map(stopOr),
    driven: draft.driven,
    excess: sumOf(draft.excess),
    warp: sumOf(draft.warp),
  };
}

/** Share of the stops that another stop follows (broken pairs, Prins 2009); for equal routes driven the other way round as well if that is the same. */
export function distance(one: Individual, other: Individual, isSymmetric: boolean): number {
  const stops = one.next.length;
  let broken = 0;
  for (let stop = 0; stop < stops; stop++) {
    const behind = one.next[stop] ?? -1;
    const before = one.prev[stop] ?? -1;
    const [otherBehind, otherBefore] = [other.next[stop] ?? -1, other.prev[stop] ?? -1];
    if (behind !== otherBehind && (!isSymmetric || behind !== otherBefore)) broken++;
    if (before === -1 && otherBefore !== -1 && (!isSymmetric || otherBehind !== -1)) broken++;
  }
  return broken / Math.max(1, stops);
}
