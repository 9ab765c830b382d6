/**
 * Routes of vehicles that are all alike, which may be overloaded or late at a price. Guarantees: after `refresh` of every route changed,
 * `cost` is what `legs` and the prices of all routes sum up to. Lateness is time warp (Nagata, Bräysy & Dullaert 2010), kept for every
 * beginning and every end of a route, so that joining two parts takes constant time (Vidal et al. 2013).
 */
import type { Alike } from './alike.ts';

/** Ticks per unit too much on a vehicle, and per second too late. */
export interface Prices {
  load: number;
  late: number;
}

/** What is known of the beginnings or ends of routes, per node. */
export interface Spans {
  /** Seconds from the first to the last begin, less the warp. */
  readonly length: Int32Array;
  readonly warp: Int32Array;
  /** When the first may begin without more waiting or warp. */
  readonly early: Int32Array;
  readonly late: Int32Array;
}

/** Origin of a route that is not as it was in any plan taught. */
export const MIXED = 0;

function spansOf(nodes: number): Spans {
  const empty = () => new Int32Array(nodes);
  return { length: empty(), warp: empty(), early: empty(), late: empty() };
}

export class Draft {
  readonly alike: Alike;
  readonly routes: number;
  private readonly table: Int32Array;
  private readonly size: number;
  readonly prices: Prices;
  /** Per node: the stops, then the start of each route, then the end of each. */
  readonly row: Int32Array;
  readonly next: Int32Array;
  readonly prev: Int32Array;
  readonly route: Int32Array;
  readonly position: Int32Array;
  /** Ticks of the leg that leads to a node. */
  readonly into: Int32Array;
  /** Per node x dimension: load of the stops up to here. */
  readonly loaded: Int32Array;
  readonly heads: Spans;
  readonly tails: Spans;
  /** Per route: MIXED, or a number that routes share among which nothing is left to improve. */
  readonly origin: Int32Array;
  readonly count: Int32Array;
  readonly excess: Int32Array;
  readonly warp: Int32Array;
  readonly price: Float64Array;
  /** Per route: ticks of its legs. */
  readonly legs: Int32Array;

  constructor(alike: Alike, routes: number, prices: Prices) {
    const { stops } = alike;
    const nodes = stops + 2 * routes;
    this.alike = alike;
    this.table = alike.cost;
    this.size = alike.size;
    this.routes = routes;
    this.prices = prices;
    this.row = Int32Array.from({ length: nodes }, (_, node) => {
      if (node < stops) return node;
      return node < stops + routes ? stops : stops + 1;
    });
    this.next = new Int32Array(nodes);
    this.prev = new Int32Array(nodes);
    this.route = Int32Array.from({ length: nodes }, (_, node) => (node < stops ? -1 : (node - stops) % routes));
    this.position = new Int32Array(nodes);
    this.into = new Int32Array(nodes);
    this.loaded = new Int32Array(nodes * alike.dimensions);
    this.heads = spansOf(nodes);
    this.tails = spansOf(nodes);
    this.count = new Int32Array(routes);
    this.origin = new Int32Array(routes);
    this.excess = new Int32Array(routes);
    this.warp = new Int32Array(routes);
    this.price = new Float64Array(routes);
    this.legs = new Int32Array(routes);
  }

  startOf(route: number): number {
    return this.alike.stops + route;
  }

  endOf(route: number): number {
    return this.alike.stops + this.routes + route;
  }

  /** Ticks of a leg. */
  leg(from: number, to: number): number {
    return this.table[(this.row[from] ?? 0) * this.size + (this.row[to] ?? 0)] ?? 0;
  }

  /** Ticks of legs and prices. */
  get cost(): number {
    let sum = 0;
    for (let route = 0; route < this.routes; route++) sum += (this.legs[route] ?? 0) + (this.price[route] ?? 0);
    return sum;
  }

  /** Ticks of the legs alone. */
  get driven(): number {
    return this.legs.reduce((sum, ticks) => sum + ticks, 0);
  }

  /** Takes over routes; stops in none of them are on no route. */
  take(routes: readonly ArrayLike<number>[]): void {
    this.origin.fill(MIXED);
    this.route.fill(-1, 0, this.alike.stops);
    for (let route = 0; route < this.routes; route++) {
      let last = this.startOf(route);
      const stops = routes[route] ?? [];
      for (let i = 0; i < stops.length; i++) {
        const stop = stops[i] ?? 0;
        this.link(last, stop);
        this.route[stop] = route;
        last = stop;
      }
      this.link(last, this.endOf(route));
      this.refresh(route);
    }
  }

  link(from: number, to: number): void {
    this.next[from] = to;
    this.prev[to] = from;
  }

  /** Puts a stop that is on no route behind a node. */
  insert(stop: number, after: number): void {
    const behind = this.next[after] ?? 0;
    this.link(after, stop);
    this.link(stop, behind);
    this.route[stop] = this.route[after] ?? 0;
  }

  /** Moves the stops `first`..`last` behind a node that is not one of them. */
  move(first: number, last: number, after: number): void {
    this.link(this.prev[first] ?? 0, this.next[last] ?? 0);
    const behind = this.next[after] ?? 0;
    this.link(after, first);
    this.link(last, behind);
  }

  /** Turns round the stops `first`..`last`. */
  turn(first: number, last: number): void {
    const before = this.prev[first] ?? 0;
    const behind = this.next[last] ?? 0;
    let at = first;
    while (at !== behind) {
      const following = this.next[at] ?? 0;
      this.next[at] = this.prev[at] ?? 0;
      this.prev[at] = following;
      at = following;
    }
    this.link(before, last);
    this.link(first, behind);
  }

  /** What too much of the loads costs a route that has `more` (or less) of dimension `d`. */
  overload(route: number, d: number, more: number): number {
    const { dimensions, capacity } = this.alike;
    const load = (this.loaded[this.endOf(route) * dimensions + d] ?? 0) + more - (capacity[d] ?? 0);
    return load > 0 ? load * this.prices.load : 0;
  }

  /** Brings everything known of a route up to date after its links changed. */
  refresh(route: number): void {
    this.number(route);
    this.load(route);
    if (this.alike.isTimed) {
      this.spanHeads(route);
      this.spanTails(route);
    }
    this.reprice(route);
  }

  /** Brings the price of a route up to date after prices changed. */
  reprice(route: number): void {
    this.price[route] = (this.excess[route] ?? 0) * this.prices.load + (this.warp[route] ?? 0) * this.prices.late;
  }

  private number(route: number): void {
    const { next, position, route: routeOf } = this;
    const start = this.startOf(route);
    const end = this.endOf(route);
    let rank = 0;
    let legs = 0;
    position[start] = 0;
    for (let at = start; at !== end; ) {
      const following = next[at] ?? end;
      const leg = this.leg(at, following);
      this.into[following] = leg;
      legs += leg;
      position[following] = ++rank;
      routeOf[following] = route;
      at = following;
    }
    this.count[route] = rank - 1;
    this.legs[route] = legs;
  }

  private load(route: number): void {
    const { next, loaded } = this;
    const { dimensions, amount, capacity } = this.alike;
    const end = this.endOf(route);
    let excess = 0;
    for (let d = 0; d < dimensions; d++) {
      let sum = 0;
      for (let at = next[this.startOf(route)] ?? end; at !== end; at = next[at] ?? end) {
        sum += amount[at * dimensions + d] ?? 0;
        loaded[at * dimensions + d] = sum;
      }
      loaded[end * dimensions + d] = sum;
      excess += Math.max(0, sum - (capacity[d] ?? 0));
    }
    this.excess[route] = excess;
  }

  private spanHeads(route: number): void {
    const { next, row, heads } = this;
    const { seconds, size, opens, closes } = this.alike;
    const end = this.endOf(route);
    let at = this.startOf(route);
    let [length, warp, early, late] = [0, 0, opens[row[at] ?? 0] ?? 0, closes[row[at] ?? 0] ?? 0];
    for (;;) {
      heads.length[at] = length;
      heads.warp[at] = warp;
      heads.early[at] = early;
      heads.late[at] = late;
      if (at === end) break;
      const following = next[at] ?? end;
      const to = row[following] ?? 0;
      const reach = length + (seconds[(row[at] ?? 0) * size + to] ?? 0);
      const open = (opens[to] ?? 0) - reach;
      const close = (closes[to] ?? 0) - reach;
      const wait = open > late ? open - late : 0;
      const tooLate = early > close ? early - close : 0;
      length = reach + wait - tooLate;
      warp += tooLate;
      early = (open > early ? open : early) - wait;
      late = (close < late ? close : late) + tooLate;
      at = following;
    }
    this.warp[route] = warp;
  }

  private spanTails(route: number): void {
    const { prev, row, tails } = this;
    const { seconds, size, opens, closes } = this.alike;
    const start = this.startOf(route);
    let at = this.endOf(route);
    let [length, warp, early, late] = [0, 0, opens[row[at] ?? 0] ?? 0, closes[row[at] ?? 0] ?? 0];
    for (;;) {
      tails.length[at] = length;
      tails.warp[at] = warp;
      tails.early[at] = early;
      tails.late[at] = late;
      if (at === start) break;
      const before = prev[at] ?? start;
      const from = row[before] ?? 0;
      const leg = seconds[from * size + (row[at] ?? 0)] ?? 0;
      const opened = opens[from] ?? 0;
      const closed = closes[from] ?? 0;
      const wait = Math.max(0, early - leg - closed);
      const tooLate = Math.max(0, opened + leg - late);
      length += leg + wait - tooLate;
      warp += tooLate;
      early = Math.max(early - leg, opened) - wait;
      late = Math.min(late - leg, closed) + tooLate;
      at = before;
    }
  }
}
