// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { buildChanges, buildMarket } from '../../offline/testing/sample-changes.ts';
import { startPhone, stopPhones } from '../testing/field-phone.tsx';

afterEach(stopPhones);

const left = (seq: number) => ({
  type: 'sealed' as const,
  seq,
  id: `entry-${seq}`,
  userId: 9,
  status: 'unsent' as const,
  reason: null,
  savedAt: '2026-03-02T04:00:00Z',
  answeredAt: null,
  event: { eventId: `entry-${seq}`, sealedWith: 'p1.a.9.b', sealed: 'c' },
});

test('what somebody else left on the phone is told by its number alone', async () => {
  const phone = await startPhone(buildChanges({ reset: true, markets: [buildMarket()] }));
  phone.goOffline();
  expect(screen.queryByText(/used this device before/)).toBeNull();
  await phone.offline.store.write(['outbox'], async (tx) => {
    for (const seq of [101, 102]) await tx.objectStore('outbox').add(left(seq));
  });
  phone.offline.signal.changed();
  expect(await screen.findByText(/^2 changes of somebody .* nobody else can read them here\.$/)).toBeDefined();
});

test('a page without cryptography does not say that nobody else can read them', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const phone = await startPhone(buildChanges({ reset: true, markets: [buildMarket()] }));
  phone.goOffline();
  await phone.offline.store.write(['outbox'], (tx) => tx.objectStore('outbox').add(left(101)));
  phone.offline.signal.changed();
  expect(await screen.findByText(/^1 change of somebody .* It goes by itself\.$/)).toBeDefined();
});

test('photos of somebody else wait for that person, and the next one is told so', async () => {
  const phone = await startPhone(buildChanges({ reset: true, markets: [buildMarket()] }));
  phone.goOffline();
  const photo = { blob: new Blob(['x']), takenAt: '2026-03-02T04:00:00Z', uploadedAt: null };
  await phone.offline.store.write(['photos'], async (tx) => {
    for (const id of ['a', 'b'])
      await tx.objectStore('photos').put({ ...photo, id, userId: 9, sealedWith: 'p1.a.9.b' });
    await tx.objectStore('photos').put({ ...photo, id: 'gone', userId: 9, uploadedAt: '2026-03-02T04:00:00Z' });
    await tx.objectStore('photos').put({ ...photo, id: 'own', userId: 1 });
  });
  phone.offline.signal.changed();
  expect(
    await screen.findByText(/^2 photos of somebody .* when that person signs in on this device again\.$/),
  ).toBeDefined();
});
