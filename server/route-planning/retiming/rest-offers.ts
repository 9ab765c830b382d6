import { and, gte, inArray, isNotNull } from 'drizzle-orm';
import type { RestOffer } from '../../../contract/incidents.ts';
import { isSettled } from '../../../domain/route-progress.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { trafficIncidents } from '../../incidents/tables.ts';
import { routeInScope, scopeOf } from '../../scope/service.ts';
import { today } from '../../settings/service.ts';
import { bestOrder } from '../optimize/best-order.ts';
import { findRoutes, findStops, type RouteRow, type StopRow, stopsOfRoutes } from '../queries.ts';
import { routes } from '../tables.ts';
import { homeDelay } from './legs.ts';
import { restOf } from './rest.ts';

/** A gain of so many seconds or less is not worth another order. */
const leastGainSeconds = 120;
/** Most routes looked at for one person, and most answers remembered. */
const mostRoutes = 20;
const mostKept = 200;

type Found = { gainSeconds: number; trafficSeconds: number; order: number[] } | null;

/**
 * What putting the rest of a route in another order would gain, for routes that a change of incidents touched. An answer
 * is computed once for each state of a route and shared by everyone who looks at it.
 */
export function restOffers(deps: Deps): (caller: Caller) => Promise<RestOffer[]> {
  const kept = new Map<string, Promise<Found>>();

  function gainOf(route: RouteRow, stops: readonly StopRow[]): Promise<Found> {
    const state = JSON.stringify([route.id, route.status, route.retimedAt, stops.map(stateOf)]);
    const known = kept.get(state);
    if (known) return known;
    const asked = computed(deps, route, stops);
    kept.set(state, asked);
    asked.catch(() => kept.delete(state));
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return asked;
  }

  return async (caller) => {
    const found = await retimedRoutes(deps, caller);
    if (found.length === 0) return [];
    const all = await findStops(deps.db, stopsOfRoutes(found.map((route) => route.id)));
    const offers: RestOffer[] = [];
    for (const route of found) {
      const stops = all.filter((stop) => stop.routeId === route.id);
      const gain = await gainOf(route, stops);
      if (gain) offers.push(await offerOf(deps, { route, stops, gain }));
    }
    return offers.toSorted((a, b) => b.gainMin - a.gainMin);
  };
}

const stateOf = ({ id, completed, skippedReason, delay, incidents }: StopRow) => [
  id,
  completed,
  skippedReason !== null,
  delay,
  incidents,
];

async function retimedRoutes(deps: Deps, caller: Caller): Promise<RouteRow[]> {
  const day = await today(deps.db, deps.clock);
  const active = inArray(routes.status, ['planned', 'in_progress']);
  const scope = routeInScope(await scopeOf(deps, caller));
  const found = await findRoutes(deps.db, and(scope, active, isNotNull(routes.retimedAt), gte(routes.date, day)));
  return found.toSorted((a, b) => a.date.localeCompare(b.date)).slice(0, mostRoutes);
}

async function computed(deps: Deps, route: RouteRow, stops: readonly StopRow[]): Promise<Found> {
  const rest = await restOf(deps, route, stops);
  if (!rest || rest.stops.length < 2) return null;
  const best = await bestOrder(deps, rest.wish);
  const given = best.given.timed;
  const gainSeconds = given.drivingSeconds - best.timed.drivingSeconds;
  if (gainSeconds <= leastGainSeconds) return null;
  // An order that was poor before is not the fault of the incident.
  const trafficSeconds = Math.min(gainSeconds, Math.max(0, given.delay - best.timed.delay));
  return { gainSeconds, trafficSeconds, order: best.order.flatMap((place) => rest.stops[place - 1]?.id ?? []) };
}

type Offered = { route: RouteRow; stops: readonly StopRow[]; gain: NonNullable<Found> };

async function offerOf({ db }: Deps, { route, stops, gain }: Offered): Promise<RestOffer> {
  const costs = costsAhead(route, stops);
  const met = [...costs.keys()].toSorted((a, b) => (costs.get(b) ?? 0) - (costs.get(a) ?? 0));
  const { id, title } = trafficIncidents;
  const found = met.length === 0 ? [] : await db.select({ id, title }).from(trafficIncidents).where(inArray(id, met));
  const moved = new Set(gain.order);
  return {
    routeId: route.id,
    routeName: route.name,
    routeDesignation: route.routeDesignation,
    gainMin: Math.floor(gain.gainSeconds / 60),
    trafficMin: Math.floor(gain.trafficSeconds / 60),
    incidents: found.toSorted((a, b) => met.indexOf(a.id) - met.indexOf(b.id)),
    order: gain.order,
    given: stops.flatMap((stop) => (moved.has(stop.id) ? [stop.id] : [])),
  };
}

/** Seconds lost on the legs that an incident lies on, by its id, where the way is still to be driven. */
function costsAhead(route: RouteRow, stops: readonly StopRow[]): Map<number, number> {
  const ahead = stops.filter((stop) => !isSettled(stop) && stop.actualArrival === null);
  const legs = [...ahead, { incidents: route.homeIncidents, delay: homeDelay(route, stops) }];
  const costs = new Map<number, number>();
  for (const { incidents, delay } of legs) {
    for (const incident of incidents) costs.set(incident, (costs.get(incident) ?? 0) + delay);
  }
  return costs;
}
