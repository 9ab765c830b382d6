import { expect, test } from 'vitest';
import { NotSavedError, roomyStore } from './room.ts';
import { openStore, type Store } from './store.ts';

/** A store on a full disk: writes fail until `hasRoom` says otherwise. */
function fullStore(name: string, hasRoom: () => boolean): Store {
  const store = openStore(name);
  const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
  return { ...store, write: (names, work) => (hasRoom() ? store.write(names, work) : full()) };
}

const answer = { key: 'day', value: 1, keptAt: '2026-03-02T05:00:00Z' };

test('a full phone gives up its map tiles and keeps the change', async () => {
  let dropped = 0;
  const full: boolean[] = [];
  const store = roomyStore(
    fullStore('room-1', () => dropped > 0),
    { dropCaches: async () => void dropped++, onFull: (isFull) => full.push(isFull) },
  );
  await store.write(['answers'], (tx) => tx.objectStore('answers').put(answer));
  expect(await store.read(['answers'], (tx) => tx.objectStore('answers').count())).toBe(1);
  expect(full).toEqual([false]);
});

test('when nothing can be given up the phone says that the change is NOT saved', async () => {
  const full: boolean[] = [];
  const store = roomyStore(
    fullStore('room-2', () => false),
    { dropCaches: async () => {}, onFull: (isFull) => full.push(isFull) },
  );
  const write = store.write(['answers'], (tx) => tx.objectStore('answers').put(answer));
  await expect(write).rejects.toBeInstanceOf(NotSavedError);
  expect(full).toEqual([true]);
});

test('a write fails with the cause when a request fails that it did not wait for', async () => {
  const store = openStore(`not-awaited-${crypto.randomUUID()}`);
  const twice = store.write(['meta'], async (tx) => {
    const record = { key: 'signOutDue', value: { since: '2026-03-02T05:00:00Z' } } as const;
    for (const _ of [1, 2])
      tx.objectStore('meta')
        .add(record)
        .catch(() => undefined);
  });
  await expect(twice).rejects.toMatchObject({ name: 'ConstraintError' });
  expect(await store.read(['meta'], (tx) => tx.objectStore('meta').count())).toBe(0);
});
