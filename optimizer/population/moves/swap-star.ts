/**
 * SWAP* (Vidal 2022): exchanges a stop of one route for one of another, each put in where it costs least rather than in the other's place.
 * Guarantees that what `find` returns below 0 is exactly the change of the draft's cost. Only the three cheapest places of each stop in the
 * other route and the place of the stop that leaves are looked at: whichever leaves, one of them is the cheapest. Those places are kept until
 * the other route changes. Pairs are passed over where a detour would have to be shorter than the leg it replaces.
 */
import { type Exchange, NO_MOVE } from '../exchange.ts';

const PLACES = 3;

export class SwapStar {
  private readonly exchange: Exchange;
  /** Per stop: ticks its removal saves; per route: the state that this is known for. */
  private readonly gain: Int32Array;
  private readonly weighed: Int32Array;
  /** Per stop x route: the cheapest places (nodes to stand behind), what they add, and the state of the route that they are known for. */
  private readonly place: Int32Array;
  private readonly added: Float64Array;
  private readonly known: Int32Array;
  /** Per route: a number that no other state of any route has. */
  private readonly state: Int32Array;
  private states = 0;
  /** Result of `cheapest`: node to stand behind and ticks added. */
  private after = 0;
  private ticks = 0;
  /** The exchange found: `u` goes behind `behindU`, `v` behind `behindV`. */
  private u = -1;
  private v = -1;
  private behindU = -1;
  private behindV = -1;

  constructor(exchange: Exchange) {
    const { alike, routes } = exchange.draft;
    this.exchange = exchange;
    this.gain = new Int32Array(alike.stops);
    this.weighed = new Int32Array(routes);
    this.place = new Int32Array(alike.stops * routes * PLACES);
    this.added = new Float64Array(alike.stops * routes * PLACES);
    this.known = new Int32Array(alike.stops * routes);
    this.state = new Int32Array(routes);
    this.forgetAll();
  }

  /** To be called after a route changed. */
  forget(route: number): void {
    this.state[route] = ++this.states;
  }

  /** To be called when the draft was filled anew. */
  forgetAll(): void {
    for (let route = 0; route < this.state.length; route++) this.forget(route);
  }

  /** Looks for the best exchange between two routes. Returns what it adds to the draft's cost. */
  find(own: number, other: number): number {
    const { exchange, gain } = this;
    const { draft } = exchange;
    const { next, alike, price } = draft;
    this.weigh(own);
    this.weigh(other);
    const prices = (price[own] ?? 0) + (price[other] ?? 0);
    let best = 0;
    for (let u = next[draft.startOf(own)] ?? 0; u < alike.stops; u = next[u] ?? 0) {
      for (let v = next[draft.startOf(other)] ?? 0; v < alike.stops; v = next[v] ?? 0) {
        const saved = -(gain[u] ?? 0) - (gain[v] ?? 0) - prices;
        if (saved >= best) continue;
        const total = saved + this.overload(own, u, v) + this.overload(other, v, u);
        if (total < best) best = this.look(u, v, { total, best });
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

  /** What the loads of a route cost when one stop leaves it and another comes. */
  private overload(route: number, gone: number, stop: number): number {
    const { draft } = this.exchange;
    const { dimensions, amount } = draft.alike;
    let sum = 0;
    for (let d = 0; d < dimensions; d++) {
      sum += draft.overload(route, d, (amount[stop * dimensions + d] ?? 0) - (amount[gone * dimensions + d] ?? 0));
    }
    return sum;
  }

  /** Adds the legs of the cheapest places of a pair to what it costs without them; returns the least sum so far. */
  private look(u: number, v: number, { total, best }: { total: number; best: number }): number {
    this.cheapest(u, v);
    const behindU = this.after;
    let sum = total + this.ticks;
    if (sum >= best) return best;
    this.cheapest(v, u);
    sum += this.ticks;
    if (sum >= best) return best;
    this.u = u;
    this.v = v;
    this.behindU = behindU;
    this.behindV = this.after;
    return sum;
  }

  /** Notes what each stop of a route saves when it leaves. */
  private weigh(route: number): void {
    if (this.weighed[route] === this.state[route]) return;
    this.weighed[route] = this.state[route] ?? 0;
    const { draft } = this.exchange;
    const { next, prev, alike } = draft;
    for (let stop = next[draft.startOf(route)] ?? 0; stop < alike.stops; stop = next[stop] ?? 0) {
      const behind = next[stop] ?? 0;
      this.gain[stop] = (draft.into[stop] ?? 0) + (draft.into[behind] ?? 0) - draft.leg(prev[stop] ?? 0, behind);
    }
  }

  /** Notes the cheapest places of a stop in another route. */
  private findPlaces(stop: number, route: number): void {
    const { draft } = this.exchange;
    const { place, added } = this;
    const first = (stop * draft.routes + route) * PLACES;
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
    const route = draft.route[gone] ?? 0;
    const pair = stop * draft.routes + route;
    if (this.known[pair] !== this.state[route]) {
      this.known[pair] = this.state[route] ?? 0;
      this.findPlaces(stop, route);
    }
    const first = pair * PLACES;
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
