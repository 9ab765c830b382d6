import { Blob as StoredBlob } from 'node:buffer';
import { expect, test, vi } from 'vitest';
import { saveLocation } from '../actions.ts';
import type { Call } from '../environment.ts';
import { createOffline } from '../offline.ts';
import { rememberSession } from '../session.ts';
import { testLocation, typeChange } from '../testing/booted-phone.ts';
import { buildSession, FakeClock, fakeEnvironment, untilIdle } from '../testing/fake-phone.ts';
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

test('a full phone sends what it holds, and what the server took makes room: nothing is said of it', async () => {
  const store = openStore(`full-sends-${crypto.randomUUID()}`);
  const disk = { isFull: false };
  // As a browser has it: over its quota whatever would be put is refused, and what is deleted goes.
  const write: Store['write'] = (names, work) =>
    store.write(names, async (tx) => {
      const puts = vi.spyOn(IDBObjectStore.prototype, 'put');
      try {
        const result = await work(tx);
        if (disk.isFull && puts.mock.calls.length > 0) throw new DOMException('full', 'QuotaExceededError');
        return result;
      } finally {
        puts.mockRestore();
      }
    });
  const sent: string[][] = [];
  const at = '2026-03-02T05:00:00Z';
  // jsdom's own does not survive being stored, as a browser's does.
  const photo = { id: 'a'.repeat(64), userId: 1, blob: new StoredBlob(['x']) as Blob, takenAt: at, uploadedAt: null };
  const transport = async ({ method, path, body }: Call) => {
    if (method === 'GET') return { outcome: 'unreachable' } as const;
    if (method === 'PUT') return { outcome: 'answered', body: null } as const;
    if (path === '/api/photos/missing') return { outcome: 'answered', body: { missing: [photo.id] } } as const;
    const { events } = body as { events: { eventId: string }[] };
    sent.push(events.map(({ eventId }) => eventId));
    const results = events.map(({ eventId }, n) => ({ eventId, status: n === 0 ? 'rejected' : 'applied' }));
    return { outcome: 'answered', body: { serverTime: '2026-03-02T05:00:10Z', results } } as const;
  };
  const clock = new FakeClock();
  const offline = createOffline(fakeEnvironment(clock, transport, 'unused'), { ...store, write });
  await rememberSession(offline, buildSession(1));
  await untilIdle(offline.sender.isSending);
  for (const item of [1, 2, 3]) await typeChange({ clock, offline, calls: [] }, item);
  await saveLocation(offline, { location: testLocation, position: null });
  await store.write(['photos'], (tx) => tx.objectStore('photos').add(photo));
  disk.isFull = true;
  await offline.sender.flush();
  expect(sent.map((ids) => ids.length)).toEqual([3]);
  const left = await store.read(['outbox'], (tx) => tx.objectStore('outbox').getAll());
  // What a person has to answer stays as it is, for the day there is room for the answer.
  expect(left.map(({ seq, status }) => [seq, status])).toEqual([[1, 'unsent']]);
  expect(await store.read(['photos'], (tx) => tx.objectStore('photos').count())).toBe(0);
  expect(offline.status.get()).toMatchObject({ notSaved: false });
});
