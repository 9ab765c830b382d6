/** The routes of a pool that serve stops of one part of the plan alone, in the part's own numbers of stops. */
import type { RoutePool } from './route-pool.ts';

export interface Columns {
  /** Stops of the part. */
  readonly size: number;
  readonly count: number;
  /** Per column: ticks, type of vehicle, route of the pool, where its stops begin in `stops` (one entry more than columns). */
  readonly cost: Float64Array;
  readonly type: Int32Array;
  readonly route: Int32Array;
  readonly from: Int32Array;
  readonly stops: Int32Array;
}

interface Part {
  /** Per stop: its number in the part, or -1. */
  readonly number: Int32Array;
  readonly size: number;
  /** The routes the part has now, which become the first columns. */
  readonly own: readonly number[];
}

function routesWithin(pool: RoutePool, { number, own }: Part): number[] {
  const routes = [...own];
  const isOwn = new Set(own);
  for (let route = 0; route < pool.count; route++) {
    const last = pool.from[route + 1] ?? 0;
    let at = pool.from[route] ?? 0;
    while (at < last && (number[pool.stops[at] ?? 0] ?? -1) >= 0) at++;
    if (at === last && !isOwn.has(route)) routes.push(route);
  }
  return routes;
}

export function columnsOf(pool: RoutePool, part: Part): Columns {
  const routes = routesWithin(pool, part);
  const from = new Int32Array(routes.length + 1);
  const stops: number[] = [];
  for (const [column, route] of routes.entries()) {
    const last = pool.from[route + 1] ?? 0;
    for (let at = pool.from[route] ?? 0; at < last; at++) stops.push(part.number[pool.stops[at] ?? 0] ?? 0);
    from[column + 1] = stops.length;
  }
  return {
    size: part.size,
    count: routes.length,
    cost: Float64Array.from(routes, (route) => pool.cost[route] ?? 0),
    type: Int32Array.from(routes, (route) => pool.type[route] ?? 0),
    route: Int32Array.from(routes),
    from,
    stops: Int32Array.from(stops),
  };
}
