import 'fake-indexeddb/auto';
import { Blob as StoredBlob } from 'node:buffer';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { saveLocation } from './actions.ts';
import { keepPhoto, listVisitPhotos } from './photos.ts';
import type { Entry, EntryStatus } from './records.ts';
import { forgetSession, isSignOutDue, rememberSession } from './session.ts';
import { type BootedPhone, bootPhone, testLocation, typeChange, unreachable } from './testing/booted-phone.ts';
import { buildSession } from './testing/fake-phone.ts';
import { openedEvent, sealKeyOf } from './testing/server-seal.ts';
import { changeVisit, openVisit } from './visits.ts';

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
  await expect.poll(() => phone.offline.status.get()).toMatchObject({ unsent: 0, unsentOthers: 2 });
  const after = await dump(phone);
  for (const secret of secrets) expect(after).not.toContain(secret);
  stop();
});

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
  expect(await work()).toEqual(before);
  const [photo] = await listVisitPhotos(phone.offline, 1, testLocation);
  expect(await photo?.blob.text()).toBe('picture of the safe');
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
  const [visit] = await phone.offline.store.read(['visits'], (tx) => tx.objectStore('visits').getAll());
  expect(visit).toMatchObject({ note: 'Door code is 4711\nLift is broken', bagNumber: 'BAG-90210', refunds: '12.75' });
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
  expect(JSON.stringify(events)).not.toContain('4711');
  expect(events.map(openedEvent)).toEqual(made.map((one) => 'event' in one && one.event));
});

test('a sign-out without a network is remembered until the server has ended the session', async () => {
  const phone = bootPhone(() => unreachable);
  await rememberSession(phone.offline, buildSession(1));
  await forgetSession(phone.offline, { isTold: false });
  expect(await isSignOutDue(phone.offline)).toBe(true);
});
