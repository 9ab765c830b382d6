import { expect, test } from 'vitest';
import type { Changes } from '../../../contract/sync.ts';
import { saveLocation } from '../actions.ts';
import type { Answer } from '../environment.ts';
import { listDrafts } from '../outbox/drafts.ts';
import { forgetSession, rememberSession } from '../session.ts';
import { bootPhone, refusal, testLocation, typeChange, unreachable } from '../testing/booted-phone.ts';
import { buildSession } from '../testing/fake-phone.ts';
import { buildChanges, buildItem, buildMarket, buildProduct } from '../testing/sample-changes.ts';
import { findProduct, listLocations, listStock } from './reads.ts';

/** A server that hands out its pages one after the other, then nothing new. */
function pages(...given: Changes[]) {
  const left = [...given];
  return (): Answer => ({ outcome: 'answered', body: left.shift() ?? buildChanges({ cursor: 'end' }) });
}

async function downloaded(answer: () => Answer) {
  const phone = bootPhone(answer);
  await rememberSession(phone.offline, buildSession(1));
  await phone.offline.refresh();
  return phone;
}

const market = buildMarket();
const first = buildChanges({ reset: true, markets: [market], items: [buildItem({ version: 5, currentQuantity: 40 })] });

test('pages are fetched until there is no more, each from where the last one ended', async () => {
  const phone = await downloaded(pages({ ...first, more: true, cursor: 'a' }, buildChanges({ cursor: 'b' })));
  expect(phone.calls.map((call) => call.path)).toEqual(['/api/sync/changes', '/api/sync/changes?cursor=a']);
  expect(await listLocations(phone.offline)).toMatchObject([{ address: '1 Test Street, Springfield, NJ' }]);
});

test('a page made before an upload was answered does not bring the old quantity back', async () => {
  const stale = buildChanges({ items: [buildItem({ version: 4, currentQuantity: 7 })] });
  const phone = await downloaded(pages(first, stale));
  await phone.offline.refresh();
  expect(await listStock(phone.offline, testLocation)).toMatchObject([{ quantity: 40 }]);
});

test('after a reset the old copy stays until the new one is whole, then what is gone from the server goes', async () => {
  const gone = buildMarket({ id: 2 });
  const phone = await downloaded(
    pages({ ...first, markets: [market, gone] }, { ...first, more: true }, buildChanges()),
  );
  expect(await listLocations(phone.offline)).toHaveLength(2);
  await phone.offline.refresh();
  expect(await listLocations(phone.offline)).toMatchObject([{ ref: { id: 1 } }]);
});

test('a download cut off by a dead network leaves the old copy usable', async () => {
  let count = 0;
  const phone = await downloaded(() => {
    count += 1;
    if (count === 1) return { outcome: 'answered', body: first };
    return count === 2 ? { outcome: 'answered', body: { ...first, markets: [], more: true } } : unreachable;
  });
  await phone.offline.refresh();
  expect(await listLocations(phone.offline)).toHaveLength(1);
});

test('a cursor the server no longer knows starts the download anew', async () => {
  let count = 0;
  const phone = await downloaded(() => {
    count += 1;
    return count === 2 ? refusal(410) : { outcome: 'answered', body: first };
  });
  await phone.offline.refresh();
  expect(phone.calls.at(-1)?.path).toBe('/api/sync/changes');
});

test('sign-out wipes what was downloaded and keeps unsent changes and drafts', async () => {
  const phone = await downloaded(pages(first));
  await typeChange(phone, 1);
  await saveLocation(phone.offline, { location: testLocation, position: null });
  await typeChange(phone, 2);
  await forgetSession(phone.offline, { isTold: true });
  expect(await listLocations(phone.offline)).toEqual([]);
  expect(await listDrafts(phone.offline.store, 1)).toHaveLength(1);
  const kept = await phone.offline.store.read(['outbox'], (tx) => tx.objectStore('outbox').count());
  expect(kept).toBe(1);
});

test('another person on the same phone finds nothing of the first', async () => {
  const phone = await downloaded(pages(first));
  await rememberSession(phone.offline, buildSession(2));
  expect(await listLocations(phone.offline)).toEqual([]);
});

test('unsent changes lie on top of the server quantity in the order they were made', async () => {
  const phone = await downloaded(pages(first));
  for (const change of [
    { kind: 'restock', quantity: 5, reason: 'barcode_scan' } as const,
    { kind: 'count', quantity: 12, reason: 'manual_count' } as const,
    { kind: 'restock', quantity: 3, reason: 'barcode_restock' } as const,
  ]) {
    await typeChange(phone, 1, change);
    await saveLocation(phone.offline, { location: testLocation, position: null });
  }
  expect(await listStock(phone.offline, testLocation)).toMatchObject([{ quantity: 15, state: 'saved_on_phone' }]);
});

test('a 12-digit scan finds the product stored with 13 digits', async () => {
  const phone = await downloaded(pages({ ...first, products: [buildProduct({ barcodes: ['0036000291452'] })] }));
  expect(await findProduct(phone.offline, '036000291452 ')).toMatchObject({ id: 1 });
  expect(await findProduct(phone.offline, '111')).toBeNull();
});
