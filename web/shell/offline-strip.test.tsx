// @vitest-environment happy-dom
import { QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../http/client.ts';
import { createQueryClient } from '../http/query-client.ts';
import { createOffline } from '../offline/offline.ts';
import { OfflineProvider } from '../offline/offline-context.tsx';
import { FakeClock, fakeEnvironment } from '../offline/testing/fake-phone.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { OfflineStrip } from './offline-strip.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

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

/** On a phone, where the strip is forty pixels high; the page is open and scrolled by so many. */
function openOnPhone(scrolled: number) {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40);
  const page = { top: scrolled };
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => page.top);
  vi.spyOn(window, 'scrollBy').mockImplementation((by) => {
    page.top += (by as unknown as ScrollToOptions).top ?? 0;
  });
  const nowMs = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(nowMs);
  const offline = openStrip();
  const waits = (): void => {
    clock.mockReturnValue(nowMs + 60_000);
  };
  return { offline, page, waits };
}
const said = () => screen.queryByRole('status')?.textContent ?? null;

test.each([0, 300])('on a phone the strip moves nothing under the finger, at %i pixels of the page', (scrolled) => {
  const { offline, page, waits } = openOnPhone(scrolled);
  waits();
  act(() => offline.status.set({ online: false }));
  expect(page.top).toBe(scrolled + 40);
  act(() => offline.status.set({ online: true }));
  expect(said()).toBeNull();
  expect(page.top).toBe(scrolled);
});

test('back at the top of the page the strip keeps its room, and says why, until the page is scrolled', () => {
  const { offline, page, waits } = openOnPhone(0);
  waits();
  act(() => offline.status.set({ online: false }));
  page.top = 10;
  act(() => offline.status.set({ online: true }));
  expect(said()).toBe('Online. Nothing waits to be sent.');
  expect(page.top).toBe(10);
  page.top = 70;
  act(() => void window.dispatchEvent(new Event('scroll')));
  expect(said()).toBeNull();
  expect(page.top).toBe(30);
});

test('the room goes with the page that it was kept on', () => {
  const { offline, page, waits } = openOnPhone(0);
  waits();
  act(() => offline.status.set({ online: false }));
  page.top = 0;
  act(() => offline.status.set({ online: true }));
  expect(said()).not.toBeNull();
  act(() => window.history.pushState(null, '', '/daily-schedule'));
  expect(said()).toBeNull();
  expect(page.top).toBe(0);
});

test('a page that is being opened stays at its top', () => {
  const { offline, page } = openOnPhone(0);
  act(() => offline.status.set({ online: false }));
  expect(said()).toBe('Offline. Counts and stops are kept on this device.');
  expect(page.top).toBe(0);
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
