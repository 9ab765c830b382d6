/**
 * Selective route exchange (Nagata & Bräysy 2009): a child has the routes of one parent, but around one stop those of the other. Guarantees each stop
 * once; loads and times may be broken. Which routes of the second parent go with those of the first is told by the stops they share.
 */

import type { Random } from '../random.ts';
import type { Neighbours } from '../search/neighbours.ts';
import { type Draft, MIXED } from './draft.ts';
import type { Individual } from './individual.ts';

/** Where whole routes come from. */
const FIRST = 1;
const SECOND = 2;

export class Crossover {
  private readonly draft: Draft;
  private readonly near: Neighbours;
  private readonly random: Random;
  /** Per stop: its route in the first parent. */
  private readonly routeOf: Int32Array;
  private readonly isTaken: Uint8Array;

  constructor(draft: Draft, near: Neighbours, random: Random) {
    this.draft = draft;
    this.near = near;
    this.random = random;
    this.routeOf = new Int32Array(draft.alike.stops);
    this.isTaken = new Uint8Array(draft.alike.stops);
  }

  /** Leaves a child of two plans in the draft. */
  run(one: Individual, other: Individual): void {
    const most = Math.min(one.routes.length, other.routes.length) - 1;
    const count = 1 + this.random.below(Math.max(1, most));
    const leaving = this.routesAround(one, count);
    const coming = this.likest(other, leaving, one);
    const { isTaken } = this;
    isTaken.fill(0);
    const staying = one.routes.filter((_, route) => !leaving.has(route));
    const isOthersFirst = this.random.below(2) === 0;
    const firsts = isOthersFirst ? coming : staying;
    const seconds = isOthersFirst ? staying : coming;
    for (const route of firsts) for (const stop of route) isTaken[stop] = 1;
    const rest = seconds.map((route) => route.filter((stop) => isTaken[stop] === 0));
    this.draft.take([...firsts, ...rest]);
    const { origin } = this.draft;
    origin.fill(FIRST, 0, firsts.length);
    for (const [i, route] of rest.entries())
      origin[firsts.length + i] = route.length === seconds[i]?.length ? SECOND : MIXED;
    this.insertMissing();
  }

  /** The first routes met when looking farther and farther around a stop. */
  private routesAround({ routes }: Individual, count: number): Set<number> {
    const { near, routeOf } = this;
    for (const [route, stops] of routes.entries()) for (const stop of stops) routeOf[stop] = route;
    const seed = this.random.below(routeOf.length);
    const found = new Set([routeOf[seed] ?? 0]);
    for (let rank = 0; rank < near.width && found.size < count; rank++) {
      found.add(routeOf[near.list[seed * near.width + rank] ?? 0] ?? 0);
    }
    return found;
  }

  /** As many routes of a parent as leave the other, those that share the greatest part of their stops with them. */
  private likest({ routes }: Individual, leaving: ReadonlySet<number>, one: Individual): Int32Array[] {
    const { isTaken } = this;
    isTaken.fill(0);
    for (const route of leaving) for (const stop of one.routes[route] ?? []) isTaken[stop] = 1;
    const shared = routes.map((stops) => stops.reduce((sum, stop) => sum + (isTaken[stop] ?? 0), 0) / stops.length);
    const ranked = [...routes.keys()].sort((a, b) => (shared[b] ?? 0) - (shared[a] ?? 0) || a - b);
    return ranked.slice(0, leaving.size).map((route) => routes[route] ?? new Int32Array(0));
  }

  /** Puts stops on no route where they add least, in random order. */
  private insertMissing(): void {
    const { draft, random } = this;
    const missing: number[] = [];
    for (let stop = 0; stop < draft.alike.stops; stop++) if (draft.route[stop] === -1) missing.push(stop);
    for (let i = missing.length - 1; i > 0; i--) {
      const j = random.below(i + 1);
      [missing[i], missing[j]] = [missing[j] ?? 0, missing[i] ?? 0];
    }
    const touched = new Set<number>();
    for (const stop of missing) {
      const after = this.cheapest(stop);
      draft.insert(stop, after);
      touched.add(draft.route[after] ?? 0);
    }
    for (const route of touched) {
      draft.refresh(route);
      draft.origin[route] = MIXED;
    }
  }

  /** The node a stop had best stand behind, judged by legs and by the windows of its neighbours. */
  private cheapest(stop: number): number {
    const { draft, near } = this;
    const { route, next, prev } = draft;
    let best = draft.startOf(Math.max(0, draft.count.indexOf(0)));
    let least = Number.POSITIVE_INFINITY;
    const look = (after: number) => {
      const behind = next[after] ?? 0;
      const added = draft.leg(after, stop) + draft.leg(stop, behind) - draft.leg(after, behind);
      if (added >= least || !this.isInTime(after, stop) || !this.isInTime(stop, behind)) return;
      least = added;
      best = after;
    };
    for (let i = stop * near.width; i < (stop + 1) * near.width; i++) {
      const other = near.list[i] ?? 0;
      if (route[other] === -1) continue;
      look(other);
      look(prev[other] ?? 0);
    }
    return best;
  }

  /** Whether one node can follow another if nothing else delays it. */
  private isInTime(from: number, to: number): boolean {
    const { row, alike } = this.draft;
    const [first, second] = [row[from] ?? 0, row[to] ?? 0];
    const arrives = (alike.opens[first] ?? 0) + (alike.seconds[first * alike.size + second] ?? 0);
    return arrives <= (alike.closes[second] ?? 0);
  }
}
