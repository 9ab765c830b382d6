import { Blob as StoredBlob } from 'node:buffer';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { saveLocation } from './actions.ts';
import { readDayWork } from './day/driver-day.ts';
import { changeVisit, closeVisit, lostWords, openVisit } from './day/visits.ts';
import type { Answer } from './environment.ts';
import { keepAnswer } from './kept/answers-kept.ts';
import { pruneAnswered } from './outbox/outbox.ts';
import type { Entry, EntryStatus } from './outbox/records.ts';
import { keepPhoto, listVisitPhotos } from './photos/photos.ts';
import { forgetSession, isSignOutDue, rememberSession } from './session.ts';
import { type BootedPhone, bootPhone, testLocation, typeChange, unreachable } from './testing/booted-phone.ts';
import { buildSession } from './testing/fake-phone.ts';
import { openedEvent, sealKeyOf } from './testing/server-seal.ts';

// jsdom's own does not survive being stored, as a browser's does.
vi.stubGlobal('Blob', StoredBlob);

const at = '2026-03-12T15:00:00Z';
const entry = (seq: number, status: EntryStatus): Entry => ({
  type: 'route-started',
  routeId: 1,
  seq,
  id: `entry-${seq}`,
  userId: 1,
  status,
  reason: null,
  savedAt: at,
  answeredAt: status === 'unsent' ? null : at,
});

const signOut = (phone: BootedPhone) => forgetSession(phone.offline, { isTold: true });

/** Hands keys to their owner alone; everything else does not get through. */
function phoneOf(who: { id: number }): BootedPhone {
  return bootPhone((call) => {
    if (call.path !== '/api/phone-seals/keys') return unreachable;
    const { names } = call.body as { names: string[] };
    const own = (name: string) =>
      Number(name.split('.')[2]) === who.id ? sealKeyOf(name).toString('base64url') : null;
    return { outcome: 'answered', body: { keys: names.map(own) } };
  });
}

/** Everything on the disk as one text, pictures too: what the browser's own tools would show. */
async function dump({ offline }: BootedPhone): Promise<string> {
  const parts: string[] = [];
  await offline.store.read(['outbox', 'visits', 'photos', 'drafts', 'meta', 'answers'], async (tx) => {
    for (const name of ['outbox', 'visits', 'photos', 'drafts', 'meta', 'answers'] as const) {
      parts.push(JSON.stringify(await tx.objectStore(name).getAll()));
    }
  });
  const photos = await offline.store.read(['photos'], (tx) => tx.objectStore('photos').getAll());
  for (const photo of photos) parts.push(await photo.blob.text());
  return parts.join('\n');
}

const secrets = ['Door code is 4711', 'BAG-90210', '12.75', 'picture of the safe', '40.71234', 'Item 3'];

/** A visit with all that a driver can say of it: saved, and then more of it typed. */
async function leaveWork(phone: BootedPhone): Promise<void> {
  const { offline } = phone;
  const visitId = await openVisit(offline, { location: testLocation, routeId: 1, stopId: 1 });
  await changeVisit(offline, visitId, { note: 'Door code is 4711', bagNumber: 'BAG-90210', refunds: '12.75' });
  const blob = new Blob(['picture of the safe'], { type: 'image/jpeg' });
  await keepPhoto(offline, { userId: 1, location: testLocation, blob });
  await typeChange(phone, 3);
  await saveLocation(offline, { location: testLocation, position: { latitude: 40.71234, longitude: -74.00987 } });
}

test('sign-out takes what the server has off the phone, and leaves what is still to be delivered', async () => {
  const phone = bootPhone(() => unreachable);
  const { offline } = phone;
  await rememberSession(offline, buildSession(1));
  await offline.store.write(['outbox', 'photos'], async (tx) => {
    const statuses = ['unsent', 'saved', 'superseded', 'needs_attention', 'refused'] as const;
    for (const [n, status] of statuses.entries()) await tx.objectStore('outbox').add(entry(n + 1, status));
    const photo = { userId: 1, blob: new Blob(['x']), takenAt: at };
    await tx.objectStore('photos').add({ ...photo, id: 'sent', uploadedAt: at });
    await tx.objectStore('photos').add({ ...photo, id: 'waiting', uploadedAt: null });
  });
  await signOut(phone);
  const left = await offline.store.read(['outbox', 'photos', 'meta'], async (tx) => ({
    entries: (await tx.objectStore('outbox').getAll()).map(({ type, status }) => `${type} ${status}`),
    photos: await tx.objectStore('photos').getAllKeys(),
    session: await tx.objectStore('meta').get('session'),
  }));
  expect(left).toEqual({
    entries: ['sealed unsent', 'sealed needs_attention', 'sealed refused'],
    photos: ['waiting'],
    session: undefined,
  });
});

test('after sign-out nothing on the phone can be read of notes, bags, refunds, photos and positions', async () => {
  const phone = phoneOf({ id: 1 });
  await rememberSession(phone.offline, buildSession(1));
  await leaveWork(phone);
  const before = await dump(phone);
  for (const secret of secrets) expect(before).toContain(secret);
  await signOut(phone);
  const after = await dump(phone);
  for (const secret of secrets) expect(after).not.toContain(secret);
});

test('the next person on the phone sees how much waits, and opens none of it', async () => {
  const who = { id: 1 };
  const phone = phoneOf(who);
  await rememberSession(phone.offline, buildSession(1));
  await leaveWork(phone);
  const stop = phone.offline.start();
  // The session of the first person ended without a sign-out: the next one's arrival seals.
  who.id = 2;
  await rememberSession(phone.offline, buildSession(2));
  await expect.poll(() => phone.offline.status.get()).toMatchObject({ unsent: 0, unsentOthers: 1 });
  const after = await dump(phone);
  for (const secret of secrets) expect(after).not.toContain(secret);
  stop();
});

async function pictures({ offline }: BootedPhone): Promise<string[]> {
  const photos = await listVisitPhotos(offline, 1, testLocation);
  return Promise.all(photos.map((photo) => photo.blob.text().catch(() => 'lost')));
}

test('its owner finds everything as it was', async () => {
  const phone = phoneOf({ id: 1 });
  await rememberSession(phone.offline, buildSession(1));
  await leaveWork(phone);
  const work = () =>
    phone.offline.store.read(['outbox', 'visits'], async (tx) => ({
      outbox: await tx.objectStore('outbox').getAll(),
      visits: await tx.objectStore('visits').getAll(),
    }));
  const before = await work();
  await signOut(phone);
  await rememberSession(phone.offline, buildSession(1));
  await expect.poll(work).toEqual(before);
  await expect.poll(() => pictures(phone)).toEqual(['picture of the safe']);
});

test('a note typed before the seal is open again stands beside the older one', async () => {
  const who = { id: 0 };
  const phone = phoneOf(who);
  await rememberSession(phone.offline, buildSession(1));
  await leaveWork(phone);
  await signOut(phone);
  await rememberSession(phone.offline, buildSession(1));
  const visitId = await openVisit(phone.offline, { location: testLocation, routeId: 1, stopId: 1 });
  await changeVisit(phone.offline, visitId, { note: 'Lift is broken' });
  await signOut(phone);
  who.id = 1;
  await rememberSession(phone.offline, buildSession(1));
  await expect
    .poll(() => visitsOf(phone))
    .toMatchObject([{ note: 'Door code is 4711\nLift is broken', bagNumber: 'BAG-90210', refunds: '12.75' }]);
});

const visitsOf = ({ offline }: BootedPhone) =>
  offline.store.read(['visits'], (tx) => tx.objectStore('visits').getAll());

test('a visit waits for words that can still be opened, and not for those without a key', async () => {
  const who = { isReached: false };
  const phone = bootPhone(({ path, body }) => {
    if (path !== '/api/phone-seals/keys' || !who.isReached) return unreachable;
    const { names } = body as { names: string[] };
    return { outcome: 'answered', body: { keys: names.map(() => null) } };
  });
  await rememberSession(phone.offline, buildSession(1));
  await leaveWork(phone);
  await signOut(phone);
  await rememberSession(phone.offline, buildSession(1));
  const visitId = await openVisit(phone.offline, { location: testLocation, routeId: 1, stopId: 1 });
  expect(await closeVisit(phone.offline, visitId)).toBe(false);
  who.isReached = true;
  await rememberSession(phone.offline, buildSession(1));
  await expect.poll(async () => (await visitsOf(phone)).some(lostWords)).toBe(true);
  expect(await readDayWork(phone.offline, '2026-03-02')).toMatchObject({ photosUnsent: 0 });
  expect(await closeVisit(phone.offline, visitId)).toBe(true);
  expect(await visitsOf(phone)).toEqual([]);
});

test('a picture whose bytes the browser lost does not keep the others shut', async () => {
  const phone = phoneOf({ id: 1 });
  await rememberSession(phone.offline, buildSession(1));
  await leaveWork(phone);
  await signOut(phone);
  const lose = vi.spyOn(StoredBlob.prototype, 'arrayBuffer').mockRejectedValueOnce(new DOMException('lost'));
  await keepSealed(phone, '!first');
  await rememberSession(phone.offline, buildSession(1));
  await expect.poll(() => pictures(phone)).toEqual(['picture of the safe']);
  expect(lose).toHaveBeenCalled();
});

/** One more of the same person, sealed with the seal of the first. */
async function keepSealed({ offline }: BootedPhone, id: string): Promise<void> {
  await offline.store.write(['photos'], async (tx) => {
    const [photo] = await tx.objectStore('photos').getAll();
    if (photo) await tx.objectStore('photos').put({ ...photo, id });
  });
}

test('keys that arrive after a sign-out open nothing', async () => {
  const answers: ((answer: Answer) => void)[] = [];
  const phone = bootPhone(({ path }) =>
    path === '/api/phone-seals/keys' ? new Promise<Answer>((resolve) => answers.push(resolve)) : unreachable,
  );
  await rememberSession(phone.offline, buildSession(1));
  await leaveWork(phone);
  await signOut(phone);
  // The keys are on their way, and nobody waits for them.
  await rememberSession(phone.offline, buildSession(1));
  await expect.poll(() => answers.length).toBe(1);
  await signOut(phone);
  const before = await dump(phone);
  const asked = phone.calls.find(({ path }) => path === '/api/phone-seals/keys');
  const { names } = z.object({ names: z.array(z.string()) }).parse(asked?.body);
  const keys = names.map((name) => sealKeyOf(name).toString('base64url'));
  const isOpened = vi.fn();
  const stop = phone.offline.signal.subscribe(isOpened);
  answers[0]?.({ outcome: 'answered', body: { keys } });
  await expect.poll(() => isOpened.mock.calls.length).toBeGreaterThan(0);
  expect(await dump(phone)).toBe(before);
  stop();
});

test("what was typed and not handed over outlives the end of a session, and is nobody else's", async () => {
  const { offline } = bootPhone(() => unreachable);
  await rememberSession(offline, buildSession(1));
  await keepAnswer(offline, 'typed:1:day-end:2026-03-02', { returns: [], handedBags: ['B-1'] });
  await keepAnswer(offline, 'waiting:1:4711', {});
  await keepAnswer(offline, 'pick-list:1', {});
  await forgetSession(offline, { isTold: true });
  await rememberSession(offline, buildSession(2));
  const keys = () => offline.store.read(['answers'], (tx) => tx.objectStore('answers').getAllKeys());
  expect(await keys()).toEqual(['typed:1:day-end:2026-03-02', 'waiting:1:4711']);
  await pruneAnswered(offline.store, offline.environment.now() + 15 * 86_400_000);
  expect(await keys()).toEqual(['waiting:1:4711']);
});

test('what is sealed is sent as it is, and the server reads the very event that was made', async () => {
  const phone = phoneOf({ id: 1 });
  await rememberSession(phone.offline, buildSession(1));
  await leaveWork(phone);
  const made = await phone.offline.store.read(['outbox'], (tx) => tx.objectStore('outbox').getAll());
  await signOut(phone);
  phone.calls.length = 0;
  await phone.offline.sender.flush();
  const { events } = z.object({ events: z.array(z.looseObject({ eventId: z.string() })) }).parse(phone.calls[0]?.body);
  expect(JSON.stringify(events)).not.toContain('Door code');
  expect(events.map(openedEvent)).toEqual(made.map((one) => 'event' in one && one.event));
});

test('a sign-out without a network is remembered until the server has ended the session', async () => {
  const phone = bootPhone(() => unreachable);
  await rememberSession(phone.offline, buildSession(1));
  await forgetSession(phone.offline, { isTold: false });
  expect(await isSignOutDue(phone.offline)).toBe(true);
});
