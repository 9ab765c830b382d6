import { expect, test } from 'vitest';
import { saveLocation } from '../actions.ts';
import type { Answer, Call } from '../environment.ts';
import { listOutbox } from '../kept/reads.ts';
import { createOffline } from '../offline.ts';
import { rememberSession } from '../session.ts';
import { refusal, testLocation, typeChange } from '../testing/booted-phone.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../testing/fake-phone.ts';
import { buildChanges } from '../testing/sample-changes.ts';
import { readDayWork } from './driver-day.ts';

const day = '2026-03-02';

function sent(eventId: string) {
  return {
    eventId,
    visitId: 'visit-before',
    itemType: 'market_item',
    itemId: 1,
    productName: 'Cola',
    kind: 'restock',
    quantity: 6,
    shown: 4,
    reason: 'fill',
  };
}

test('the day is what the server has and what this phone recorded since, each once', async () => {
  const server = { movements: [sent('before')], visits: [{ visitId: 'visit-before', bagNumber: 'B-1' }] };
  const clock = new FakeClock();
  const transport = async ({ path }: Call): Promise<Answer> => {
    if (path.startsWith('/api/sync/changes')) return { outcome: 'answered', body: buildChanges() };
    return path === `/api/day-work?date=${day}`
      ? { outcome: 'answered', body: { date: day, ...server } }
      : refusal(404);
  };
  const phone = { clock, calls: [], offline: createOffline(fakeEnvironment(clock, transport, 'day-work')) };
  await rememberSession(phone.offline, buildSession(1));
  expect(await readDayWork(phone.offline, day)).toMatchObject({ movements: [], bags: [] });
  await phone.offline.refresh();
  await typeChange(phone, 2);
  await saveLocation(phone.offline, { location: testLocation, position: null });
  const both = [
    { itemKey: 'market_item:1', productName: 'Cola', kind: 'restock', quantity: 6 },
    { itemKey: 'market_item:2', productName: 'Item 2', kind: 'count', quantity: 2 },
  ];
  const work = await readDayWork(phone.offline, day);
  expect(work).toMatchObject({ movements: both, bags: [{ visitId: 'visit-before', bagNumber: 'B-1' }] });
  const own = (await listOutbox(phone.offline)).find((entry) => entry.type === 'stock-event');
  server.movements.push({ ...sent(own?.id ?? ''), itemId: 2, productName: 'Item 2' });
  await phone.offline.refresh();
  expect((await readDayWork(phone.offline, day)).movements).toMatchObject(both);
  expect((await readDayWork(phone.offline, '2026-03-03')).movements).toEqual([]);
});
