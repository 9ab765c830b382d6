/** 2-opt (Croes 1958): turns round what stands between `u` and `v` in one route, and the later of them, so that they meet. */
import type { Draft } from '../draft.ts';
import { NO_MOVE } from '../exchange.ts';
import { TWO_OPT } from '../screen.ts';
import type { DraftMove } from './draft-move.ts';

/** The earlier of two nodes of a route. */
function earlier({ position }: Draft, u: number, v: number): number {
  return (position[u] ?? 0) < (position[v] ?? 0) ? u : v;
}

/** Ticks that turning the stops behind `a` up to `b` adds to the legs between them. */
function turnedInside(draft: Draft, a: number, b: number): number {
  if (draft.alike.isSymmetric) return 0;
  let sum = 0;
  for (let at = draft.next[a] ?? 0; at !== b; at = draft.next[at] ?? b) {
    const following = draft.next[at] ?? b;
    sum += draft.leg(following, at) - draft.leg(at, following);
  }
  return sum;
}

export const twoOpt: DraftMove = {
  name: 'two-opt',
  bit: TWO_OPT,
  delta(exchange, u, v) {
    const { draft, clock } = exchange;
    const { next, route } = draft;
    if (route[u] !== route[v] || u === v) return NO_MOVE;
    const a = earlier(draft, u, v);
    const b = a === u ? v : u;
    const first = next[a] ?? 0;
    const behind = next[b] ?? 0;
    if (first === b) return NO_MOVE;
    const ends = draft.leg(a, b) + draft.leg(first, behind) - draft.leg(a, first) - draft.leg(b, behind);
    exchange.cut(a, b, a, a);
    const total = exchange.within(ends + turnedInside(draft, a, b));
    if (total === NO_MOVE || !draft.alike.isTimed) return total;
    return exchange.late(total, clock.begin(a).back(a, b).finish(behind));
  },
  make(draft, u, v) {
    const a = earlier(draft, u, v);
    draft.turn(draft.next[a] ?? 0, a === u ? v : u);
  },
};
