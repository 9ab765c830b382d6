import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { createOffline } from './offline.ts';
import type { Entry, EntryStatus } from './records.ts';
import { forgetSession, rememberSession } from './session.ts';
import { buildSession, FakeClock, fakeEnvironment } from './testing/fake-phone.ts';

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

test('sign-out takes what the server has off the phone, and leaves what is still to be delivered', async () => {
  const transport = async () => ({ outcome: 'unreachable' }) as const;
  const offline = createOffline(fakeEnvironment(new FakeClock(), transport, 'sign-out'));
  await rememberSession(offline, buildSession(1));
  await offline.store.write(['outbox', 'photos'], async (tx) => {
    const statuses = ['unsent', 'saved', 'superseded', 'needs_attention', 'refused'] as const;
    for (const [n, status] of statuses.entries()) await tx.objectStore('outbox').add(entry(n + 1, status));
    const photo = { userId: 1, blob: new Blob(['x']), takenAt: at };
    await tx.objectStore('photos').add({ ...photo, id: 'sent', uploadedAt: at });
    await tx.objectStore('photos').add({ ...photo, id: 'waiting', uploadedAt: null });
  });
  await forgetSession(offline);
  const left = await offline.store.read(['outbox', 'photos', 'meta'], async (tx) => ({
    statuses: (await tx.objectStore('outbox').getAll()).map(({ status }) => status),
    photos: await tx.objectStore('photos').getAllKeys(),
    session: await tx.objectStore('meta').get('session'),
  }));
  expect(left).toEqual({
    statuses: ['unsent', 'needs_attention', 'refused'],
    photos: ['waiting'],
    session: undefined,
  });
});
