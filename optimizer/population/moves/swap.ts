/** Swap: exchanges a chain of stops that begins with `u` for one that begins with `v`, in the same or another route. */
import type { Draft } from '../draft.ts';
import { type Exchange, NO_MOVE } from '../exchange.ts';
import { type DraftMove, lastOf } from './draft-move.ts';

function legsOf({ draft, a, b, c, d }: Exchange): number {
  const { next, into } = draft;
  const u = next[a] ?? 0;
  const x = next[b] ?? 0;
  const v = next[c] ?? 0;
  const y = next[d] ?? 0;
  const now = (into[u] ?? 0) + (into[x] ?? 0) + (into[v] ?? 0) + (into[y] ?? 0);
  return draft.leg(a, v) + draft.leg(d, x) + draft.leg(c, u) + draft.leg(b, y) - now;
}

/** Late seconds of the one route, in which the part from `a` on comes first. */
function warpWithin({ draft, clock, a, b, c, d }: Exchange): number {
  return clock
    .begin(a)
    .along(c, d)
    .along(b, c)
    .along(a, b)
    .finish(draft.next[d] ?? 0);
}

function warpBetween({ draft, clock, a, b, c, d }: Exchange): number {
  const own = clock
    .begin(a)
    .along(c, d)
    .finish(draft.next[b] ?? 0);
  return (
    own +
    clock
      .begin(c)
      .along(a, b)
      .finish(draft.next[d] ?? 0)
  );
}

/** Puts the part that comes first in its route first. False when the parts are of one route and no stop lies between them. */
function sortParts(exchange: Exchange): boolean {
  const { position, route } = exchange.draft;
  const { a, b, c, d } = exchange;
  if (route[a] !== route[c]) return true;
  if ((position[a] ?? 0) > (position[c] ?? 0)) exchange.cut(c, d, a, b);
  return (position[exchange.c] ?? 0) > (position[exchange.b] ?? 0);
}

function exchangeChains(draft: Draft, [u, b]: readonly [number, number], [v, d]: readonly [number, number]): void {
  const { next, prev } = draft;
  const [a, c, x, y] = [prev[u] ?? 0, prev[v] ?? 0, next[b] ?? 0, next[d] ?? 0];
  draft.link(a, v);
  draft.link(d, x);
  draft.link(c, u);
  draft.link(b, y);
}

export function swap(ofU: number, ofV: number, bit: number): DraftMove {
  return {
    name: `swap ${ofU} with ${ofV}`,
    bit,
    delta(exchange, u, v) {
      const { draft } = exchange;
      if (v >= draft.alike.stops) return NO_MOVE;
      const b = lastOf(draft, u, ofU);
      const d = lastOf(draft, v, ofV);
      if (b < 0 || d < 0) return NO_MOVE;
      exchange.cut(draft.prev[u] ?? 0, b, draft.prev[v] ?? 0, d);
      if (!sortParts(exchange)) return NO_MOVE;
      const legs = legsOf(exchange);
      const isWithin = draft.route[u] === draft.route[v];
      const total = isWithin ? exchange.within(legs) : exchange.between(legs);
      if (total === NO_MOVE || !draft.alike.isTimed) return total;
      return exchange.late(total, isWithin ? warpWithin(exchange) : warpBetween(exchange));
    },
    make(draft, u, v) {
      exchangeChains(draft, [u, lastOf(draft, u, ofU)], [v, lastOf(draft, v, ofV)]);
    },
  };
}
