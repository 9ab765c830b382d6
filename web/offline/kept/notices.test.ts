import { expect, test } from 'vitest';
import { saveLocation } from '../actions.ts';
import { createOffline } from '../offline.ts';
import { rememberSession } from '../session.ts';
import { testLocation, typeChange } from '../testing/booted-phone.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../testing/fake-phone.ts';
import { ScriptedServer } from '../testing/scripted-server.ts';
import { refreshNotices } from './notices.ts';

test('what a manager booked is saved, what was left out says so, and what nobody decided stays', async () => {
  const clock = new FakeClock();
  const server = new ScriptedServer(clock.now);
  const phone = { clock, calls: [], offline: createOffline(fakeEnvironment(clock, server.transport, 'notices')) };
  await rememberSession(phone.offline, buildSession(1));
  for (const item of [1, 2, 3]) {
    server.refusedItems.add(item);
    await typeChange(phone, item);
  }
  const entries = await saveLocation(phone.offline, { location: testLocation, position: null });
  await phone.offline.sender.flush();
  const [booked, leftOut] = entries.map((entry) => entry.id);
  server.notices = {
    conflicts: [],
    decided: [
      { eventId: booked ?? '', resolution: 'accepted' },
      { eventId: leftOut ?? '', resolution: 'dismissed' },
    ],
  };
  await refreshNotices(phone.offline);
  const kept = await phone.offline.store.read(['outbox'], (tx) => tx.objectStore('outbox').getAll());
  expect(kept.map(({ status, reason }) => [status, reason])).toEqual([
    ['saved', null],
    ['refused', 'A manager looked at this change and left it out.'],
    ['refused', 'This item was removed.'],
  ]);
});
