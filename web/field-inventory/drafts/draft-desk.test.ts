import { expect, test, vi } from 'vitest';
import { exportUnsent, saveLocation } from '../../offline/actions.ts';
import type { StockRow } from '../../offline/kept/reads.ts';
import { createOffline } from '../../offline/offline.ts';
import { changeWords, getVisit, listDrafts, putDrafts } from '../../offline/outbox/drafts.ts';
import { openStore, type Store } from '../../offline/outbox/store.ts';
import { rememberSession } from '../../offline/session.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../../offline/testing/fake-phone.ts';
import { DraftDesk } from './draft-desk.ts';

const location = { type: 'market', id: 1 } as const;
const row = {
  itemType: 'market_item',
  itemId: 5,
  productName: 'Cola',
  quantity: 3,
  capacity: null,
} as StockRow;

/** A phone whose disk can be filled up and emptied. */
function phone(name: string) {
  const disk = { isFull: false };
  // A second try finds an empty phone as well.
  const store = openStore(`${name}-${crypto.randomUUID()}`);
  const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
  const filling: Store = { ...store, write: (names, work) => (disk.isFull ? full() : store.write(names, work)) };
  const clock = new FakeClock();
  const environment = fakeEnvironment(clock, async () => ({ outcome: 'unreachable' }), 'unused');
  const offline = createOffline(environment, filling);
  return { disk, store, clock, offline, desk: new DraftDesk(offline, 1) };
}

const shown = (desk: DraftDesk) => [...desk.get().values()].map(({ change }) => change.quantity);
const kept = async (store: Store) => (await listDrafts(store, 1)).map(({ change }) => change.quantity);

test('a change without room stays on the screen, is in the file, and is kept as soon as there is room', async () => {
  const { disk, store, clock, offline, desk } = phone('desk-1');
  desk.apply(location, row, { type: 'count', quantity: 4, reason: 'manual_count' });
  await desk.settled();
  disk.isFull = true;
  clock.nowMs += 5_000;
  desk.apply(location, row, { type: 'count', quantity: 9, reason: 'manual_count' });
  await expect(desk.settled()).rejects.toThrow('NOT saved');
  expect(offline.status.get()).toMatchObject({ notSaved: true });
  // Something stored changed elsewhere: what is read again must not take the place of what was typed.
  await desk.load();
  expect(shown(desk)).toEqual([9]);
  expect(await kept(store)).toEqual([4]);
  const file = JSON.parse(await (await exportUnsent(offline, [...desk.get().values()])).text());
  expect(file.onScreen).toMatchObject([{ itemId: 5, change: { quantity: 9 } }]);
  disk.isFull = false;
  await desk.settled();
  expect(await kept(store)).toEqual([9]);
  expect(offline.status.get()).toMatchObject({ notSaved: false });
});

test('each change without room asks for an answer of its own', async () => {
  const { disk, offline, desk } = phone('desk-2');
  disk.isFull = true;
  desk.apply(location, row, { type: 'count', quantity: 1, reason: 'manual_count' });
  await expect(desk.settled()).rejects.toThrow('NOT saved');
  const before = offline.status.get().refusedWrites;
  desk.apply(location, row, { type: 'count', quantity: 2, reason: 'manual_count' });
  await expect(desk.settled()).rejects.toThrow('NOT saved');
  expect(offline.status.get().refusedWrites).toBeGreaterThan(before);
});

test('what was cleared comes back whole: the changes, the note and the photos', async () => {
  const { store, desk } = phone('desk-3');
  await changeWords(store, { userId: 1, location }, () => ({ note: 'Cooler is warm', photoIds: ['a'] }));
  desk.apply(location, row, { type: 'count', quantity: 4, reason: 'manual_count' });
  const { cleared, undo } = desk.clear(location);
  await desk.settled();
  expect(cleared).toBe(1);
  expect(await getVisit(store, 1, location)).toMatchObject({ note: '', photoIds: [] });
  // Taken before the change of mind.
  await changeWords(store, { userId: 1, location }, () => ({ photoIds: ['b'] }));
  undo();
  await desk.settled();
  expect(await kept(store)).toEqual([4]);
  expect(await getVisit(store, 1, location)).toMatchObject({ note: 'Cooler is warm', photoIds: ['a', 'b'] });
});

test('a photo kept while the note is written stays with the visit', async () => {
  const { store } = phone('desk-4');
  const here = { userId: 1, location };
  await Promise.all([
    changeWords(store, here, ({ photoIds }) => ({ photoIds: [...photoIds, 'a'] })),
    changeWords(store, here, () => ({ note: 'Warm' })),
  ]);
  expect(await getVisit(store, 1, location)).toMatchObject({ note: 'Warm', photoIds: ['a'] });
});

test('a filling goes by the name of the planned product it brings, what is taken out by that of the old one', async () => {
  const { offline, desk } = phone('desk-planned');
  await rememberSession(offline, buildSession(1));
  const planned = { ...row, planned: { productName: 'Tea', price: '1.00' } };
  desk.apply(location, planned, { type: 'taken', why: 'removed', units: 3 });
  desk.apply(location, planned, { type: 'put', units: 6 });
  await desk.settled();
  const entries = await saveLocation(offline, { location, position: null });
  expect(entries.map(({ event, productName }) => [event.kind, productName])).toEqual([
    ['removal', 'Cola'],
    ['restock', 'Tea'],
  ]);
});

/** How often the drafts were read, or anything written, since it was begun. */
function watched(name: string) {
  const { offline, clock } = phone(name);
  const seen = { reads: 0, writes: 0 };
  const store: Store = {
    ...offline.store,
    read: (names, work) => {
      seen.reads += Number(names.includes('drafts'));
      return offline.store.read(names, work);
    },
    write: (names, work) => {
      seen.writes += 1;
      return offline.store.write(names, work);
    },
  };
  const watching = { ...offline, store };
  const desk = new DraftDesk(watching, 1);
  offline.signal.subscribe(desk.heard);
  return { offline: watching, clock, desk, seen };
}

test('a tap is written and not read again; what another tab changes is', async () => {
  const { offline, desk, seen } = watched('desk-4');
  await desk.load();
  seen.reads = 0;
  desk.apply(location, row, { type: 'count', quantity: 4, reason: 'manual_count' });
  await desk.settled();
  expect(seen).toEqual({ reads: 0, writes: 1 });
  const [draft] = desk.get().values();
  if (!draft) throw new Error('No draft');
  await putDrafts(offline.store, [{ ...draft, change: { ...draft.change, quantity: 7 } }]);
  offline.signal.heard();
  await vi.waitFor(() => expect(shown(desk)).toEqual([7]));
});

test('what another tab changes while a tap is being written is shown after it', async () => {
  const { offline, desk } = watched('desk-5');
  await desk.load();
  desk.apply(location, row, { type: 'count', quantity: 4, reason: 'manual_count' });
  const [draft] = desk.get().values();
  if (!draft) throw new Error('No draft');
  await desk.settled();
  await putDrafts(offline.store, [{ ...draft, itemId: 6 }]);
  offline.signal.heard();
  desk.apply(location, row, { type: 'count', quantity: 5, reason: 'manual_count' });
  await vi.waitFor(() => expect(shown(desk)).toEqual([5, 4]));
});

test('filling a whole machine is one write: an app that dies leaves all of it or nothing', async () => {
  const { desk, seen } = watched('desk-6');
  const slots = [1, 2, 3].map((itemId) => ({ ...row, itemType: 'machine_slot', itemId, capacity: 10 }) as StockRow);
  const { filled } = desk.fill({ type: 'vending_machine', id: 2 }, slots);
  await desk.settled();
  expect(filled).toBe(3);
  expect(seen.writes).toBe(1);
});

test('what is added while the save is under way is added once, and what was taken out is said once', async () => {
  const { offline, clock, desk, store } = phone('desk-7');
  await rememberSession(offline, buildSession(1));
  desk.apply(location, row, { type: 'add', units: 2, reason: 'barcode_restock' });
  desk.apply(location, { ...row, itemId: 6 }, { type: 'taken', why: 'expired', units: 1 });
  await desk.settled();
  const saving = saveLocation(offline, { location, position: null });
  clock.nowMs += 40;
  desk.apply(location, row, { type: 'add', units: 6, reason: 'barcode_restock' });
  desk.apply(location, { ...row, itemId: 6 }, { type: 'put', units: 1 });
  const first = await saving;
  desk.saved(first);
  await desk.settled();
  expect(shown(desk)).toEqual([6, 1]);
  expect(await kept(store)).toEqual([6, 1]);
  const second = await saveLocation(offline, { location, position: null });
  expect([...first, ...second].map(({ event }) => [event.itemId, event.kind, event.quantity, event.shown])).toEqual([
    [5, 'restock', 2, 3],
    [6, 'spoilage', -1, 3],
    [5, 'restock', 6, 5],
    [6, 'restock', 1, 2],
  ]);
});

test('what is lowered or taken back while the save is under way ends at what the driver saw, and comes back from nowhere', async () => {
  const { offline, clock, desk, store } = phone('desk-9');
  await rememberSession(offline, buildSession(1));
  const lowered = { ...row, itemId: 6 };
  const same = { ...row, itemId: 7 };
  desk.apply(location, row, { type: 'add', units: 3, reason: 'barcode_restock' });
  desk.apply(location, row, { type: 'add', units: 2, reason: 'barcode_restock' });
  desk.apply(location, lowered, { type: 'put', units: 5 });
  desk.apply(location, same, { type: 'put', units: 4 });
  await desk.settled();
  const saving = saveLocation(offline, { location, position: null });
  clock.nowMs += 40;
  desk.undo(row);
  desk.apply(location, lowered, { type: 'put', units: 3 });
  desk.apply(location, same, { type: 'put', units: 4 });
  desk.saved(await saving);
  await desk.settled();
  await desk.load();
  expect([...desk.get().keys()]).toEqual(['market_item:5', 'market_item:6']);
  const second = await saveLocation(offline, { location, position: null });
  expect(second.map(({ event }) => [event.itemId, event.kind, event.quantity])).toEqual([
    [5, 'count', 6],
    [6, 'count', 6],
  ]);
  expect(await kept(store)).toEqual([]);
});

test('a filling that is taken back after its save brings nothing back that was saved with it', async () => {
  const { offline, desk } = phone('desk-8');
  await rememberSession(offline, buildSession(1));
  const slot = { ...row, itemType: 'machine_slot', capacity: 10 } as StockRow;
  const machine = { type: 'vending_machine', id: 2 } as const;
  desk.apply(machine, slot, { type: 'add', units: 2, reason: 'barcode_restock' });
  const { undo } = desk.fill(machine, [slot]);
  await desk.settled();
  desk.saved(await saveLocation(offline, { location: machine, position: null }));
  undo();
  await desk.settled();
  expect(shown(desk)).toEqual([]);
  // Nor does it take away what was typed since.
  desk.apply(machine, { ...slot, quantity: 9 }, { type: 'add', units: 1, reason: 'barcode_restock' });
  undo();
  await desk.settled();
  expect(shown(desk)).toEqual([1]);
});

/** Two tabs of one driver on one phone. */
async function tabs(name: string) {
  const first = phone(name);
  const second = new DraftDesk(first.offline, 1);
  await rememberSession(first.offline, buildSession(1));
  const quantities = (entries: Awaited<ReturnType<typeof saveLocation>>) =>
    entries.map(({ event }) => [event.itemId, event.kind, event.quantity]);
  const save = async () => quantities(await saveLocation(first.offline, { location, position: null }));
  return { ...first, second, save };
}

test('what one tab has saved is not saved again by another that goes on with it before it hears of that', async () => {
  const { desk, second, store, save } = await tabs('desk-10');
  const lowered = { ...row, itemId: 6 };
  desk.apply(location, row, { type: 'add', units: 2, reason: 'barcode_restock' });
  desk.apply(location, lowered, { type: 'put', units: 5 });
  await desk.settled();
  await second.load();
  expect(await save()).toEqual([
    [5, 'restock', 2],
    [6, 'restock', 5],
  ]);
  second.apply(location, row, { type: 'add', units: 1, reason: 'barcode_scan' });
  second.apply(location, lowered, { type: 'put', units: 3 });
  await second.settled();
  await vi.waitFor(() => expect(shown(second)).toEqual([1, 0]));
  expect(await kept(store)).toEqual([1, 0]);
  expect(await save()).toEqual([
    [5, 'restock', 1],
    [6, 'count', 6],
  ]);
});

test('what one tab says anew after a save of another is said whole', async () => {
  const { desk, second, save } = await tabs('desk-11');
  desk.apply(location, row, { type: 'add', units: 2, reason: 'barcode_restock' });
  await desk.settled();
  await save();
  second.apply(location, row, { type: 'add', units: 2, reason: 'barcode_restock' });
  await second.settled();
  expect(await save()).toEqual([[5, 'restock', 2]]);
});

test('what another tab has cleared is kept by a tab that goes on with it', async () => {
  const { desk, second, save } = await tabs('desk-12');
  desk.apply(location, row, { type: 'add', units: 2, reason: 'barcode_restock' });
  await desk.settled();
  await second.load();
  desk.clear(location);
  await desk.settled();
  second.apply(location, row, { type: 'add', units: 1, reason: 'barcode_scan' });
  await second.settled();
  expect(await save()).toEqual([[5, 'restock', 3]]);
});
