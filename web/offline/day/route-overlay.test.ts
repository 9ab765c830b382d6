import { expect, test } from 'vitest';
import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import type { ProgressEntry } from '../outbox/records.ts';
import type { ProgressStep } from './progress.ts';
import { withProgress } from './route-overlay.ts';

const stop = (id: number) =>
  ({
    id,
    completed: false,
    skippedReason: null,
    actualArrival: null,
    expectedArrival: null,
    legDurationMin: 10,
    serviceMin: 5,
  }) as Stop;
const route = {
  id: 1,
  status: 'planned',
  startedAt: null,
  completedAt: null,
  completedStops: 0,
  stops: [stop(1), stop(2), stop(3)],
} as unknown as ScheduledRoute;

function said(seq: number, step: ProgressStep, at: string): ProgressEntry {
  const base = { eventId: `e${seq}`, schemaVersion: 1, occurredAtClient: at, deviceSeq: seq, lastServerTime: null };
  const entry = {
    seq,
    id: `e${seq}`,
    userId: 1,
    status: 'unsent' as const,
    reason: null,
    savedAt: at,
    answeredAt: null,
  };
  return { ...entry, type: 'progress', event: { ...step, ...base } };
}

const at = (routeNow: ScheduledRoute) => routeNow.stops.map((one) => one.expectedArrival?.slice(11, 16) ?? null);

test('a start sets when the rest is expected, and a service moves it', () => {
  const start = said(1, { type: 'route-started', routeId: 1 }, '2026-03-02T08:00:00.000Z');
  expect(at(withProgress(route, [start]))).toEqual(['08:10', '08:25', '08:40']);
  const arrived = said(2, { type: 'stop-arrived', routeId: 1, stopId: 1 }, '2026-03-02T08:30:00.000Z');
  expect(at(withProgress(route, [start, arrived])).slice(1)).toEqual(['08:45', '09:00']);
});

test('a route ends with its last stop done or skipped, and goes on when one is opened again', () => {
  const place = { routeId: 1 };
  const entries = [
    said(1, { type: 'stop-completed', ...place, stopId: 1 }, '2026-03-02T08:00:00.000Z'),
    said(2, { type: 'stop-skipped', ...place, stopId: 2, reason: 'Closed' }, '2026-03-02T09:00:00.000Z'),
    said(3, { type: 'stop-completed', ...place, stopId: 3 }, '2026-03-02T10:00:00.000Z'),
  ];
  expect(withProgress(route, entries)).toMatchObject({ status: 'completed', completedStops: 2 });
  const again = said(4, { type: 'stop-reopened', ...place, stopId: 2 }, '2026-03-02T11:00:00.000Z');
  expect(withProgress(route, [...entries, again])).toMatchObject({ status: 'in_progress', completedAt: null });
});
