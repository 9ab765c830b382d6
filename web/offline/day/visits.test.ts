import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { saveLocation } from '../actions.ts';
import { rememberSession } from '../session.ts';
import { bootPhone, testLocation, typeChange } from '../testing/booted-phone.ts';
import { buildSession, FakeClock } from '../testing/fake-phone.ts';
import { ScriptedServer } from '../testing/scripted-server.ts';
import { openVisit } from './visits.ts';

const nextMachine = { location: { type: 'vending_machine', id: 2 } as const, routeId: null, stopId: null };

test('a visit that ends because the next machine is opened goes to the server without a further save', async () => {
  const server = new ScriptedServer(new FakeClock().now);
  const phone = bootPhone((call) => server.transport(call));
  const { offline } = phone;
  await rememberSession(offline, buildSession(1));
  await openVisit(offline, { location: testLocation, routeId: null, stopId: null });
  await typeChange(phone, 1);
  await saveLocation(offline, { location: testLocation, position: null });
  await offline.sender.flush();
  await openVisit(offline, nextMachine);
  const visits = async () =>
    (await offline.store.read(['outbox'], (tx) => tx.objectStore('outbox').getAll())).flatMap((entry) =>
      entry.type === 'visit' ? [`${entry.event.closedAtClient ? 'ended' : 'open'} ${entry.status}`] : [],
    );
  await vi.waitFor(async () => expect(await visits()).toEqual(['open saved', 'ended saved']));
});

test('opening a machine with no visit left behind asks nothing of the server', async () => {
  const server = new ScriptedServer(new FakeClock().now);
  const phone = bootPhone((call) => server.transport(call));
  await rememberSession(phone.offline, buildSession(1));
  await openVisit(phone.offline, nextMachine);
  await phone.offline.sender.flush();
  expect(phone.calls.filter((call) => call.method === 'POST')).toEqual([]);
});
