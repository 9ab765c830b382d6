import { and, gte, inArray } from 'drizzle-orm';
import type { IncidentCircle } from '../../../domain/incident-effect.ts';
import { type Point, toPoint } from '../../../domain/location.ts';
import { dayIn } from '../../../domain/time.ts';
import type { Deps, Roads } from '../../deps.ts';
import { getOperator } from '../../settings/service.ts';
import { activeIncidents, longestRouteMs } from '../incidents.ts';
import { closuresAmong } from '../optimize/closures.ts';
import { findRoutes, findStops, type RouteRow, type StopRow, stopsOfRoutes } from '../queries.ts';
import { routes } from '../tables.ts';
import { depotOf, goesAround, lineName } from './legs.ts';

/** What ways around closed roads take more than the usual ones, in seconds by the straight line of the leg. */
export type Detours = { ids: ReadonlySet<number>; secondsOf: ReadonlyMap<string, number> };

/** Ways measured once are not asked for again while neither the route nor what is closed changes. */
const measuredBy = new WeakMap<Roads, Map<string, Detours>>();
const mostKept = 1_000;

/**
 * Detours of the routes still to be driven that an engine can lead around roads closed by now, by route. Asked of the engine
 * before a transaction begins: a road may have been closed after a route was planned.
 */
export async function detoursOf(deps: Pick<Deps, 'db' | 'clock' | 'roads'>): Promise<ReadonlyMap<number, Detours>> {
  const { db, clock } = deps;
  const found = new Map<number, Detours>();
  const incidents = await activeIncidents(db);
  if (!incidents.all.some(({ closed }) => closed)) return found;
  const now = clock.now();
  const { timeZone } = await getOperator(db);
  const active = and(inArray(routes.status, ['planned', 'in_progress']), gte(routes.date, dayIn(timeZone, now)));
  const open = (await findRoutes(db, active)).filter(goesAround);
  const stops = open.length > 0 ? await findStops(db, stopsOfRoutes(open.map(({ id }) => id))) : [];
  for (const route of open) {
    const from = new Date(Math.max(now.getTime(), route.plannedStartAt?.getTime() ?? 0));
    const circles = incidents.between(from, new Date(from.getTime() + longestRouteMs));
    const own = stops.filter(({ routeId }) => routeId === route.id);
    const detours = await detoursAlong(deps, pointsThroughAll(route, own), circles);
    if (detours) found.set(route.id, detours);
  }
  return found;
}

function pointsThroughAll(route: RouteRow, stops: readonly StopRow[]): Point[] {
  const depot = depotOf(route);
  const places = stops.map(toPoint);
  return depot ? [depot, ...places, depot] : places;
}

async function detoursAlong(
  { roads }: Pick<Deps, 'roads'>,
  points: readonly Point[],
  circles: readonly IncidentCircle[],
): Promise<Detours | null> {
  const { ids, areas } = closuresAmong(circles, points);
  if (ids.size === 0 || points.length < 2) return null;
  const measured = measuredBy.get(roads) ?? new Map<string, Detours>();
  measuredBy.set(roads, measured);
  const key = JSON.stringify([points, areas]);
  const known = measured.get(key);
  if (known) return { ...known, ids };
  const usual = await roads.route(points);
  const around = await roads.route(points, { avoid: areas });
  // An engine that leads around nothing, or gave no answer, says nothing of what the way round takes.
  if (usual.source !== 'valhalla' || around.source !== 'valhalla') return null;
  const secondsOf = new Map<string, number>();
  for (const [index, { seconds }] of around.legs.entries()) {
    const [a, b] = [points[index], points[index + 1]];
    const before = usual.legs[index]?.seconds ?? null;
    if (a && b && seconds !== null && before !== null) secondsOf.set(lineName([a, b]), Math.max(0, seconds - before));
  }
  measured.set(key, { ids, secondsOf });
  const [oldest] = measured.keys();
  if (measured.size > mostKept && oldest !== undefined) measured.delete(oldest);
  return { ids, secondsOf };
}
