/**
 * Cuts the routes of a plan into two neighbourhoods. Guarantees: every route is in one of them, and both have about as many stops. The cut
 * lies between a route drawn at random and the one farthest from it, so that cuts of different rounds cross: what one keeps apart, the
 * next brings together.
 */
import type { Matrix } from '../problem.ts';
import type { Random } from '../random.ts';

/** Stops of a route that stand for it when the way between two routes is looked up. */
const WITNESSES = 4;

function witnessesOf(places: readonly number[]): number[] {
  const count = Math.min(WITNESSES, places.length);
  return Array.from({ length: count }, (_, i) => places[Math.floor(((i + 0.5) * places.length) / count)] ?? 0);
}

function apart(seconds: Matrix, from: readonly number[], to: readonly number[]): number {
  let least = Number.MAX_SAFE_INTEGER;
  for (const a of from) for (const b of to) least = Math.min(least, seconds[a]?.[b] ?? Number.MAX_SAFE_INTEGER);
  return least;
}

/** For every route, given by its places: whether it falls to the first (0) or the second (1) half. */
export function halves(seconds: Matrix, routes: readonly (readonly number[])[], random: Random): Uint8Array {
  const half = new Uint8Array(routes.length);
  const witnesses = routes.map(witnessesOf);
  const first = witnesses[random.below(routes.length)] ?? [];
  const away = witnesses.map((other) => apart(seconds, first, other));
  const second = witnesses[away.indexOf(Math.max(...away))] ?? [];
  const side = witnesses.map((other, route) => (away[route] ?? 0) - apart(seconds, second, other));
  const order = [...routes.keys()].sort((a, b) => (side[a] ?? 0) - (side[b] ?? 0) || a - b);
  const stops = routes.reduce((sum, route) => sum + route.length, 0);
  let taken = 0;
  for (const route of order) {
    if (taken * 2 >= stops) half[route] = 1;
    taken += routes[route]?.length ?? 0;
  }
  return half;
}
