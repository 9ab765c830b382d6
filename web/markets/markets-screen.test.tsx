// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '../ui/testing.ts';
import type { Session } from '../../contract/auth.ts';
import type { MarketWithInventory } from '../../contract/markets.ts';
import type { Role } from '../../domain/permissions.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { MarketsScreen } from './markets-screen.tsx';

const user = userEvent.setup();
const hourMs = 3_600_000;
const ago = (hours: number): string => new Date(Date.now() - hours * hourMs - 60_000).toISOString();

const buildMarket = (fields: Partial<MarketWithInventory> = {}): MarketWithInventory => ({
  id: 7,
  name: 'North Hall',
  address: '1 Main Street',
  city: null,
  state: null,
  latitude: '40.10000000',
  longitude: '-74.20000000',
  status: 'active',
  routeDesignation: null,
  accessHours: null,
  accessNotes: null,
  integrationId: null,
  integrationSource: null,
  lastUpdated: ago(0),
  updatedAt: ago(0),
  version: 2,
  stockLevel: 69,
  inventoryItems: 12,
  lowStockCount: 3,
  ...fields,
});

type Sent = { method: string; path: string; query: string; body: unknown; version: string | null };
let sent: Sent[];
let rows: MarketWithInventory[];
let answer: (call: Sent) => Response | undefined;

const usualSummary = { totalMarkets: 5, active: 3, maintenance: 1, otherStatus: 1, avgStockLevel: 61, lowMarkets: 2 };
let summary = usualSummary;

function reply(call: Sent): Response {
  const given = answer(call);
  if (given) return given;
  if (call.path.endsWith('/page'))
    return Response.json({ rows, total: rows.length, from: 1, next: null, previous: null });
  if (call.path.endsWith('/summary')) return Response.json(summary);
  return Response.json(call.method === 'GET' ? [] : buildMarket());
}

beforeEach(() => {
  summary = usualSummary;
  sent = [];
  rows = [buildMarket()];
  answer = () => undefined;
  window.history.replaceState(null, '', '/markets');
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body, headers }: RequestInit = {}) => {
    const { pathname, search } = new URL(url, 'http://here');
    const version = new Headers(headers).get('if-match');
    const call = { method, path: pathname, query: search, body: body ? JSON.parse(String(body)) : null, version };
    sent.push(call);
    return reply(call);
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

function open(role: Role = 'admin', routeDesignation: string | null = null): void {
  const person = { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', role, roleLabel: '' };
  const operator = { name: 'Op', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', today: '2026-01-05' } as const;
  const session: Session = {
    person: { ...person, routeDesignation },
    operator: { ...operator, isDemo: false },
    map: { styleUrl: null },
    expiresAt: '2030-01-01T00:00:00.000Z',
  };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <MarketsScreen />
      </SessionContext>
    </QueryClientProvider>,
  );
}

const rowOf = async (name: string): Promise<HTMLElement> => {
  const row = (await screen.findByText(name)).closest('tr');
  if (!row) throw new Error(`${name} is in no row`);
  return row;
};
const writes = () => sent.filter(({ method }) => method !== 'GET');
const asked = () => sent.filter(({ path }) => path.endsWith('/page')).map(({ query }) => query);
const problem = (status: number, detail: string, fields = {}) =>
  Response.json({ status, detail, code: 'conflict', fields }, { status });

test('a place without items is neither low nor healthy, and says that it has none', async () => {
  rows = [buildMarket({ stockLevel: 0, inventoryItems: 0, lowStockCount: 0 })];
  open();
  const row = await rowOf('North Hall');
  expect(row.textContent).toContain('0%No items yet');
  expect(row.querySelector('.bg-bad')).toBeNull();
  expect(screen.getByRole('meter', { name: 'Stock level of North Hall: no items yet' })).toBeDefined();
});

test.each([
  ['admin', null, 'On all routes'],
  ['route_manager', '101', 'On all routes'],
  ['field_worker', '101', 'On route 101'],
  ['field_worker', null, 'No route is yours yet'],
] as const)('the markets that a %s of route %s sees are counted as those %s', async (role, route, words) => {
  open(role, route);
  expect(await within(await screen.findByRole('region', { name: 'Figures' })).findByText(words)).toBeTruthy();
});

test('a row tells number, place, state, level, items and age of a market', async () => {
  rows = [buildMarket({ lastUpdated: ago(5) })];
  open();
  const row = await rowOf('North Hall');
  for (const text of ['MKT-007', '1 Main Street', '40.100000, -74.200000', 'Active', '69%', '12 items', '3 low stock'])
    expect(row.textContent).toContain(text);
  expect(row.textContent).toContain('5 hours ago');
  expect(within(row).getAllByRole('meter')[0]?.getAttribute('aria-label')).toContain('falling');
  expect(within(row).getByRole('link', { name: 'View North Hall' }).getAttribute('href')).toBe('/markets/7');
});

test.each([
  [39, 'low'],
  [40, 'falling'],
  [70, 'healthy'],
])('a level of %i percent is %s', async (stockLevel, word) => {
  rows = [buildMarket({ stockLevel })];
  open();
  const row = await rowOf('North Hall');
  expect(within(row).getAllByRole('meter')[0]?.getAttribute('aria-label')).toBe(`Stock level of North Hall: ${word}`);
});

test.each([
  [0, 'Just now'],
  [1, '1 hour ago'],
  [23, '23 hours ago'],
  [24, '1 day ago'],
  [49, '2 days ago'],
])('after %i hours a change reads %j', async (hours, words) => {
  rows = [buildMarket({ lastUpdated: ago(hours) })];
  open();
  expect((await rowOf('North Hall')).textContent).toContain(words);
});

test('the figures are the server’s', async () => {
  open();
  const figures = await screen.findByRole('region', { name: 'Figures' });
  for (const text of ['Total Markets5', 'Active Markets3', 'Maintenance1', 'Avg Stock Level61%', '2 below 40%'])
    expect(figures.textContent).toContain(text);
});

test('markets without any item are not called low', async () => {
  summary = { ...usualSummary, avgStockLevel: 0, lowMarkets: 0 };
  open();
  const figures = await screen.findByRole('region', { name: 'Figures' });
  expect(figures.textContent).toContain('Avg Stock Level–No market has items yet');
});

test('search, status and sort are asked of the server and stand in the address', async () => {
  open();
  await rowOf('North Hall');
  await user.type(screen.getByRole('searchbox', { name: 'Search markets' }), 'elm');
  await waitFor(() => expect(asked().at(-1)).toBe('?sort=stock&search=elm'));
  await user.click(screen.getByRole('button', { name: 'Maintenance' }));
  await waitFor(() => expect(asked().at(-1)).toBe('?sort=stock&search=elm&status=maintenance'));
  await user.click(screen.getByRole('button', { name: 'Last Updated' }));
  await waitFor(() => expect(asked().at(-1)).toBe('?sort=updated&search=elm&status=maintenance'));
  expect(window.location.search).toBe('?q=elm&status=maintenance&sort=updated');
});

test('an empty list has the next step, and so has a search without a hit', async () => {
  rows = [];
  open();
  expect(await screen.findByText('No markets yet')).toBeTruthy();
  cleanup();
  window.history.replaceState(null, '', '/markets?q=zzz');
  open();
  expect(await screen.findByText("No market matches 'zzz'")).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('No markets yet')).toBeTruthy();
});

test('a delete names the market and what goes with it', async () => {
  open();
  await rowOf('North Hall');
  await user.click(screen.getByRole('button', { name: 'Delete North Hall' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete North Hall?' }));
  expect(dialog.getByText(/12 inventory items go with it/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Delete Market' }));
  await waitFor(() =>
    expect(toastStore.get()[0]).toMatchObject({
      title: 'Market Deleted',
      description: 'Market has been successfully deleted.',
    }),
  );
  expect(writes()).toMatchObject([{ method: 'DELETE', path: '/api/markets/7' }]);
});

test('a failed delete says so', async () => {
  answer = ({ method }) => (method === 'DELETE' ? new Response('', { status: 502 }) : undefined);
  open();
  await rowOf('North Hall');
  await user.click(screen.getByRole('button', { name: 'Delete North Hall' }));
  await user.click(await screen.findByRole('button', { name: 'Delete Market' }));
  await waitFor(() =>
    expect(toastStore.get()[0]).toMatchObject({
      title: 'Delete Failed',
      description: 'Failed to delete market. Please try again.',
      variant: 'destructive',
    }),
  );
});

test('the second of two people sees what the first changed, keeps the own text, and may take theirs', async () => {
  const newest = buildMarket({ address: '2 Elm Street', status: 'maintenance', version: 3 });
  answer = ({ method, path, version }) => {
    if (method === 'GET' && path === '/api/markets/7') return Response.json(newest);
    const sentence = 'This market was changed by Mary Manager in the meantime.';
    return method === 'PUT' && version === '"2"' ? problem(409, sentence, { version: sentence }) : undefined;
  };
  open();
  await rowOf('North Hall');
  await user.click(screen.getByRole('button', { name: 'Edit North Hall' }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = await dialog.findByLabelText('Address');
  await user.clear(field);
  await user.type(field, '3 Oak Street');
  await user.click(dialog.getByRole('button', { name: 'Save Market' }));
  const told = (await dialog.findByText(/Mary Manager/)).closest('[role=alert]');
  expect(told?.textContent).toContain("'1 Main Street' is now '2 Elm Street'. Yours is kept: '3 Oak Street'.");
  expect(dialog.getByLabelText('Address')).toHaveProperty('value', '3 Oak Street');
  expect(dialog.getByLabelText('Status')).toHaveProperty('value', 'maintenance');
  expect(toastStore.get()[0]).toMatchObject({
    title: 'Update Failed',
    description: 'Failed to update market. Please try again.',
  });
  await user.click(dialog.getByRole('button', { name: 'Take theirs' }));
  expect(dialog.getByLabelText('Address')).toHaveProperty('value', '2 Elm Street');
  await user.click(dialog.getByRole('button', { name: 'Save Market' }));
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Market Updated'));
  expect(writes()[1]).toMatchObject({ body: { address: '2 Elm Street', status: 'maintenance' }, version: '"3"' });
});

test.each([
  ['101', 'None is assigned to your route.'],
  [null, 'You have no route designation. Ask your route manager for one.'],
])('a field worker of route %s who sees no market is told why', async (designation, told) => {
  rows = [];
  open('field_worker', designation);
  expect(await screen.findByText(told)).toBeTruthy();
});

test('who may not write sees the markets and no way to change them', async () => {
  open('field_worker');
  await rowOf('North Hall');
  expect(screen.queryAllByRole('button', { name: /^(Edit|Delete|Add)/ })).toEqual([]);
  expect(screen.getByRole('link', { name: 'View North Hall' })).toBeTruthy();
});

test('a list that did not load is named, and leaves the figures beside it', async () => {
  answer = ({ path }) => (path.endsWith('/page') ? problem(500, 'The server failed.') : undefined);
  open();
  expect((await screen.findByRole('alert')).textContent).toContain('Markets did not load');
  expect(await screen.findByText('Total Markets')).toBeTruthy();
});

test('what is done with the whole list stands in the head of the page', async () => {
  open();
  await rowOf('North Hall');
  const head = within(screen.getByRole('banner'));
  for (const name of ['Export', 'Add Market']) expect(head.getByRole('button', { name })).toBeTruthy();
  expect(head.getByRole('link', { name: 'Import' })).toBeTruthy();
});
