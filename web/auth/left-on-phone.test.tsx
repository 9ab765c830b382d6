// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { putMeta } from '../offline/device.ts';
import { createOffline, type Offline } from '../offline/offline.ts';
import { OfflineProvider } from '../offline/offline-context.tsx';
import type { KeptPhoto } from '../offline/outbox/records.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../offline/testing/fake-phone.ts';
import { LeftOnPhone } from './left-on-phone.tsx';

afterEach(cleanup);

let phones = 0;
const phone = (): Offline =>
  createOffline(fakeEnvironment(new FakeClock(), async () => ({ outcome: 'unreachable' }), `left-${++phones}`));

function open(offline: Offline) {
  return render(
    <OfflineProvider offline={offline}>
      <LeftOnPhone />
    </OfflineProvider>,
  );
}

/** A phone that has worked with the server before. */
async function usedPhone(): Promise<Offline> {
  const offline = phone();
  const value = { clockOffsetMs: 0, lastServerTime: '2026-03-02T10:00:00.000Z' };
  await offline.store.write(['meta'], (tx) => putMeta(tx, { key: 'contact', value }));
  return offline;
}

test('a phone whose last shift has all arrived says so, and a computer nothing', async () => {
  open(await usedPhone());
  expect(await screen.findByText('Nothing unsent from the last shift')).toBeDefined();
  cleanup();
  const computer = phone();
  open(computer);
  act(() => computer.status.set({ unsentOthers: 1 }));
  await screen.findByText(/^1 change from the last shift is not sent yet/);
  act(() => computer.status.set({ unsentOthers: 0 }));
  expect(screen.queryByRole('status')).toBeNull();
});

test('changes and photos that the server does not have are told, whoever they are of', async () => {
  const offline = await usedPhone();
  const photo: KeptPhoto = { id: 'own', userId: 1, blob: { size: 1 } as Blob, takenAt: '', uploadedAt: null };
  await offline.store.write(['photos', 'meta'], async (tx) => {
    await putMeta(tx, { key: 'session', value: buildSession(1) });
    await tx.objectStore('photos').put(photo);
    await tx.objectStore('photos').put({ ...photo, id: 'of another', userId: 7 });
  });
  open(offline);
  act(() => offline.status.set({ unsent: 0, unsentOthers: 2 }));
  expect(
    await screen.findByText(/^2 changes from the last shift are not sent yet\. They stay on this device/),
  ).toBeDefined();
  expect(screen.getByText(/^2 photos from the last shift are not sent yet\./)).toBeDefined();
  expect(screen.queryByText('Nothing unsent from the last shift')).toBeNull();
});
