// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alert } from '../../contract/alerts.ts';
import type { Session } from '../../contract/auth.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { ActiveAlerts } from '../machines/active-alerts.tsx';
import { toastStore } from '../ui/toasts/toast.ts';
import { AlertsScreen } from './alerts-screen.tsx';

const user = userEvent.setup();

const alert = (id: number): Alert => ({
  ...{ id, machineId: 7, machineName: 'Lobby', routeDesignation: '101', alertType: 'sold_out', severity: 'medium' },
  ...{ message: `A${id} is sold out`, acknowledged: false, acknowledgedBy: null, acknowledgedAt: null },
  ...{ resolvedAt: null, resolvedBy: null, createdAt: '2026-03-12T10:00:00.000Z' },
});

let alerts: Alert[];

/** What the server knows after somebody took note of an alert, or ended it. */
function settle(pathname: string): void {
  const [, id, step] = /(\d+)\/(acknowledge|resolve|reopen)$/.exec(pathname) ?? [];
  const at = '2026-03-12T11:00:00.000Z';
  const changes: Record<string, Partial<Alert>> = {
    resolve: { resolvedAt: at, resolvedBy: 'A B' },
    reopen: { resolvedAt: null, resolvedBy: null },
    acknowledge: { acknowledged: true, acknowledgedBy: 'A B', acknowledgedAt: at },
  };
  const change = changes[step ?? ''];
  alerts = alerts.map((one) => (one.id === Number(id) ? { ...one, ...change } : one));
}

beforeEach(() => {
  alerts = [3, 2, 1].map(alert);
  vi.stubGlobal('fetch', async (input: string, { method = 'GET' }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(input, 'http://localhost');
    if (method !== 'GET') {
      settle(pathname);
      return Response.json(alerts.find(({ id }) => pathname.includes(`/${id}/`)));
    }
    if (pathname !== '/api/vending-machine-alerts/page') return Response.json([]);
    const isNew = searchParams.get('state') === 'new';
    const shown = alerts.filter((one) => !one.resolvedAt && !(isNew && one.acknowledged));
    return Response.json({ alerts: shown, total: shown.length, next: null });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(shown: ReactNode): void {
  window.history.replaceState(null, '', '/vending-machines/alerts');
  const session = {
    person: { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', role: 'route_manager' },
    operator: { name: 'Test', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', isDemo: false },
  } as unknown as Session;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>{shown}</SessionContext>
    </QueryClientProvider>,
  );
}

const focused = (): string | null | undefined =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

test('by the keyboard alone one alert after the other is noted and ended: the focus goes on with each', async () => {
  open(<AlertsScreen />);
  (await screen.findByRole('button', { name: 'Acknowledge A3 is sold out' })).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toBe('Resolve A3 is sold out'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toBe('Resolve A2 is sold out'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toBe('Resolve A1 is sold out'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toBe('Alerts'));
});

test('on the screen of machines the next active alert has the focus once one is noted', async () => {
  open(<ActiveAlerts />);
  (await screen.findByRole('button', { name: 'Acknowledge A2 is sold out' })).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toBe('Acknowledge A1 is sold out'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toBe('Acknowledge A3 is sold out'));
});

test('an alert that was resolved by a slip of the hand comes back with Undo', async () => {
  open(<AlertsScreen />);
  await user.click(await screen.findByRole('button', { name: 'Resolve A2 is sold out' }));
  await waitFor(() => expect(screen.queryByText('A2 is sold out')).toBeNull());
  expect(toastStore.get()[0]).toMatchObject({ title: 'Alert resolved', description: 'Lobby: A2 is sold out' });
  toastStore.get()[0]?.action?.run();
  expect(await screen.findByText('A2 is sold out')).toBeTruthy();
  await waitFor(() => expect(toastStore.get()[0]).toMatchObject({ title: 'Alert open again' }));
  expect(toastStore.get()[0]?.description).toBe('Lobby: A2 is sold out');
});
