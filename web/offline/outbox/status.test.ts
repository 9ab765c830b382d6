import { expect, test } from 'vitest';
import { closeVisit, openVisit, saveLocation } from '../actions.ts';
import { listOutbox } from '../kept/reads.ts';
import { rememberSession } from '../session.ts';
import { type BootedPhone, bootPhone, testLocation, typeChange, unreachable } from '../testing/booted-phone.ts';
import { buildSession } from '../testing/fake-phone.ts';
import { itemKey } from './records.ts';
import { countStored } from './status.ts';

const atOffice = { type: 'market', id: 2 } as const;

async function phoneAtVisit(): Promise<BootedPhone> {
  const phone = bootPhone(() => unreachable);
  await rememberSession(phone.offline, buildSession(1));
  await openVisit(phone.offline, { location: testLocation, routeId: null, stopId: null });
  return phone;
}

const unsentOf = async ({ offline, clock }: BootedPhone): Promise<number> =>
  (await countStored(offline.store, clock.now())).unsent;

async function save(phone: BootedPhone): Promise<void> {
  await saveLocation(phone.offline, { location: testLocation, position: null });
}

test('one count saved in a visit is one change, though the visit is told with it', async () => {
  const phone = await phoneAtVisit();
  await typeChange(phone, 1);
  await save(phone);
  expect(await unsentOf(phone)).toBe(1);
  expect(await listOutbox(phone.offline)).toMatchObject([{ type: 'stock-event' }]);
  await typeChange(phone, 1);
  await typeChange(phone, 2);
  await save(phone);
  expect(await unsentOf(phone)).toBe(3);
  expect(await listOutbox(phone.offline)).toHaveLength(3);
});

test('an item found, cleared and filled is one change', async () => {
  const phone = await phoneAtVisit();
  await typeChange(phone, 1, { kind: 'restock', quantity: 6, reason: 'quick_restock' });
  await phone.offline.store.write(['drafts'], async (tx) => {
    const [draft] = await tx.objectStore('drafts').getAll();
    if (draft) await tx.objectStore('drafts').put({ ...draft, found: 2, taken: { expired: 1 } });
  });
  await save(phone);
  expect(await unsentOf(phone)).toBe(1);
  expect(await listOutbox(phone.offline)).toMatchObject([
    { itemKey: itemKey({ itemType: 'market_item', itemId: 1 }), event: { kind: 'restock', quantity: 6 } },
  ]);
});

test('a visit that ends because the next begins adds nothing, one that is ended by hand does', async () => {
  const phone = await phoneAtVisit();
  await typeChange(phone, 1);
  await save(phone);
  const next = await openVisit(phone.offline, { location: atOffice, routeId: null, stopId: null });
  expect(await unsentOf(phone)).toBe(1);
  await closeVisit(phone.offline, next);
  expect(await unsentOf(phone)).toBe(2);
});

test('what is left of a change counts as one until it is sent too', async () => {
  const phone = await phoneAtVisit();
  await typeChange(phone, 1);
  await save(phone);
  await phone.offline.store.write(['outbox'], async (tx) => {
    const [first] = await tx.objectStore('outbox').getAll();
    if (first) await tx.objectStore('outbox').put({ ...first, status: 'saved' });
  });
  expect(await unsentOf(phone)).toBe(1);
  expect(await listOutbox(phone.offline)).toMatchObject([{ type: 'visit' }]);
});
