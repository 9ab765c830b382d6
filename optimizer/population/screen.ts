/**
 * Tells which moves around two nodes could make a draft cheaper, from the legs alone: of many that are asked for, few are worth pricing. Guarantees:
 * a move that is left out would not lower the cost; one that is let through may still not.
 */
import type { Draft } from './draft.ts';

/** One bit per kind of move. */
export const RELOCATE = 1;
export const RELOCATE_TWO = 2;
export const RELOCATE_TURNED = 4;
export const SWAP = 8;
export const SWAP_TWO_ONE = 16;
export const SWAP_TWO_TWO = 32;
export const TWO_OPT = 64;
export const SWAP_TAILS = 128;

export class Screen {
  private readonly draft: Draft;
  /** Around `u`: the nodes before and behind it, and the one behind that; around `v`: the node behind it. */
  private a = 0;
  private x = 0;
  private xx = 0;
  private y = 0;
  /** Ticks at most that the moves take away beside the legs of their own: the prices of both routes. */
  private prices = 0;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  /** Bits of the moves that may pay for a stop `u` and a node `v` to stand behind or to change places with. */
  worth(u: number, v: number): number {
    const { next, prev, route, price, alike } = this.draft;
    const own = route[u] ?? 0;
    const other = route[v] ?? 0;
    const isWithin = own === other;
    this.prices = (price[own] ?? 0) + (isWithin ? 0 : (price[other] ?? 0));
    this.a = prev[u] ?? 0;
    this.x = next[u] ?? 0;
    this.y = next[v] ?? 0;
    const isPair = this.x < alike.stops;
    this.xx = isPair ? (next[this.x] ?? 0) : 0;
    let bits = this.relocations(u, v, isPair);
    bits |= isWithin ? this.turns(u, v) : this.ends(u, v);
    if (v < alike.stops) bits |= this.swaps(u, v, isPair);
    return bits;
  }

  private relocations(u: number, v: number, isPair: boolean): number {
    const { draft, a, x, xx, y, prices } = this;
    const { into } = draft;
    const most = prices + (into[u] ?? 0) + (into[y] ?? 0);
    const vu = draft.leg(v, u);
    const uy = draft.leg(u, y);
    let bits = draft.leg(a, x) + vu + uy < most + (into[x] ?? 0) ? RELOCATE : 0;
    if (!isPair) return bits;
    const closed = draft.leg(a, xx) - (into[xx] ?? 0);
    if (closed + vu + draft.leg(x, y) < most) bits |= RELOCATE_TWO;
    if (closed + draft.leg(v, x) + uy + draft.leg(x, u) - (into[x] ?? 0) < most) bits |= RELOCATE_TURNED;
    return bits;
  }

  /** The exchange of the ends of two routes. */
  private ends(u: number, v: number): number {
    const { draft, a, y, prices } = this;
    const { into } = draft;
    return draft.leg(v, u) + draft.leg(a, y) < prices + (into[u] ?? 0) + (into[y] ?? 0) ? SWAP_TAILS : 0;
  }

  /** Turning what stands between two nodes of a route; the legs in it only stay the same where directions do not matter. */
  private turns(u: number, v: number): number {
    const { draft, x, y, prices } = this;
    if (!draft.alike.isSymmetric) return TWO_OPT;
    const most = prices + (draft.into[x] ?? 0) + (draft.into[y] ?? 0);
    return draft.leg(u, v) + draft.leg(x, y) < most ? TWO_OPT : 0;
  }

  private swaps(u: number, v: number, isPair: boolean): number {
    const { draft, a, x, xx, y, prices } = this;
    const { into, next, prev, alike } = draft;
    const most = prices + (into[u] ?? 0) + (into[v] ?? 0) - draft.leg(a, v) - draft.leg(prev[v] ?? 0, u);
    let bits = draft.leg(v, x) + draft.leg(u, y) < most + (into[x] ?? 0) + (into[y] ?? 0) ? SWAP : 0;
    if (!isPair) return bits;
    const behind = most + (into[xx] ?? 0);
    if (draft.leg(v, xx) + draft.leg(x, y) < behind + (into[y] ?? 0)) bits |= SWAP_TWO_ONE;
    if (y >= alike.stops) return bits;
    const yy = next[y] ?? 0;
    if (draft.leg(y, xx) + draft.leg(x, yy) < behind + (into[yy] ?? 0)) bits |= SWAP_TWO_TWO;
    return bits;
  }
}
