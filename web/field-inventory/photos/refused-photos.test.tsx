// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { OfflineProvider } from '../../offline/offline-context.tsx';
import type { KeptPhoto } from '../../offline/outbox/records.ts';
import { rememberSession } from '../../offline/session.ts';
import { bootPhone, unreachable } from '../../offline/testing/booted-phone.ts';
import { buildSession } from '../../offline/testing/fake-phone.ts';
import { RefusedPhotos } from './refused-photos.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const refused: KeptPhoto = {
  id: 'p',
  userId: 1,
  blob: { size: 1 } as Blob,
  takenAt: '2026-03-02T10:00:00.000Z',
  uploadedAt: null,
  refusal: 'This picture is damaged.',
};

test('the only copy of a photo is dropped after a question, and stays where the answer is no', async () => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:photo');
  const { offline } = bootPhone(() => unreachable);
  await rememberSession(offline, buildSession(1));
  await offline.store.write(['photos'], (tx) => tx.objectStore('photos').put(refused));
  render(
    <OfflineProvider offline={offline}>
      <RefusedPhotos />
    </OfflineProvider>,
  );
  const kept = () => offline.store.read(['photos'], (tx) => tx.objectStore('photos').count());
  await userEvent.click(await screen.findByRole('button', { name: 'Drop' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep it' }));
  expect(await kept()).toBe(1);
  await userEvent.click(screen.getByRole('button', { name: 'Drop' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Drop photo' }));
  await waitFor(async () => expect(await kept()).toBe(0));
});
