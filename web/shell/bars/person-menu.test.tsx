// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { SessionContext } from '../../auth/session-context.ts';
import { createQueryClient } from '../../http/query-client.ts';
import { putMeta } from '../../offline/device.ts';
import { createOffline } from '../../offline/offline.ts';
import { OfflineProvider } from '../../offline/offline-context.tsx';
import type { KeptPhoto } from '../../offline/outbox/records.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../../offline/testing/fake-phone.ts';
import { PersonMenu } from './person-menu.tsx';

afterEach(cleanup);

type Held = { drafts: number; unsent: number; photos?: KeptPhoto[] };

async function openMenu({ photos = [], ...held }: Held): Promise<void> {
  const environment = fakeEnvironment(new FakeClock(), async () => ({ outcome: 'unreachable' }), 'person-menu');
  const offline = createOffline(environment);
  await offline.store.write(['photos', 'meta'], async (tx) => {
    await putMeta(tx, { key: 'session', value: buildSession(1) });
    for (const photo of photos) await tx.objectStore('photos').put(photo);
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <OfflineProvider offline={offline}>
        <SessionContext value={buildSession(1)}>
          <PersonMenu />
        </SessionContext>
      </OfflineProvider>
    </QueryClientProvider>,
  );
  act(() => offline.status.set(held));
  await userEvent.click(screen.getByRole('button', { name: /Signed in as/ }));
}

test('what is saved is said to be delivered after a sign-out', async () => {
  await openMenu({ drafts: 0, unsent: 1_200 });
  expect(screen.getByText(/^1,200 changes are not sent\. They .* are still delivered/)).toBeDefined();
  expect(screen.queryByText(/not saved/)).toBeNull();
});

test('what is only typed is not said to be delivered: its person has to save it', async () => {
  await openMenu({ drafts: 1, unsent: 0 });
  expect(screen.getByText(/^1 change is not saved\./)).toBeDefined();
  expect(screen.queryByText(/delivered/)).toBeNull();
});

test('a photo that is not sent is said to wait for its person: nobody else may send it', async () => {
  const photo = { userId: 1, blob: { size: 1 } as Blob, takenAt: '', uploadedAt: null };
  const photos = [
    { ...photo, id: 'waits' },
    { ...photo, id: 'sent', uploadedAt: '2026-03-02T10:00:00.000Z' },
    { ...photo, id: 'refused', refusal: 'This picture is damaged.' },
    { ...photo, id: 'of another', userId: 2 },
  ];
  await openMenu({ drafts: 0, unsent: 0, photos });
  expect(await screen.findByText(/^1 photo is not sent\. It .* once you sign in here again/)).toBeDefined();
});
