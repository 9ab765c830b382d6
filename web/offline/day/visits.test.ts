import { expect, test, vi } from 'vitest';
import { saveLocation } from '../actions.ts';
import { rememberSession } from '../session.ts';
import { bootPhone, testLocation, typeChange } from '../testing/booted-phone.ts';
import { buildSession, FakeClock } from '../testing/fake-phone.ts';
import { buildMachine } from '../testing/sample-changes.ts';
import { ScriptedServer } from '../testing/scripted-server.ts';
import { changeVisit, openVisit } from './visits.ts';

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

test('what was only noted at a place that left the phone goes with the next visit; at one that is still there it waits', async () => {
  const server = new ScriptedServer(new FakeClock().now);
  const { offline } = bootPhone((call) => server.transport(call));
  await rememberSession(offline, buildSession(1));
  const row = buildMachine({ id: 7 });
  await offline.store.write(['machines'], (tx) => tx.objectStore('machines').put({ id: 7, generation: 1, row }));
  for (const id of [7, 8]) {
    const visit = { location: { type: 'vending_machine', id } as const, routeId: null, stopId: null };
    await changeVisit(offline, await openVisit(offline, visit), { bagNumber: `BAG-${id}` });
  }
  await openVisit(offline, nextMachine);
  const sent = (await offline.store.read(['outbox'], (tx) => tx.objectStore('outbox').getAll())).flatMap((entry) =>
    entry.type === 'visit' ? [entry.event.bagNumber] : [],
  );
  expect(sent).toEqual(['BAG-8']);
  const kept = await offline.store.read(['visits'], (tx) => tx.objectStore('visits').getAll());
  expect(kept.map(({ bagNumber }) => bagNumber)).toEqual([undefined, 'BAG-7']);
});
