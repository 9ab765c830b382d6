import { expect, test } from 'vitest';
import { recordProgress, saveLocation } from '../actions.ts';
import { settleEvents, stepsOf } from '../outbox/outbox.ts';
import { rememberSession } from '../session.ts';
import { bootPhone, testLocation, typeChange, unreachable } from '../testing/booted-phone.ts';
import { buildSession } from '../testing/fake-phone.ts';
import { countUnsentChanges, listOutbox } from './reads.ts';

/** A phone with three counts and two steps of a route that wait to be sent. */
async function busyPhone() {
  const phone = bootPhone(() => unreachable);
  await rememberSession(phone.offline, buildSession(1));
  for (const item of [1, 2, 3]) await typeChange(phone, item);
  await saveLocation(phone.offline, { location: testLocation, position: null });
  await recordProgress(phone.offline, { steps: [{ type: 'route-started', routeId: 1 }] });
  await recordProgress(phone.offline, { steps: [{ type: 'stop-completed', routeId: 1, stopId: 4 }] });
  return phone;
}

test('unsent changes are counted without the steps: those known from before, and those made since', async () => {
  const phone = await busyPhone();
  const { offline } = phone;
  expect(await countUnsentChanges(offline)).toBe(3);
  await typeChange(phone, 9);
  await saveLocation(offline, { location: testLocation, position: null });
  expect(await countUnsentChanges(offline)).toBe(4);
  const [first] = await listOutbox(offline);
  await settleEvents(offline.store, {
    bySeq: new Map([
      [first?.seq ?? 0, { eventId: '', status: 'applied', reason: null, quantity: null, version: null }],
    ]),
    serverTime: null,
    nowMs: phone.clock.now(),
  });
  expect(await countUnsentChanges(offline)).toBe(3);
});

test('the steps of a day are found among any number of counts, in their order', async () => {
  const { offline } = await busyPhone();
  const steps = await offline.store.read(['outbox'], (tx) => stepsOf(tx, 1, 'unsent'));
  expect(steps.map((entry) => entry.type === 'progress' && entry.event.type)).toEqual([
    'route-started',
    'stop-completed',
  ]);
  expect(await offline.store.read(['outbox'], (tx) => stepsOf(tx, 2, 'unsent'))).toEqual([]);
});
