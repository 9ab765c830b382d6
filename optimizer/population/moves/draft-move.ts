/**
 * What a move on a draft is. A move changes one or two routes around two nodes: `u`, a stop, and `v`, the node it is to stand behind or to be
 * exchanged with (a stop, or the start of a route). Guarantees asked of every move: a `delta` below 0 is exactly the change of the draft's
 * cost, prices included; a move that would not make it cheaper may say NO_MOVE instead.
 */
import type { Draft } from '../draft.ts';
import type { Exchange } from '../exchange.ts';

export interface DraftMove {
  readonly name: string;
  /** Its own in what `Screen.worth` answers: without it the move is never asked. */
  readonly bit: number;
  /** Ticks the move adds to the draft. */
  delta(exchange: Exchange, u: number, v: number): number;
  /** Changes the links; the routes of both nodes are to be refreshed afterwards. */
  make(draft: Draft, u: number, v: number): void;
}

/** The last of `count` stops from `first` on, or -1 when there are fewer. */
export function lastOf({ next, alike }: Draft, first: number, count: number): number {
  let last = first;
  for (let i = 1; i < count && last < alike.stops; i++) last = next[last] ?? 0;
  return last < alike.stops ? last : -1;
}

/** Whether a node is one of the stops `first`..`last`, at most a few. */
export function isAmong({ next }: Draft, node: number, first: number, last: number): boolean {
  let at = first;
  while (at !== last && at !== node) at = next[at] ?? last;
  return at === node;
}
