// @vitest-environment happy-dom
import { QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../http/client.ts';
import { createQueryClient } from '../http/query-client.ts';
import { createOffline } from '../offline/offline.ts';
import { OfflineProvider } from '../offline/offline-context.tsx';
import { FakeClock, fakeEnvironment } from '../offline/testing/fake-phone.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { OfflineStrip } from './offline-strip.tsx';

afterEach(cleanup);

function openStrip(client = createQueryClient()) {
  const environment = fakeEnvironment(new FakeClock(), async () => ({ outcome: 'unreachable' }), 'strip');
  const offline = createOffline(environment);
  render(
    <QueryClientProvider client={client}>
      <OfflineProvider offline={offline}>
        <OfflineStrip />
      </OfflineProvider>
    </QueryClientProvider>,
  );
  return offline;
}

test('losing the network and getting it back are said once each', () => {
  const offline = openStrip();
  const titles: string[] = [];
  const stop = toastStore.subscribe(() => titles.push(toastStore.get()[0]?.title ?? ''));
  act(() => offline.status.set({ online: false }));
  expect(screen.getByRole('status').textContent).toBe('Offline. Counts and stops are kept on this device.');
  act(() => offline.status.set({ online: true }));
  stop();
  expect(titles).toEqual(['Offline Mode', 'Back Online']);
});

test('one change that needs attention is spoken of as one', () => {
  const offline = openStrip();
  act(() => offline.status.set({ attention: 1 }));
  expect(screen.getByRole('status').textContent).toBe('1 change needs attention. Open Mobile Inventory.');
  act(() => offline.status.set({ attention: 2 }));
  expect(screen.getByRole('status').textContent).toBe('2 changes need attention. Open Mobile Inventory.');
});

test('what somebody else left unsent for days is counted, not the nothing of this person', () => {
  const offline = openStrip();
  const oldestUnsentAt = new Date(Date.now() - 2 * 24 * 3_600_000).toISOString();
  act(() => offline.status.set({ unsent: 0, unsentOthers: 1_200, oldestUnsentAt }));
  const said = '1,200 changes not sent, the oldest for more than a day. Find a connection.';
  expect(screen.getByRole('status').textContent).toBe(said);
});

test('a database that is away is told until it answers; without a network only that is told', async () => {
  const away = new ApiError(503, '', { detail: 'The database does not answer. Try again in a moment.' }, '1');
  let isAway = true;
  const client = createQueryClient();
  const queryFn = async () => {
    if (isAway) throw away;
    return [];
  };
  const leave = new QueryObserver(client, { queryKey: ['markets'], queryFn }).subscribe(() => {});
  const offline = openStrip(client);
  const strip = await screen.findByRole('status', undefined, { timeout: 4_000 });
  expect(strip.textContent).toContain('The database does not answer. Milkrun keeps trying');
  act(() => offline.status.set({ attention: 1 }));
  expect(strip.textContent).toContain('The database does not answer');
  act(() => offline.status.set({ online: false, attention: 0 }));
  expect(strip.textContent).toBe('Offline. Counts and stops are kept on this device.');
  act(() => offline.status.set({ online: true }));
  isAway = false;
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull(), { timeout: 4_000 });
  leave();
}, 12_000);
