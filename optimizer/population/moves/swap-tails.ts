/** 2-opt* (Potvin & Rousseau 1995): exchanges the ends of two routes, so that `u` and all behind it follow `v`. */
import { NO_MOVE } from '../exchange.ts';
import { SWAP_TAILS } from '../screen.ts';
import type { DraftMove } from './draft-move.ts';

export const swapTails: DraftMove = {
  name: 'swap tails',
  bit: SWAP_TAILS,
  delta(exchange, u, v) {
    const { draft, clock } = exchange;
    const { next, prev, route, into } = draft;
    if (route[u] === route[v]) return NO_MOVE;
    const before = prev[u] ?? 0;
    const after = next[v] ?? 0;
    const now = (into[u] ?? 0) + (into[after] ?? 0);
    const last = prev[draft.endOf(route[u] ?? 0)] ?? 0;
    const lastOfOther = prev[draft.endOf(route[v] ?? 0)] ?? 0;
    exchange.cut(before, last, v, lastOfOther);
    const total = exchange.between(draft.leg(v, u) + draft.leg(before, after) - now);
    if (total === NO_MOVE || !draft.alike.isTimed) return total;
    return exchange.late(total, clock.begin(before).finish(after) + clock.begin(v).finish(u));
  },
  make(draft, u, v) {
    const { next, prev, route } = draft;
    const before = prev[u] ?? 0;
    const after = next[v] ?? 0;
    const own = draft.endOf(route[u] ?? 0);
    const other = draft.endOf(route[v] ?? 0);
    const [last, lastOfOther] = [prev[own] ?? 0, prev[other] ?? 0];
    draft.link(v, u);
    draft.link(last, other);
    if (after === other) draft.link(before, own);
    else {
      draft.link(before, after);
      draft.link(lastOfOther, own);
    }
  },
};
