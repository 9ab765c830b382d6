/**
 * 2-opt* with turning (Vidal 2022): the part of a route up to `u` is joined to that of another up to `v`, turned round, and so are the rests of both.
 * Two rests without stops are left to the exchange of ends.
 */
import { NO_MOVE } from '../exchange.ts';
import { JOIN_TURNED } from '../screen.ts';
import type { DraftMove } from './draft-move.ts';

export const joinTurned: DraftMove = {
  name: 'join turned',
  bit: JOIN_TURNED,
  delta(exchange, u, v) {
    const { draft } = exchange;
    const { next, prev, route, into, alike } = draft;
    const own = route[u] ?? 0;
    const other = route[v] ?? 0;
    if (own === other || v >= alike.stops || !alike.mayTurn) return NO_MOVE;
    const x = next[u] ?? 0;
    const y = next[v] ?? 0;
    if (x >= alike.stops && y >= alike.stops) return NO_MOVE;
    exchange.cut(u, prev[draft.endOf(own)] ?? 0, draft.startOf(other), v);
    return exchange.between(draft.leg(u, v) + draft.leg(x, y) - (into[x] ?? 0) - (into[y] ?? 0));
  },
  make(draft, u, v) {
    const { next, prev, route } = draft;
    const own = draft.endOf(route[u] ?? 0);
    const start = draft.startOf(route[v] ?? 0);
    const x = next[u] ?? 0;
    const y = next[v] ?? 0;
    const first = next[start] ?? 0;
    const last = prev[own] ?? 0;
    draft.turn(first, v);
    if (x !== own) draft.turn(x, last);
    draft.link(u, v);
    draft.link(first, own);
    if (x === own) draft.link(start, y);
    else {
      draft.link(start, last);
      draft.link(x, y);
    }
  },
};
