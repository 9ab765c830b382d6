import type { ScheduledRoute, Stop } from '../../contract/routes.ts';
import type { ProgressEvent } from '../../domain/field-event.ts';
import { progressOf } from './progress.ts';
import type { Entry } from './records.ts';

/** A day's route as the driver left it: own unsent steps count before the server has them. */
export function withProgress(route: ScheduledRoute, entries: readonly Entry[], clockOffsetMs = 0): ScheduledRoute {
  return entries
    .filter((entry) => entry.status === 'unsent')
    .toSorted((a, b) => a.seq - b.seq)
    .flatMap((entry) => progressOf(entry) ?? [])
    .filter((event) => event.routeId === route.id)
    .reduce((before, event) => applied(before, event, Date.parse(event.occurredAtClient) + clockOffsetMs), route);
}

function applied(route: ScheduledRoute, event: ProgressEvent, atMs: number): ScheduledRoute {
  if (event.type === 'route-started') {
    return route.status === 'planned' ? expected(started(route, atMs), atMs) : route;
  }
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
  return isThere ? expected(next, atMs + stop.serviceMin * 60_000, stop.id) : expected(next, atMs);
}

function started(route: ScheduledRoute, atMs: number): ScheduledRoute {
  return { ...route, status: 'in_progress', startedAt: new Date(atMs).toISOString() };
}

const isSettled = (stop: Stop): boolean => stop.completed || stop.skippedReason !== null;

function changedStop(stop: Stop, event: Exclude<ProgressEvent, { type: 'route-started' }>, at: string): Stop {
  const actualArrival = stop.actualArrival ?? at;
  switch (event.type) {
    case 'stop-arrived':
      return { ...stop, actualArrival };
    case 'stop-completed':
      return stop.completed ? stop : { ...stop, completed: true, actualArrival, skippedReason: null };
    case 'stop-skipped':
      return stop.completed ? stop : { ...stop, skippedReason: event.reason };
    case 'stop-reopened':
      return { ...stop, completed: false, skippedReason: null };
  }
}

/** When the rest is expected, by the server's own arithmetic: driving on from `fromMs` in the planned order. */
function expected(route: ScheduledRoute, fromMs: number, beingServed: number | null = null): ScheduledRoute {
  let clock = fromMs;
  const stops = route.stops.map((stop) => {
    if (isSettled(stop) || stop.id === beingServed) return stop;
    clock += (stop.legDurationMin ?? 0) * 60_000;
    const expectedArrival = new Date(clock).toISOString();
    clock += stop.serviceMin * 60_000;
    return { ...stop, expectedArrival };
  });
  return { ...route, stops };
}
