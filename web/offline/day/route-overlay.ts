import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import type { ProgressEvent, StopEvent } from '../../../domain/field-event.ts';
import { beginsAt, expectedArrivals, isSettled } from '../../../domain/route-progress.ts';
import type { Entry } from '../outbox/records.ts';
import { progressOf } from './progress.ts';

/**
 * A day's route as the driver left it: own steps count before the server's rows have them. `asOf` is the server's time
 * when the rows were read: steps that it took later are not in them yet.
 */
export function withProgress(
  route: ScheduledRoute,
  entries: readonly Entry[],
  clockOffsetMs = 0,
  asOf: string | null = null,
): ScheduledRoute {
  return entries
    .filter((entry) => entry.status === 'unsent' || isTakenSince(entry, asOf))
    .toSorted((a, b) => a.seq - b.seq)
    .flatMap((entry) => progressOf(entry) ?? [])
    .filter((event) => event.routeId === route.id)
    .reduce((before, event) => applied(before, event, Date.parse(event.occurredAtClient) + clockOffsetMs), route);
}

/** Whether the server took a step at that time of its own or later. */
export function isTakenSince({ status, answeredAt }: Entry, asOf: string | null): boolean {
  return status === 'saved' && asOf !== null && answeredAt !== null && Date.parse(answeredAt) >= Date.parse(asOf);
}

function applied(route: ScheduledRoute, event: ProgressEvent, atMs: number): ScheduledRoute {
  if (!('stopId' in event)) return appliedToRoute(route, event.type, atMs);
  const stop = route.stops.find((one) => one.id === event.stopId);
  if (!stop) return route;
  const base = route.status === 'planned' ? started(route, atMs) : route;
  const changed = changedStop(stop, event, new Date(atMs).toISOString());
  const stops = base.stops.map((one) => (one.id === stop.id ? changed : one));
  const isDone = stops.every(isSettled);
  const isThere = event.type === 'stop-arrived' && !stop.completed;
  const next = {
    ...base,
    stops,
    status: isDone ? ('completed' as const) : ('in_progress' as const),
    completedStops: stops.filter((one) => one.completed).length,
    completedAt: isDone ? (base.completedAt ?? new Date(atMs).toISOString()) : null,
  };
  return isThere ? expected(next, beginsAt(stop, atMs) + stop.serviceMin * 60_000, stop.id) : expected(next, atMs);
}

function appliedToRoute(
  route: ScheduledRoute,
  step: Exclude<ProgressEvent, StopEvent>['type'],
  atMs: number,
): ScheduledRoute {
  if (step === 'route-started') return route.status === 'planned' ? expected(started(route, atMs), atMs) : route;
  const isUntouched = route.stops.every((stop) => !isSettled(stop) && stop.actualArrival === null);
  if (step === 'start-undone') {
    if (route.status !== 'in_progress' || !isUntouched) return route;
    const stops = route.stops.map((stop) => ({ ...stop, expectedArrival: null }));
    return { ...route, status: 'planned', startedAt: null, stops };
  }
  if (route.status === 'completed' || !route.stops.every(isSettled)) return route;
  return { ...route, status: 'completed', completedAt: new Date(atMs).toISOString() };
}

function started(route: ScheduledRoute, atMs: number): ScheduledRoute {
  return { ...route, status: 'in_progress', startedAt: new Date(atMs).toISOString() };
}

function changedStop(stop: Stop, event: StopEvent, at: string): Stop {
  const actualArrival = stop.actualArrival ?? at;
  switch (event.type) {
    case 'stop-arrived':
      return { ...stop, actualArrival };
    case 'stop-completed':
      return stop.completed ? stop : { ...stop, completed: true, actualArrival, skippedReason: null };
    case 'stop-skipped':
      return stop.completed ? stop : { ...stop, skippedReason: event.reason };
    case 'arrival-undone':
      return stop.completed ? stop : { ...stop, actualArrival: null };
    case 'stop-reopened':
      return { ...stop, completed: false, skippedReason: null };
  }
}

/** When the rest is expected, by the server's own arithmetic: driving on from `fromMs` in the planned order. */
function expected(route: ScheduledRoute, fromMs: number, beingServed: number | null = null): ScheduledRoute {
  const at = expectedArrivals(route.stops, fromMs, beingServed);
  const stops = route.stops.map((stop) => ({ ...stop, expectedArrival: at.get(stop.id) ?? stop.expectedArrival }));
  return { ...route, stops };
}
