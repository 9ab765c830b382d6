import { Blob as StoredBlob } from 'node:buffer';
import { expect, test, vi } from 'vitest';
import { stockEvent } from '../../../domain/inventory.ts';
import { openVisit, saveLocation } from '../actions.ts';
import type { Answer, Call } from '../environment.ts';
import { changeWords, getVisit } from '../outbox/drafts.ts';
import { forgetSession, rememberSession } from '../session.ts';
import { bootPhone, refusal, testLocation, typeChange, unreachable } from '../testing/booted-phone.ts';
import { buildSession, untilIdle } from '../testing/fake-phone.ts';
import { keepPhoto } from './photos.ts';

// jsdom's own does not survive being stored, as a browser's does.
vi.stubGlobal('Blob', StoredBlob);

const picture = new Blob(['a picture']);

/** A phone with one photo and one count, saved; `put` answers the upload of the picture. */
async function phoneWithPhoto(put: (call: Call) => Answer) {
  const phone = bootPhone((call) => {
    if (call.method === 'GET') return unreachable;
    if (call.method === 'PUT') return put(call);
    if (call.path === '/api/photos/missing') {
      return { outcome: 'answered', body: { missing: (call.body as { hashes: string[] }).hashes } };
    }
    const { events } = call.body as { events: { eventId: string }[] };
    const results = events.map(({ eventId }) => ({ eventId, status: 'applied' }));
    return { outcome: 'answered', body: { serverTime: '2026-03-02T05:00:10Z', results } };
  });
  await rememberSession(phone.offline, buildSession(1));
  await untilIdle(phone.offline.sender.isSending);
  await phone.offline.store.write(['photos'], (tx) =>
    tx
      .objectStore('photos')
      .add({ id: 'a'.repeat(64), userId: 1, blob: picture, takenAt: '2026-03-02T05:00:00Z', uploadedAt: null }),
  );
  await typeChange(phone, 1);
  await saveLocation(phone.offline, { location: testLocation, position: null });
  return phone;
}

type Phone = Awaited<ReturnType<typeof phoneWithPhoto>>;
const photosOf = (phone: Phone) => phone.offline.store.read(['photos'], (tx) => tx.objectStore('photos').getAll());
const unsentOf = (phone: Phone) =>
  phone.offline.store.read(['outbox'], async (tx) =>
    (await tx.objectStore('outbox').getAll()).filter((entry) => entry.status === 'unsent'),
  );

test('a photo follows its counts, is marked as uploaded, and goes once', async () => {
  const phone = await phoneWithPhoto(() => ({ outcome: 'answered', body: null }));
  expect(await phone.offline.sender.flush()).toBe('done');
  expect(await phone.offline.sender.flush()).toBe('done');
  expect(phone.calls.filter((call) => call.method !== 'GET').map((call) => call.path)).toEqual([
    '/api/sync/events',
    '/api/photos/missing',
    `/api/photos/${'a'.repeat(64)}`,
  ]);
  expect(await photosOf(phone)).toMatchObject([{ uploadedAt: expect.any(String) }]);
});

test('a photo that cannot be sent is tried again, and no count waits for it', async () => {
  const phone = await phoneWithPhoto(() => refusal(503, 30_000));
  expect(await phone.offline.sender.flush()).toBe('waiting');
  expect(await unsentOf(phone)).toEqual([]);
  expect(await photosOf(phone)).toMatchObject([{ uploadedAt: null }]);
});

test('without a session photos stay, and the counts go', async () => {
  const phone = await phoneWithPhoto(() => ({ outcome: 'answered', body: null }));
  await forgetSession(phone.offline, { isTold: true });
  await phone.offline.sender.flush();
  expect(phone.calls.some((call) => call.method === 'PUT')).toBe(false);
  expect(await unsentOf(phone)).toEqual([]);
  expect(await photosOf(phone)).toMatchObject([{ uploadedAt: null }]);
});

test('a picture taken up twice is kept once', async () => {
  const phone = await phoneWithPhoto(() => unreachable);
  for (let i = 0; i < 2; i++) {
    await keepPhoto(phone.offline, { userId: 1, location: testLocation, blob: new Blob(['the same']) });
  }
  expect(await photosOf(phone)).toHaveLength(2);
});

/** What the server would say of the counts of a visit with so many photos and such a note. */
async function saveWith(words: { photos: number; note: string }) {
  const phone = bootPhone(() => unreachable);
  const { offline } = phone;
  await rememberSession(offline, buildSession(1));
  await openVisit(offline, { location: testLocation, routeId: null, stopId: null });
  const photoIds = Array.from({ length: words.photos }, (_, n) => String(n).padStart(64, '0'));
  await changeWords(offline.store, { userId: 1, location: testLocation }, () => ({ photoIds, note: words.note }));
  await typeChange(phone, 1);
  const [entry] = await saveLocation(offline, { location: testLocation, position: null });
  return { offline, problem: stockEvent.safeParse(entry?.event).error, event: entry?.event };
}

test('a visit takes as many photos as the server does, and of one more it is said that it was not kept', async () => {
  const { offline } = await saveWith({ photos: 19, note: '' });
  const keep = (text: string) => keepPhoto(offline, { userId: 1, location: testLocation, blob: new Blob([text]) });
  await keep('the twentieth');
  await expect(keep('one more')).rejects.toThrow('20 photos at most');
  // The same one again is none more.
  await keep('the twentieth');
  expect((await getVisit(offline.store, 1, testLocation)).photoIds).toHaveLength(20);
  expect(await offline.store.read(['photos'], (tx) => tx.objectStore('photos').count())).toBe(1);
});

test('counts can be read by the server whatever an older app, or words opened again, left in their visit', async () => {
  const { problem, event } = await saveWith({ photos: 21, note: `${'x'.repeat(499)}\u{1f4e6} and more` });
  expect(problem).toBeUndefined();
  expect([event?.photoIds.length, event?.note]).toEqual([20, 'x'.repeat(499)]);
});
