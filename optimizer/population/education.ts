/**
 * Local search on a draft: tries every move around every stop and its nearest neighbours, then SWAP* between routes that lie near each other,
 * until nothing makes the draft cheaper. Guarantees: the draft's cost never rises. Routes that have not changed since a stop was last looked at are
 * skipped (Vidal 2022). Adding a move is one line here.
 */

import type { Random } from '../random.ts';
import type { Neighbours } from '../search/neighbours.ts';
import { type Draft, MIXED } from './draft.ts';
import { Exchange } from './exchange.ts';
import type { DraftMove } from './moves/draft-move.ts';
import { relocate } from './moves/relocate.ts';
import { swap } from './moves/swap.ts';
import { SwapStar } from './moves/swap-star.ts';
import { swapTails } from './moves/swap-tails.ts';
import { twoOpt } from './moves/two-opt.ts';
import { RELOCATE, RELOCATE_TURNED, RELOCATE_TWO, Screen, SWAP, SWAP_TWO_ONE, SWAP_TWO_TWO } from './screen.ts';

export const DRAFT_MOVES: readonly DraftMove[] = [
  relocate(1, false, RELOCATE),
  relocate(2, false, RELOCATE_TWO),
  relocate(2, true, RELOCATE_TURNED),
  swap(1, 1, SWAP),
  swap(2, 1, SWAP_TWO_ONE),
  swap(2, 2, SWAP_TWO_TWO),
  twoOpt,
  swapTails,
];

/** Neighbours tried per stop. */
const WIDTH = 24;
/** Nearest stops whose routes SWAP* is tried with. */
const PAIRED_WIDTH = 5;
/** Share of the drafts with windows on which SWAP* is tried: places chosen by legs alone are seldom in time. */
const SWAP_STAR_TIMED = 0.25;
/** Stops looked at between two questions whether time is over. */
const ASK_EVERY = 256;
/** Less than any cost differs by: what is left of rounding prices. */
const CLOSE = 1e-3;

export class Education {
  private readonly draft: Draft;
  private readonly near: Neighbours;
  private readonly random: Random;
  private readonly exchange: Exchange;
  private readonly screen: Screen;
  private readonly swapStar: SwapStar;
  /** Per route: number of the last change. Per stop: changes made when it was last looked at. */
  private readonly changed: Int32Array;
  private readonly looked: Int32Array;
  /** Per pair of routes: changes made when SWAP* last looked at them. */
  private readonly paired: Int32Array;
  private changes = 0;
  private readonly order: Int32Array;

  constructor(draft: Draft, near: Neighbours, random: Random) {
    this.draft = draft;
    this.near = near;
    this.random = random;
    this.exchange = new Exchange(draft);
    this.screen = new Screen(draft);
    this.swapStar = new SwapStar(this.exchange);
    this.paired = new Int32Array(draft.routes * draft.routes);
    this.changed = new Int32Array(draft.routes);
    this.looked = new Int32Array(draft.alike.stops);
    this.order = Int32Array.from({ length: draft.alike.stops }, (_, stop) => stop);
  }

  /** Ends early, with the draft as far as it is, when `isOver` says so. */
  run(isOver: () => boolean): void {
    const { changed, draft, order } = this;
    this.changes = 1;
    this.swapStar.forgetAll();
    for (let route = 0; route < draft.routes; route++) changed[route] = draft.origin[route] === MIXED ? 1 : 0;
    this.looked.fill(0);
    this.paired.fill(0);
    const swaps = !draft.alike.isTimed || this.random.fraction() < SWAP_STAR_TIMED;
    for (let pass = 0; ; pass++) {
      const before = this.changes;
      this.shuffle();
      for (let i = 0; i < order.length; i++) {
        this.improve(order[i] ?? 0, pass > 0);
        if (i % ASK_EVERY === 0 && isOver()) return;
      }
      if (swaps) for (let i = 0; i < order.length; i++) this.swapAround(order[i] ?? 0);
      if (this.changes === before && pass > 0) return;
    }
  }

  private shuffle(): void {
    const { order, random } = this;
    for (let i = order.length - 1; i > 0; i--) {
      const j = random.below(i + 1);
      const other = order[j] ?? 0;
      order[j] = order[i] ?? 0;
      order[i] = other;
    }
  }

  private improve(u: number, triesEmpty: boolean): void {
    const { draft, near, changed } = this;
    const { route, prev, alike, origin } = draft;
    const since = this.looked[u] ?? 0;
    this.looked[u] = this.changes;
    const first = u * near.width;
    const last = first + Math.min(WIDTH, near.width);
    for (let i = first; i < last; i++) {
      const v = near.list[i] ?? 0;
      const own = route[u] ?? 0;
      const other = route[v] ?? 0;
      if ((changed[own] ?? 0) <= since && (changed[other] ?? 0) <= since) {
        if (since > 0 || origin[own] === origin[other]) continue;
      }
      if (this.isTooFar(u, v)) continue;
      if (this.tryMoves(u, v)) continue;
      const before = prev[v] ?? 0;
      if (before >= alike.stops) this.tryMoves(u, before);
    }
    if (!triesEmpty || (changed[route[u] ?? 0] ?? 0) <= since) return;
    const empty = draft.count.indexOf(0);
    if (empty >= 0) this.tryMoves(u, draft.startOf(empty));
  }

  /** Whether the leg between two stops is longer than all those that a move around them could remove, and too long for what prices may fall. */
  private isTooFar(u: number, v: number): boolean {
    const { draft } = this;
    const { route, next, into, price } = draft;
    const leg = draft.leg(v, u) - (price[route[u] ?? 0] ?? 0) - (price[route[v] ?? 0] ?? 0);
    return (
      leg >= (into[u] ?? 0) &&
      leg >= (into[v] ?? 0) &&
      leg >= (into[next[u] ?? 0] ?? 0) &&
      leg >= (into[next[v] ?? 0] ?? 0)
    );
  }

  /** SWAP* between the route of a stop and those of its nearest neighbours, unless neither has changed since it was last tried. */
  private swapAround(stop: number): void {
    const { draft, near, changed, paired } = this;
    const { route, routes, origin } = draft;
    for (let rank = 0; rank < Math.min(PAIRED_WIDTH, near.width); rank++) {
      const one = route[stop] ?? 0;
      const two = route[near.list[stop * near.width + rank] ?? 0] ?? 0;
      if (one === two) continue;
      const own = Math.min(one, two);
      const other = Math.max(one, two);
      const pair = own * routes + other;
      const since = paired[pair] ?? 0;
      if ((changed[own] ?? 0) <= since && (changed[other] ?? 0) <= since) {
        if (since > 0 || origin[own] === origin[other]) continue;
      }
      paired[pair] = this.changes;
      if (this.swapStar.find(own, other) >= -CLOSE) continue;
      this.swapStar.make();
      this.refresh(own);
      this.refresh(other);
    }
  }

  private tryMoves(u: number, v: number): boolean {
    const { draft, exchange } = this;
    const worth = this.screen.worth(u, v);
    if (worth === 0) return false;
    for (const move of DRAFT_MOVES) {
      if ((worth & move.bit) === 0 || move.delta(exchange, u, v) >= -CLOSE) continue;
      const own = draft.route[u] ?? 0;
      const other = draft.route[v] ?? 0;
      move.make(draft, u, v);
      this.refresh(own);
      if (other !== own) this.refresh(other);
      return true;
    }
    return false;
  }

  private refresh(route: number): void {
    this.draft.refresh(route);
    this.swapStar.forget(route);
    this.changed[route] = ++this.changes;
  }
}
