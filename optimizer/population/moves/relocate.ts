/** Relocate: moves a chain of one or two stops that begins with `u` behind `v`, turned round if wished (Or-opt, Or 1976). */
import { type Exchange, NO_MOVE } from '../exchange.ts';
import { type DraftMove, isAmong, lastOf } from './draft-move.ts';

export function relocate(count: number, isTurned: boolean, bit: number): DraftMove {
  const legsOf = ({ draft, a, b, c }: Exchange, u: number) => {
    const behind = draft.next[b] ?? 0;
    const after = draft.next[c] ?? 0;
    const { into } = draft;
    const left = draft.leg(a, behind) - (into[u] ?? 0) - (into[behind] ?? 0) - (into[after] ?? 0);
    if (!isTurned) return left + draft.leg(c, u) + draft.leg(b, after);
    return left + draft.leg(c, b) + draft.leg(u, after) + draft.leg(b, u) - draft.leg(u, b);
  };

  /** Adds the chain to what the clock has seen. */
  const pass = ({ clock, a, b }: Exchange) => (isTurned ? clock.back(a, b) : clock.along(a, b));

  const warpWithin = (exchange: Exchange) => {
    const { draft, clock, a, b, c } = exchange;
    const { next, position } = draft;
    if ((position[c] ?? 0) > (position[b] ?? 0)) {
      clock.begin(a).along(b, c);
      return pass(exchange).finish(next[c] ?? 0);
    }
    clock.begin(c);
    return pass(exchange)
      .along(c, a)
      .finish(next[b] ?? 0);
  };

  const warpBetween = (exchange: Exchange) => {
    const { draft, clock, a, b, c } = exchange;
    const left = clock.begin(a).finish(draft.next[b] ?? 0);
    clock.begin(c);
    return left + pass(exchange).finish(draft.next[c] ?? 0);
  };

  return {
    name: `relocate ${count}${isTurned ? ' turned' : ''}`,
    bit,
    delta(exchange, u, v) {
      const { draft } = exchange;
      const last = lastOf(draft, u, count);
      const before = draft.prev[u] ?? 0;
      if (last < 0 || v === before || isAmong(draft, v, u, last)) return NO_MOVE;
      exchange.cut(before, last, v, v);
      const legs = legsOf(exchange, u);
      const isWithin = draft.route[u] === draft.route[v];
      const total = isWithin ? exchange.within(legs) : exchange.between(legs);
      if (total === NO_MOVE || !draft.alike.isTimed) return total;
      return exchange.late(total, isWithin ? warpWithin(exchange) : warpBetween(exchange));
    },
    make(draft, u, v) {
      const last = lastOf(draft, u, count);
      draft.move(u, last, v);
      if (isTurned) draft.turn(u, last);
    },
  };
}
