/**
 * Prices what happens to routes of a draft when parts of them change places. Guarantees: a result below 0 is exactly the change of the draft's
 * cost, else it is NO_MOVE. What only needs sums is asked first: few moves ever come to the clock. A question names two parts by
 * `cut`: the stops behind `a` up to `b` and those behind `c` up to `d`; a part without stops has its two nodes equal.
 */
import { Clock } from './clock.ts';
import type { Draft } from './draft.ts';

export const NO_MOVE = Number.POSITIVE_INFINITY;

export class Exchange {
  readonly draft: Draft;
  readonly clock: Clock;
  a = 0;
  b = 0;
  c = 0;
  d = 0;

  constructor(draft: Draft) {
    this.draft = draft;
    this.clock = new Clock(draft);
  }

  cut(a: number, b: number, c: number, d: number): void {
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
  }

  /** `legs` and the prices of the loads when the parts change places, less the present prices of both routes. */
  between(legs: number): number {
    const { draft } = this;
    const { route, price } = draft;
    const own = route[this.a] ?? 0;
    const other = route[this.c] ?? 0;
    let total = legs - (price[own] ?? 0) - (price[other] ?? 0);
    if (total >= 0) return NO_MOVE;
    for (let i = 0; i < draft.alike.dimensions; i++) {
      const load = this.load(this.a, this.b, i) - this.load(this.c, this.d, i);
      total += draft.overload(own, i, -load) + draft.overload(other, i, load);
    }
    return total < 0 ? total : NO_MOVE;
  }

  private load(from: number, to: number, dimension: number): number {
    const { loaded, alike } = this.draft;
    return (loaded[to * alike.dimensions + dimension] ?? 0) - (loaded[from * alike.dimensions + dimension] ?? 0);
  }

  /** `legs` less the present price of being late of the one route whose order changes. */
  within(legs: number): number {
    const { draft } = this;
    const total = legs - (draft.warp[draft.route[this.a] ?? 0] ?? 0) * draft.prices.late;
    return total < 0 ? total : NO_MOVE;
  }

  /** `total` and the price of being late by `warp` seconds. */
  late(total: number, warp: number): number {
    const sum = total + warp * this.draft.prices.late;
    return sum < 0 ? sum : NO_MOVE;
  }
}
