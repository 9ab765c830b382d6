import { expect, test } from 'vitest';
import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import { recordProgress } from '../actions.ts';
import type { Answer, Call } from '../environment.ts';
import { createOffline } from '../offline.ts';
import { rememberSession } from '../session.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../testing/fake-phone.ts';
import { buildChanges } from '../testing/sample-changes.ts';
import { ScriptedServer } from '../testing/scripted-server.ts';
import { listRoutesOfDay, readDriverDay, routesAsLeft } from './driver-day.ts';

const day = '2026-03-02';
const stop = (id: number) =>
  ({ id, routeId: 1, completed: false, skippedReason: null, actualArrival: null, expectedArrival: null }) as Stop;
const route = {
  id: 1,
  name: 'Route 101',
  date: day,
  status: 'in_progress',
  stops: [stop(1), stop(2)],
} as unknown as ScheduledRoute;

const openIn = (routes: readonly ScheduledRoute[]): number[] =>
  routes.flatMap(({ stops }) => stops.filter(({ completed }) => !completed).map(({ id }) => id));

test('a completed stop is done in every list: before it is sent, after, and while the rows of before stand', async () => {
  const clock = new FakeClock();
  const server = new ScriptedServer(clock.now);
  const changes = () => buildChanges({ reset: true, serverTime: new Date(clock.now()).toISOString(), routes: [route] });
  const transport = async (call: Call): Promise<Answer> =>
    call.path.startsWith('/api/sync/changes') ? { outcome: 'answered', body: changes() } : server.transport(call);
  const offline = createOffline(fakeEnvironment(clock, transport, 'driver-day'));
  await rememberSession(offline, buildSession(1));
  await offline.refresh();
  const lists = async () => [
    openIn(await listRoutesOfDay(offline, day)),
    openIn(routesAsLeft(await readDriverDay(offline, day))),
  ];
  expect(await lists()).toEqual([
    [1, 2],
    [1, 2],
  ]);
  clock.nowMs += 60_000;
  await recordProgress(offline, { steps: [{ type: 'stop-completed', routeId: 1, stopId: 1 }] });
  expect(await lists()).toEqual([[2], [2]]);
  await offline.sender.flush();
  expect(server.field.size).toBe(1);
  expect(await lists()).toEqual([[2], [2]]);
});
