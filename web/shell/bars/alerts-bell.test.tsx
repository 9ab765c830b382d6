import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../http/query-client.ts';
import { AlertsBell } from './alerts-bell.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
const user = userEvent.setup();

const alert = {
  ...{ id: 4, machineId: 70, machineName: 'Lobby machine', routeDesignation: '11', alertType: 'silent' },
  ...{ message: 'Nothing was heard for a day', severity: 'high', acknowledged: false, acknowledgedBy: null },
  ...{ acknowledgedAt: null, resolvedAt: null, createdAt: '2026-01-05T10:00:00.000Z' },
};

test('an alert leads to its machine, and the panel closes behind', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ alerts: [alert], total: 1, next: null }));
  window.history.replaceState(null, '', '/');
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AlertsBell />
    </QueryClientProvider>,
  );
  await user.click(await screen.findByRole('button', { name: 'Alerts, 1 not acknowledged' }));
  await user.click(screen.getByRole('link', { name: 'Lobby machine' }));
  expect(window.location.pathname).toBe('/vending-machines/70');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Lobby machine' })).toBeNull());
});

test('the panel closes behind whoever goes on with the Tab key', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ alerts: [alert], total: 1, next: null }));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AlertsBell />
      <button type="button">What comes next</button>
    </QueryClientProvider>,
  );
  await user.click(await screen.findByRole('button', { name: 'Alerts, 1 not acknowledged' }));
  await user.tab();
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Acknowledge' }));
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'What comes next' }));
  expect(screen.queryByRole('region', { name: 'Alerts' })).toBeNull();
});

test('who acknowledges alerts one after the other stays in the list', async () => {
  const left = [alert, { ...alert, id: 5, message: 'Sold out' }];
  vi.stubGlobal('fetch', async (_url: string, { method = 'GET' }: RequestInit = {}) => {
    if (method !== 'GET') left.shift();
    return Response.json({ alerts: left, total: left.length, next: null });
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AlertsBell />
    </QueryClientProvider>,
  );
  await user.click(await screen.findByRole('button', { name: 'Alerts, 2 not acknowledged' }));
  const [first] = screen.getAllByRole('button', { name: 'Acknowledge' });
  first?.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Acknowledge' })).toHaveLength(1));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Acknowledge' })));
  await user.keyboard('{Enter}');
  expect(await screen.findByText('No alerts')).toBeDefined();
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'Alerts' }).contains(document.activeElement)).toBe(true),
  );
});
