import { readFileSync } from 'node:fs';
// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import type { Exception } from '../../contract/dashboard.ts';
import type { LowStockItem } from '../../contract/inventory.ts';
import type { MarketWithInventory } from '../../contract/markets.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { DashboardScreen } from './dashboard-screen.tsx';
import { buildRoute } from './testing/build-route.ts';

const user = userEvent.setup();

const buildMarket = (fields: Partial<MarketWithInventory> = {}): MarketWithInventory => ({
  id: 7,
  name: 'North Hall',
  address: '1 Main Street',
  city: null,
  state: null,
  latitude: '40.10000000',
  longitude: '-74.20000000',
  status: 'active',
  routeDesignation: '11',
  accessHours: null,
  version: 1,
  accessNotes: null,
  integrationId: null,
  integrationSource: null,
  lastUpdated: '2026-01-05T10:00:00.000Z',
  updatedAt: '2026-01-05T10:00:00.000Z',
  stockLevel: 39,
  inventoryItems: 3,
  lowStockCount: 1,
  ...fields,
});

const lowItem: LowStockItem = {
  id: 3,
  marketId: 7,
  marketName: null,
  productName: 'Cola',
  currentQuantity: 2,
  minimumQuantity: 10,
};
const silent: Exception = {
  key: 'silent:4',
  kind: 'silent',
  severity: 'high',
  message: 'Not heard of for 3 days',
  place: 'Lobby Snacks',
  location: { type: 'vending_machine', id: 4 },
  routeDesignation: '11',
  since: '2026-01-02T10:00:00.000Z',
};

const pageOf = <R,>(rows: R[]) => ({ rows, total: rows.length, from: 0, next: null, previous: null });

type Sent = { method: string; path: string; search: string; body: unknown };

/** The server as the screen sees it: what each path answers, and what was asked. */
class FakeServer {
  readonly sent: Sent[] = [];
  readonly failing = new Set<string>();
  answers: Record<string, unknown> = {
    'GET /api/dashboard/stats': {
      totalMarkets: 2,
      lowStockAlerts: 1,
      todayRoute: 'Morning',
      avgDeliveryTime: '0h',
      marketsByStatus: { active: 2, maintenance: 0, inactive: 0 },
      stopsToday: 3,
      stopsDoneToday: 1,
      lateRoutes: 1,
      plannedDeliveryTime: '0h',
      deliveryDays: [
        { day: '2026-01-03', minutes: 150 },
        { day: '2026-01-04', minutes: 95 },
        { day: '2026-01-05', minutes: 180 },
      ],
    },
    'GET /api/dashboard/exceptions': {
      total: 2,
      rows: [silent, { ...silent, key: 'alert:9', kind: 'alert', message: 'Cooler is warm' }],
    },
    'GET /api/dashboard/top-products': [],
    'GET /api/inventory/low-stock/page': { rows: [lowItem], total: 1, from: 1, next: null, previous: null },
    'GET /api/markets/with-inventory/page': pageOf([
      buildMarket(),
      buildMarket({ id: 1234, name: 'South Hall', address: '9 Far Road' }),
    ]),
    'GET /api/route-designations': ['11', '22'],
    'GET /api/scheduled-routes/page': pageOf([buildRoute()]),
    'GET /api/routes/rest-offers': [],
    'GET /api/traffic-incidents': [],
    'POST /api/routes/optimize': { optimizedOrder: [{}, {}], estimatedTime: 135 },
    'DELETE /api/markets/7': { id: 7 },
    'POST /api/vending-machine-alerts/9/acknowledge': {},
  };

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(input), 'http://localhost');
    const method = init.method ?? 'GET';
    this.sent.push({ method, path: pathname, search, body: init.body ? JSON.parse(String(init.body)) : undefined });
    const name = `${method} ${pathname}`;
    if (this.failing.has(name)) return Response.json({ detail: 'The database is away' }, { status: 503 });
    return Response.json(this.answers[name]);
  };

  sentTo(name: string): Sent[] {
    return this.sent.filter(({ method, path }) => `${method} ${path}` === name);
  }
}

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
  vi.stubGlobal('fetch', server.fetch);
  window.history.replaceState(null, '', '/');
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function open(person: Partial<Session['person']> = {}): void {
  const session: Session = {
    person: {
      id: 1,
      email: 'a@example.com',
      firstName: 'A',
      lastName: 'B',
      role: 'admin',
      roleLabel: 'Super Admin',
      routeDesignation: null,
      ...person,
    },
    operator: { name: 'Op', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', today: '2026-01-05', isDemo: false },
    map: { styleUrl: null },
    expiresAt: '2030-01-01T00:00:00.000Z',
  };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <DashboardScreen />
      </SessionContext>
    </QueryClientProvider>,
  );
}

const section = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name });
const lastToast = () => toastStore.get()[0];

test('what the page asks for before the app is there is what the dashboard asks for', async () => {
  const page = readFileSync('web/index.html', 'utf8');
  const early =
    /const dashboard = \[(.*)\];/
      .exec(page)?.[1]
      ?.split(', ')
      .map((text) => text.slice(1, -1)) ?? [];
  open();
  await screen.findByText('Unknown Market');
  expect(early).toHaveLength(3);
  expect(server.sent.map(({ path, search }) => path + search)).toEqual(expect.arrayContaining(early));
});

test('export saves exactly the loaded low-stock list without a call to the server', async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return 'blob:file';
  });
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  open();
  expect(await screen.findByText('Unknown Market')).toBeTruthy();
  await screen.findByText('MKT-007');
  const before = server.sent.length;
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  expect(names).toEqual(['low-stock-report.json']);
  expect(JSON.parse((await files[0]?.text()) ?? '')).toEqual([lowItem]);
  expect(server.sent.slice(before)).toEqual([]);
});

test('the markets that the search shows are taken away as a file, in the order of the table', async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return 'blob:file';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  open();
  await user.type(await screen.findByRole('searchbox', { name: 'Search markets' }), 'hall');
  await waitFor(() => expect(server.sent.at(-1)?.search).toContain('search=hall'));
  await user.click(await screen.findByRole('button', { name: 'Export markets' }));
  await user.click(await screen.findByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(files).toHaveLength(1));
  expect(await files[0]?.text()).toMatch(/^Market ID,Market,.*\r\n7,North Hall,.*\r\n1234,South Hall,/);
  expect(server.sentTo('GET /api/markets/with-inventory/page').at(-1)?.search).toMatch(
    /sort=stock.*search=hall|search=hall.*sort=stock/,
  );
});

test('a list that did not load is not asked for again by the figure above it', async () => {
  server.failing.add('GET /api/inventory/low-stock/page');
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    if (input === '/api/dashboard/stats') await screen.findByText('Low stock did not load');
    return server.fetch(input, init);
  });
  open();
  await screen.findByText('At or below their minimum');
  expect(server.sentTo('GET /api/inventory/low-stock/page')).toHaveLength(1);
  server.failing.clear();
  await user.click(within(await section('Low Stock Alerts')).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Cola')).toBeTruthy();
});

test('the order of the markets is kept in the address, so that Back and a link show it again', async () => {
  window.history.replaceState(null, '', '/?sort=-name');
  open();
  const table = await screen.findByRole('table', { name: 'Micro Markets Status' });
  await waitFor(() => expect(server.sent.some(({ search }) => search.includes('sort=-name'))).toBe(true));
  await user.click(within(table).getByRole('button', { name: 'Status' }));
  await waitFor(() => expect(window.location.search).toBe('?sort=status'));
});

test('on a phone the status of a market stands below its name, so that names have room', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { matches: media.includes('max-width'), media }) as MediaQueryList,
  );
  open();
  const table = await screen.findByRole('table', { name: 'Micro Markets Status' });
  const cell = (await within(table).findByRole('link', { name: 'North Hall' })).closest('td');
  expect(cell?.textContent).toContain('Active');
  expect(within(table).queryByRole('columnheader', { name: 'Status' })).toBeNull();
});

test('every figure leads to the rows it is made of, for those who may read them', async () => {
  const top = (productName: string, productId: number | null) => ({ productName, productId, units: 3, share: 1 });
  server.answers['GET /api/dashboard/top-products'] = [top('Cola', 12), top('Gone', null)];
  open();
  const address = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await address('0h')).toBe('/reports?type=route&range=month');
  expect(screen.getByRole('img', { name: 'By day, from 1h 35m to 3h 0m' })).toBeTruthy();
  expect(await address('Last 30 days')).toBe('/reports?type=sales&range=month');
  expect(await address('Cola')).toBe('/products/12');
  expect(screen.queryByRole('link', { name: 'Gone' })).toBeNull();
  cleanup();
  open({ role: 'field_worker' });
  expect(await screen.findByText('0h')).toBeTruthy();
  expect(await screen.findByText('Gone')).toBeTruthy();
  for (const name of ['0h', 'Last 30 days', 'Cola']) expect(screen.queryByRole('link', { name })).toBeNull();
});

test('optimize is disabled and says why when there is no route today', async () => {
  server.answers['GET /api/scheduled-routes/page'] = pageOf([]);
  open();
  expect(await screen.findByText('There is no route today to optimize.')).toBeTruthy();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Optimize' })).toHaveProperty('disabled', true));
});

test('optimize sends the open stops of each route of today from its depot and says the sums', async () => {
  server.answers['GET /api/scheduled-routes/page'] = pageOf([
    buildRoute(),
    buildRoute({ id: 6, routeDesignation: '22' }),
  ]);
  open();
  await user.click(await screen.findByRole('button', { name: 'Optimize' }));
  await waitFor(() => expect(lastToast()?.title).toBe('Route Optimized'));
  expect(lastToast()?.description).toBe('Optimized route with 4 stops. Estimated time: 4h 30m');
  expect(server.sentTo('POST /api/routes/optimize').map(({ body }) => body)).toEqual(
    [5, 6].map((routeId) => ({
      routeId,
      marketIds: [8],
      vendingMachineIds: [7],
      startLocation: { lat: 40.5, lng: -74.5 },
    })),
  );
});

test('with a route chosen only that one is optimized, and a failure is said', async () => {
  server.answers['GET /api/scheduled-routes/page'] = pageOf([
    buildRoute(),
    buildRoute({ id: 6, routeDesignation: '22' }),
  ]);
  server.failing.add('POST /api/routes/optimize');
  open();
  await user.click(await screen.findByRole('button', { name: '22' }));
  await user.click(await screen.findByRole('button', { name: 'Optimize' }));
  await waitFor(() => expect(lastToast()?.title).toBe('Optimization Failed'));
  expect(lastToast()).toMatchObject({
    description: 'Failed to optimize route. Please try again.',
    variant: 'destructive',
  });
  expect(server.sentTo('POST /api/routes/optimize').map(({ body }) => body)).toMatchObject([{ routeId: 6 }]);
});

test('stops stand in order with actual time and state', async () => {
  open();
  const stops = within(await section('Stops of 11'));
  const rows = stops.getAllByRole('listitem');
  expect(rows[0]?.textContent).toContain('2:05 PMDone');
  expect(rows[1]?.textContent).toContain('South Hall');
  expect(rows[1]?.textContent).toContain('late');
});

test('the search is asked of the server; without a hit it says so and can be cleared', async () => {
  open();
  await screen.findByText('MKT-1234');
  const box = await screen.findByPlaceholderText('Search markets...');
  server.answers['GET /api/markets/with-inventory/page'] = pageOf([]);
  await user.type(box, 'FAR rox');
  expect(await screen.findByText("No market matches 'FAR rox'")).toBeTruthy();
  expect(server.sentTo('GET /api/markets/with-inventory/page').at(-1)?.search).toContain('search=FAR+rox');
  server.answers['GET /api/markets/with-inventory/page'] = pageOf([buildMarket()]);
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('MKT-007')).toBeTruthy();
});

test('a delete asks first, naming the market, and removes only then', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: 'Delete North Hall' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete North Hall?' }));
  expect(server.sentTo('DELETE /api/markets/7')).toHaveLength(0);
  server.answers['GET /api/markets/with-inventory/page'] = pageOf([]);
  await user.click(dialog.getByRole('button', { name: 'Delete Market' }));
  expect(await screen.findByText('No markets yet')).toBeTruthy();
  expect(lastToast()).toMatchObject({
    title: 'Market Deleted',
    description: 'Market has been successfully deleted.',
  });
});

test('only an administrator sees a delete', async () => {
  open({ role: 'route_manager' });
  expect(await screen.findByRole('button', { name: 'Edit North Hall' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete North Hall' })).toBeNull();
});

test('a section that fails says what happened and can be tried again; the others stay', async () => {
  server.failing.add('GET /api/inventory/low-stock/page');
  open();
  expect(await screen.findByText('The database is away')).toBeTruthy();
  expect(screen.getByText('Low stock did not load')).toBeTruthy();
  expect(await screen.findByText('MKT-007')).toBeTruthy();
  server.failing.clear();
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Cola')).toBeTruthy();
});

test('exceptions are filtered by kind, and an alert is acknowledged in place', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: 'Alert 1' }));
  const list = within(await screen.findByRole('region', { name: 'Needs you' }));
  expect(list.queryByText('Not heard of for 3 days')).toBeNull();
  await user.click(list.getByRole('button', { name: 'Acknowledge' }));
  await waitFor(() => expect(lastToast()?.title).toBe('Alert acknowledged'));
  expect(server.sentTo('POST /api/vending-machine-alerts/9/acknowledge')).toHaveLength(1);
});

test('a field worker without designation and route is told whom to ask', async () => {
  server.answers['GET /api/scheduled-routes/page'] = pageOf([]);
  open({ role: 'field_worker' });
  expect(await screen.findByText('Nothing is assigned to you')).toBeTruthy();
});

test('a long list of what needs somebody takes the place that its placeholders kept, with the line below it', async () => {
  const rows = Array.from({ length: 9 }, (_, n) => ({ ...silent, key: `silent:${n + 1}` }));
  server.answers['GET /api/dashboard/exceptions'] = { total: rows.length, rows };
  open();
  const kept = screen.getByRole('status', { name: 'Loading what needs you' }).childElementCount;
  expect(await screen.findByRole('button', { name: 'Show all 9' })).toBeTruthy();
  const list = within(await section('Needs you'));
  expect(kept).toBe(list.getAllByRole('listitem').length + 1);
});
