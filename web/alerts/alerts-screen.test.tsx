// @vitest-environment happy-dom
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alert } from '../../contract/alerts.ts';
import type { Session } from '../../contract/auth.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { smallScreen } from '../ui/use-media.ts';
import { AlertsScreen } from './alerts-screen.tsx';

const user = userEvent.setup();

const alert = (id: number): Alert => ({
  ...{ id, machineId: 7, machineName: 'Lobby', routeDesignation: '101', alertType: 'sold_out', severity: 'medium' },
  ...{ message: `A${id} is sold out`, acknowledged: false, acknowledgedBy: null, acknowledgedAt: null },
  ...{ resolvedAt: null, resolvedBy: null, createdAt: '2026-03-12T10:00:00.000Z' },
});

const rule = (limit: number) => ({ enabled: true, severity: 'medium', limit });
const rules = {
  rules: {
    ...{ out_of_stock: rule(0), low_stock: rule(3), runs_out: rule(20), silent: rule(24) },
    ...{ price_mismatch: rule(3), impossible_reading: rule(0), expiring: rule(3) },
  },
  digest: { enabled: true, hour: 6 },
  version: 1,
};

let asked: URLSearchParams[] = [];
let saved: Blob[] = [];
let written: string[] = [];
let version = 1;

beforeEach(() => {
  asked = [];
  saved = [];
  written = [];
  version = 1;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob);
    return 'blob:alerts';
  });
  vi.stubGlobal('fetch', async (input: string, { method = 'GET', headers }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(input, 'http://localhost');
    if (method !== 'GET') written.push(`${method} ${pathname} ${new Headers(headers).get('if-match')}`);
    if (pathname === '/api/vending-machine-alerts/rules') return Response.json({ ...rules, version });
    if (pathname === '/api/route-designations') return Response.json([]);
    if (pathname !== '/api/vending-machine-alerts/page') return Response.json({});
    asked.push(searchParams);
    const isSecond = searchParams.has('cursor');
    return Response.json({ alerts: [alert(isSecond ? 1 : 2)], total: 2, next: isSecond ? null : 2 });
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function open(search: string): QueryClient {
  window.history.replaceState(null, '', `/vending-machines/alerts${search}`);
  const session = {
    person: { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', role: 'route_manager' },
    operator: { name: 'Test', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', isDemo: false },
  } as unknown as Session;
  const client = createQueryClient();
  render(
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <AlertsScreen />
      </SessionContext>
    </QueryClientProvider>,
  );
  return client;
}

test('what waits for somebody is read gravest first, what is past newest first, unless asked otherwise', async () => {
  open('');
  await screen.findByText('A2 is sold out');
  expect(asked.at(-1)?.get('sort')).toBe('gravest');
  fireEvent.change(screen.getByRole('combobox', { name: 'Order' }), { target: { value: 'newest' } });
  await waitFor(() => expect(asked.at(-1)?.get('sort')).toBe('newest'));
  expect(new URLSearchParams(window.location.search).get('order')).toBe('newest');
  cleanup();
  open('?state=resolved');
  await waitFor(() => expect(asked.at(-1)?.get('state')).toBe('resolved'));
  expect(asked.at(-1)?.get('sort')).toBe('newest');
});

test('on a phone seldom used filters wait behind a button, unless one of them is in use', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query === smallScreen, addEventListener: () => {}, removeEventListener: () => {} }) as never,
  );
  open('');
  await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Resolved');
  await waitFor(() => expect(asked.at(-1)?.get('state')).toBe('resolved'));
  expect(screen.queryByRole('combobox', { name: 'Severity' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Filters' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Severity' }), 'High');
  await waitFor(() => expect(asked.at(-1)?.get('severity')).toBe('high'));
  cleanup();
  open('?severity=high');
  expect(screen.getByRole('button', { name: 'Filters 1', expanded: true })).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'Severity' })).toBeTruthy();
});

test('export takes away every alert that the filter shows, not only those in sight', async () => {
  open('?state=all&severity=medium');
  await screen.findByText('A2 is sold out');
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await screen.findByRole('heading', { name: 'Export 2 alerts' });
  await user.click(screen.getByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const lines = (await saved[0]?.text())?.trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines?.[1]).toContain('A2 is sold out,Lobby,101');
  expect(asked.at(-1)?.get('cursor')).toBe('2');
  expect(asked.every((query) => query.get('state') === 'all' && query.get('severity') === 'medium')).toBe(true);
});

test('a rule with a number out of its bounds is not saved, and it is said which one it is', async () => {
  open('');
  await user.click(screen.getByRole('button', { name: 'Rules' }));
  const hours = await screen.findByLabelText('After hours');
  expect(screen.getByLabelText('From this expected loss (USD)')).toHaveProperty('value', '20');
  fireEvent.change(hours, { target: { value: '0' } });
  await user.click(screen.getByRole('button', { name: 'Save Rules' }));
  expect((await screen.findByRole('alert')).textContent).toBe('After hours: between 1 and 720');
  expect(screen.getByRole('spinbutton', { name: 'After hours' }).getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('Between 1 and 720').id).toBe(hours.getAttribute('aria-describedby'));
  expect(written).toEqual([]);
  fireEvent.change(hours, { target: { value: '12' } });
  await user.click(screen.getByRole('button', { name: 'Save Rules' }));
  await waitFor(() => expect(written).toEqual(['PUT /api/vending-machine-alerts/rules "1"']));
});

test('a rule that is being changed stays as it is typed when somebody else saves, and is saved over nothing', async () => {
  const client = open('');
  await user.click(screen.getByRole('button', { name: 'Rules' }));
  fireEvent.change(await screen.findByLabelText('After hours'), { target: { value: '48' } });
  version = 2;
  await client.invalidateQueries();
  expect(screen.getByLabelText('After hours')).toHaveProperty('value', '48');
  await user.click(screen.getByRole('button', { name: 'Save Rules' }));
  await waitFor(() => expect(written).toEqual(['PUT /api/vending-machine-alerts/rules "1"']));
});
