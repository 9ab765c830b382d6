// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../../contract/auth.ts';
import type { Stop } from '../../../contract/routes.ts';
import { SessionContext } from '../../auth/session-context.ts';
import { createQueryClient } from '../../http/query-client.ts';
import { routesAtOnce } from '../api.ts';
import { buildRoute } from '../testing/build-route.ts';
import { routeState, stopState } from './route-progress.ts';
import { TodayRoute } from './today-route.tsx';

const user = userEvent.setup();
const day = Array.from({ length: 45 }, (_, n) =>
  buildRoute({ id: n + 1, name: `R${n + 1}`, routeDesignation: null, driverName: n === 44 ? 'Zoe' : 'Sam' }),
);
let asked: string[] = [];

/** A day of 45 routes, answered in pages as the server does. */
async function answer(input: string | URL | Request): Promise<Response> {
  const { pathname, search, searchParams } = new URL(String(input), 'http://localhost');
  asked.push(pathname + search);
  if (pathname.startsWith('/api/routes/4')) return Response.json(day.find(({ id }) => pathname.endsWith(`/${id}`)));
  if (pathname === '/api/route-designations') return Response.json([]);
  if (pathname !== '/api/scheduled-routes/page') return Response.json({ detail: 'Not here' }, { status: 404 });
  const words = searchParams.get('q') ?? '';
  const found = day.filter(({ name, driverName }) => `${name} ${driverName}`.includes(words));
  const from = Number(searchParams.get('page') ?? 0);
  const end = from + Number(searchParams.get('limit'));
  const next = end < found.length ? String(end) : null;
  return Response.json({ rows: found.slice(from, end), total: found.length, from: from + 1, next, previous: null });
}

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', answer);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(address = '/'): void {
  window.history.replaceState(null, '', address);
  const session = {
    person: { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', role: 'admin', roleLabel: 'Super Admin' },
    operator: { name: 'Op', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', today: '2026-01-05', isDemo: false },
    map: { styleUrl: null },
    expiresAt: '2030-01-01T00:00:00.000Z',
  } as Session;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <TodayRoute />
      </SessionContext>
    </QueryClientProvider>,
  );
}

const list = () => screen.findByRole('list', { name: 'Routes of today' });
const namesIn = (among: HTMLElement): string[] =>
  within(among)
    .getAllByRole('button')
    .map((row) => row.querySelector('strong')?.textContent ?? '');

test('many routes come by the page, and more when asked for', async () => {
  open();
  expect(namesIn(await list())).toHaveLength(routesAtOnce);
  expect(screen.getByText('20 of 45 routes, those under way first')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show 20 more' }));
  await user.click(await screen.findByRole('button', { name: 'Show 5 more' }));
  await screen.findByText('R45');
  expect(namesIn(await list())).toEqual(day.map(({ name }) => name));
  expect(screen.queryByText(/routes, those under way first/)).toBeNull();
});

test('a route is found by its driver among those that were not read', async () => {
  open();
  await list();
  await user.type(screen.getByLabelText('Find a route'), 'Zoe');
  await screen.findByText('R45');
  expect(namesIn(await list())).toEqual(['R45']);
  await user.type(screen.getByLabelText('Find a route'), 'x');
  expect(await screen.findByText("No route of today has 'Zoex' in its name or its driver's.")).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await screen.findByText('R1');
});

test('a route that the address names is shown, though it is beyond those that were read', async () => {
  open('/?route=44');
  expect(await screen.findByRole('region', { name: 'Stops of R44' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'All routes' }));
  expect(await screen.findByRole('region', { name: 'Stops of R1' })).toBeTruthy();
  expect(asked.filter((path) => path.startsWith('/api/routes/'))).toContain('/api/routes/44');
});

test('who is at a stop is told with where and since when, also out of the planned order', async () => {
  const [first, second, ...rest] = day[0]?.stops ?? [];
  const here = { ...second, completed: false, expectedArrival: null, actualArrival: '2026-01-05T14:03:00.000Z' };
  const underWay = { ...day[0], status: 'in_progress', stops: [first, here, ...rest] };
  vi.stubGlobal('fetch', async (input: string) =>
    String(input).includes('/scheduled-routes/page')
      ? Response.json({ rows: [underWay], total: 1, from: 1, next: null, previous: null })
      : answer(input),
  );
  open();
  const row = (await screen.findByText('R1')).closest('button') as HTMLElement;
  expect(within(row).getByText(`At ${second?.locationName} since 2:03 PM`)).toBeTruthy();
});

test('who is at a stop grows no later there than the arrival was', () => {
  const [first, second] = buildRoute().stops;
  const here = { ...second, actualArrival: '2026-01-05T14:20:00.000Z' } as Stop;
  const route = buildRoute({ stops: first ? [first, here] : [] });
  const now = new Date('2026-01-05T14:55:00.000Z');
  expect([routeState(route, now).word, stopState(here, route, now).word]).toEqual(['20 min late', '20 min late']);
});

test('a next stop that is overdue by a few minutes says so, in its route and in its row', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-05T14:08:00.000Z') });
  try {
    open();
    const row = (await screen.findByText('R1')).closest('button') as HTMLElement;
    expect(within(row).getByText('Next 2:00 PM, South Hall')).toBeTruthy();
    expect(within(row).getByText('8 min late')).toBeTruthy();
    expect(within(row).queryByText('On time')).toBeNull();
    const stops = within(await screen.findByRole('region', { name: 'Stops of R1' }));
    expect(stops.getAllByText('8 min late')).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('a route that nobody has started says beside its next stop by how much that is overdue', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-05T14:08:00.000Z') });
  const planned = { ...day[0], status: 'planned' };
  vi.stubGlobal('fetch', async (input: string) =>
    String(input).includes('/scheduled-routes/page')
      ? Response.json({ rows: [planned], total: 1, from: 1, next: null, previous: null })
      : answer(input),
  );
  try {
    open();
    const row = (await screen.findByText('R1')).closest('button') as HTMLElement;
    expect(within(row).getByText('Next 2:00 PM (8 min late), South Hall')).toBeTruthy();
    expect(within(row).getByText('Not started')).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test('a stop says where it is, and a name that is cut short is whole on hover', async () => {
  open();
  const stops = within(await screen.findByRole('region', { name: 'Stops of R1' }));
  const [first] = stops.getAllByRole('listitem');
  expect(within(first as HTMLElement).getByText('1 Main Street')).toBeTruthy();
  expect(within(first as HTMLElement).getByRole('link', { name: 'North Hall' }).title).toBe('North Hall');
});
