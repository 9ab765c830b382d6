/**
 * SWAP* (Vidal 2022): exchanges a stop of one route for one of another, each put in where it costs least rather than in the other's place.
 * Guarantees that what `find` returns below 0 is exactly the change of the draft's cost. Only the three cheapest places of each stop in the
 * other route and the place of the stop that leaves are looked at: whichever leaves, one of them is the cheapest.
 */
import { type Exchange, NO_MOVE } from '../exchange.ts';

const PLACES = 3;

export class SwapStar {
  private readonly exchange: Exchange;
  /** Per stop: ticks its removal saves; its cheapest places in the other route (nodes to stand behind) and what they add. */
  private readonly gain: Int32Array;
  private readonly place: Int32Array;
  private readonly added: Float64Array;
  /** Result of `cheapest`: node to stand behind and ticks added. */
  private after = 0;
  private ticks = 0;
  /** The exchange found: `u` goes behind `behindU`, `v` behind `behindV`. */
  private u = -1;
  private v = -1;
  private behindU = -1;
  private behindV = -1;

  constructor(exchange: Exchange) {
    const { stops } = exchange.draft.alike;
    this.exchange = exchange;
    this.gain = new Int32Array(stops);
    this.place = new Int32Array(stops * PLACES);
    this.added = new Float64Array(stops * PLACES);
  }

  /** Looks for the best exchange between two routes. Returns what it adds to the draft's cost. */
  find(own: number, other: number): number {
    const { exchange } = this;
    const { draft } = exchange;
    const { next, alike } = draft;
    this.prepare(own, other);
    this.prepare(other, own);
    let best = 0;
    for (let u = next[draft.startOf(own)] ?? 0; u < alike.stops; u = next[u] ?? 0) {
      for (let v = next[draft.startOf(other)] ?? 0; v < alike.stops; v = next[v] ?? 0) {
        best = this.look(u, v, best);
      }
    }
    if (best === 0) return NO_MOVE;
    if (!alike.isTimed) return best;
    const warp = this.warp(other, this.v, this.u, this.behindU) + this.warp(own, this.u, this.v, this.behindV);
    return exchange.late(best, warp);
  }

  /** Makes the exchange found; both routes are to be refreshed afterwards. */
  make(): void {
    const { draft } = this.exchange;
    const { u, v, behindU, behindV } = this;
    const [before, beforeV] = [draft.prev[u] ?? 0, draft.prev[v] ?? 0];
    draft.move(u, u, behindU === v ? beforeV : behindU);
    draft.move(v, v, behindV === u ? before : behindV);
  }

  /** Weighs one pair; returns the least sum so far. */
  private look(u: number, v: number, best: number): number {
    const { exchange } = this;
    const { draft } = exchange;
    const { prev, route, price } = draft;
    const prices = (price[route[u] ?? 0] ?? 0) + (price[route[v] ?? 0] ?? 0);
    this.cheapest(u, v);
    const behindU = this.after;
    let legs = this.ticks - (this.gain[u] ?? 0) - (this.gain[v] ?? 0);
    if (legs - prices >= best) return best;
    this.cheapest(v, u);
    legs += this.ticks;
    if (legs - prices >= best) return best;
    exchange.cut(prev[u] ?? 0, u, prev[v] ?? 0, v);
    const total = exchange.between(legs);
    if (total >= best) return best;
    this.u = u;
    this.v = v;
    this.behindU = behindU;
    this.behindV = this.after;
    return total;
  }

  /** Notes what each stop of a route saves and its cheapest places in another route. */
  private prepare(route: number, into: number): void {
    const { draft } = this.exchange;
    const { next, prev, alike } = draft;
    for (let stop = next[draft.startOf(route)] ?? 0; stop < alike.stops; stop = next[stop] ?? 0) {
      const before = prev[stop] ?? 0;
      const behind = next[stop] ?? 0;
      this.gain[stop] = (draft.into[stop] ?? 0) + (draft.into[behind] ?? 0) - draft.leg(before, behind);
      this.findPlaces(stop, into);
    }
  }

  private findPlaces(stop: number, route: number): void {
    const { draft } = this.exchange;
    const { place, added } = this;
    const first = stop * PLACES;
    added.fill(NO_MOVE, first, first + PLACES);
    const end = draft.endOf(route);
    for (let node = draft.startOf(route); node !== end; ) {
      const behind = draft.next[node] ?? end;
      const ticks = draft.leg(node, stop) + draft.leg(stop, behind) - (draft.into[behind] ?? 0);
      let at = first + PLACES - 1;
      if (ticks < (added[at] ?? 0)) {
        for (; at > first && (added[at - 1] ?? 0) > ticks; at--) {
          added[at] = added[at - 1] ?? 0;
          place[at] = place[at - 1] ?? 0;
        }
        added[at] = ticks;
        place[at] = node;
      }
      node = behind;
    }
  }

  /** The cheapest place of a stop in the route that `gone` leaves. */
  private cheapest(stop: number, gone: number): void {
    const { draft } = this.exchange;
    const before = draft.prev[gone] ?? 0;
    const behind = draft.next[gone] ?? 0;
    this.after = gone;
    this.ticks = draft.leg(before, stop) + draft.leg(stop, behind) - draft.leg(before, behind);
    const first = stop * PLACES;
    for (let at = first; at < first + PLACES; at++) {
      const after = this.place[at] ?? 0;
      if (after === gone || after === before) continue;
      if ((this.added[at] ?? NO_MOVE) < this.ticks) {
        this.after = after;
        this.ticks = this.added[at] ?? NO_MOVE;
      }
      return;
    }
  }

  /** Late seconds of a route that loses one stop and gets another behind `after`. */
  private warp(route: number, gone: number, stop: number, after: number): number {
    const { draft, clock } = this.exchange;
    const end = draft.endOf(route);
    clock.begin(draft.startOf(route));
    if (after === draft.startOf(route)) clock.reach(stop);
    for (let node = draft.next[draft.startOf(route)] ?? end; node !== end; node = draft.next[node] ?? end) {
      if (node !== gone) clock.reach(node);
      if (node === after) clock.reach(stop);
    }
    return clock.finish(end);
  }
}
