import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import { spanText } from '../../../domain/exception.ts';
import { shownMinutes } from '../../../domain/route-progress.ts';
import { operatorRules } from '../../http/operator-rules.ts';
import { toLatLng } from '../../http/parse.ts';
import type { Tone } from '../../ui/badge.tsx';

/** Ahead of the plan by less than this is on time; behind it, as on the driver's phone, nothing is. */
const earlyAfterMin = 5;

type State = { tone: Tone; word: string };

export function isOpen(stop: Stop): boolean {
  return !stop.completed && stop.skippedReason === null;
}

function openStops(route: ScheduledRoute): Stop[] {
  return route.stops.filter(isOpen);
}

export function doneStops(route: ScheduledRoute): number {
  return route.stops.filter((stop) => stop.completed).length;
}

/** What a route is called where there is little room. */
export function shortName(route: Pick<ScheduledRoute, 'routeDesignation' | 'name'>): string {
  return route.routeDesignation ?? route.name;
}

/**
 * Minutes behind the plan: as far as the last arrival was, or as far as the next stop is overdue. Negative is ahead;
 * null while nothing can be said.
 */
function delayMin(route: ScheduledRoute, now: Date): number | null {
  if (route.status === 'completed') return null;
  const done = route.stops.findLast((stop) => stop.actualArrival && stop.estimatedArrival);
  const next = route.stops.find((stop) => isOpen(stop) && !stop.actualArrival);
  const atLast = done ? minutesBetween(done.estimatedArrival, done.actualArrival) : null;
  const atNext = next ? minutesBetween(next.estimatedArrival, now.toISOString()) : null;
  if (atNext !== null && atNext > (atLast ?? 0)) return atNext;
  return route.status === 'in_progress' ? atLast : null;
}

function minutesBetween(planned: string | null, actual: string | null): number | null {
  if (!planned || !actual) return null;
  return shownMinutes(Date.parse(planned), Date.parse(actual));
}

export function routeState(route: ScheduledRoute, now: Date): State {
  if (route.status === 'completed') return { tone: 'ok', word: 'Completed' };
  const delay = delayMin(route, now);
  if (delay !== null && delay > operatorRules().lateAfterMin) return { tone: 'warn', word: `${spanText(delay)} late` };
  if (route.status === 'planned') return { tone: 'idle', word: 'Not started' };
  if (delay !== null && delay > 0) return { tone: 'idle', word: `${delay} min late` };
  if (delay !== null && delay <= -earlyAfterMin) return { tone: 'ok', word: `${spanText(-delay)} early` };
  return { tone: 'ok', word: 'On time' };
}

/** Live state of a stop: done, left out, the next one, late, or still planned. */
export function stopState(stop: Stop, route: ScheduledRoute, now: Date): State {
  if (stop.completed) return { tone: 'ok', word: 'Done' };
  if (stop.skippedReason !== null) return { tone: 'outline', word: 'Skipped' };
  const lateBy = minutesBetween(stop.estimatedArrival, stop.actualArrival ?? now.toISOString());
  if (lateBy !== null && lateBy > operatorRules().lateAfterMin)
    return { tone: 'warn', word: `${spanText(lateBy)} late` };
  const isNext = route.status === 'in_progress' && route.stops.find(isOpen)?.id === stop.id;
  return isNext ? { tone: 'run', word: 'Next' } : { tone: 'idle', word: 'Planned' };
}

/** The open stops of a saved route, from its own depot. */
export function optimizeBodyOf(route: ScheduledRoute) {
  const open = openStops(route);
  const start = route.depot && toLatLng(route.depot);
  return {
    routeId: route.id,
    marketIds: open.flatMap((stop) => stop.marketId ?? []),
    vendingMachineIds: open.flatMap((stop) => stop.vendingMachineId ?? []),
    ...(start ? { startLocation: start } : {}),
  };
}

/** Routes that optimising can change. */
export function optimizable(routes: readonly ScheduledRoute[]): ScheduledRoute[] {
  return routes.filter((route) => route.status !== 'completed' && openStops(route).length > 0);
}

/** Why optimising is not possible now; null when it is. */
export function whyNotOptimize(routes: readonly ScheduledRoute[] | undefined): string | null {
  if (!routes) return "Today's routes are not loaded yet.";
  if (routes.length === 0) return 'There is no route today to optimize.';
  if (optimizable(routes).length > 0) return null;
  return routes.length === 1 ? 'Every stop of this route is done.' : 'Every stop of today is done.';
}
