// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { InventoryReport, MarketReport, RouteReport, SalesReport } from '../../contract/reports.ts';
import { usualRules } from '../../domain/operator-rules.ts';
import { setOperatorRules } from '../http/operator-rules.ts';
import { createQueryClient } from '../http/query-client.ts';
import { smallScreen } from '../ui/use-media.ts';
import { ReportsScreen } from './reports-screen.tsx';

const user = userEvent.setup();
const days = { range: { from: '2026-03-06', to: '2026-03-12' }, before: { from: '2026-02-27', to: '2026-03-05' } };

const inventory: InventoryReport = {
  ...days,
  totalUnits: 1234,
  machineUnits: 99,
  lowStockCount: 1,
  averageStockLevel: 61,
  value: { total: '1500.00', atCost: '1000.00', atPrice: '500.00', unvaluedUnits: 7 },
  spoiled: { units: 4, unitsBefore: 2, cost: '3.20' },
  missing: { units: 0, unitsBefore: 0, cost: '0.00' },
  soldOutShare: 0.025,
  lowStock: [
    { id: 1, productName: '=Cola', marketId: 7, marketName: 'North Hall', current: 3, minimum: 10, shortage: -7 },
  ],
  losses: [],
};

const sales: SalesReport = {
  ...days,
  by: 'product',
  units: 30,
  unitsBefore: 0,
  amount: '60.00',
  amountBefore: '40.00',
  margin: '20.00',
  costedAmount: '50.00',
  foreignUnits: 0,
  days: [{ day: '2026-03-12', units: 30, amount: '60.00', amountBefore: '40.00' }],
  groups: {
    ...{ total: 1, from: 1, next: null, previous: null },
    rows: [
      {
        ...{ key: 'Cola', label: 'Cola', location: null, units: 30, amount: '60.00', amountBefore: '40.00' },
        ...{ margin: '20.00', costedAmount: '50.00', soldOutShare: null },
      },
    ],
  },
};

const noRoutes: RouteReport = {
  ...days,
  ...{ activeMarkets: 2, maintenanceMarkets: 1, routes: 0, completed: 0 },
  distance: { plannedMiles: 0, drivenMiles: 0 },
  deliveryTime: { plannedMin: null, actualMin: null },
  stops: { planned: 0, visited: 0, skipped: 0, late: 0 },
  ...{ salesPerVisit: '8.25', days: [], rows: [] },
};

const onePage = <R,>(rows: readonly R[]) => ({ rows, total: rows.length, from: 1, next: null, previous: null });

let asked: URL[] = [];
let failing = false;
let routesToday = noRoutes;
const saved: { name: string; content: Blob }[] = [];

beforeEach(() => {
  asked = [];
  failing = false;
  routesToday = noRoutes;
  saved.length = 0;
  const answers = (): Record<string, unknown> => ({
    '/api/reports/inventory/page': { ...inventory, lowStock: onePage(inventory.lowStock) },
    '/api/reports/sales': sales,
    '/api/reports/route/page': { ...routesToday, rows: onePage(routesToday.rows) },
    '/api/route-designations': ['11', '22'],
  });
  vi.stubGlobal('fetch', async (input: string) => {
    const url = new URL(input, 'http://localhost');
    asked.push(url);
    if (failing) return Response.json({ detail: 'The database is away' }, { status: 503 });
    return Response.json(answers()[url.pathname]);
  });
  let last: Blob | null = null;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    last = content as Blob;
    return 'blob:here';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (last) saved.push({ name: this.download, content: last });
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function open(search = ''): void {
  window.history.replaceState(null, '', `/reports${search}`);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ReportsScreen />
    </QueryClientProvider>,
  );
}

const lastAsked = (path: string) => asked.findLast((url) => url.pathname === path)?.search;

test('a report that ends today says that of it there is only what has been so far', async () => {
  vi.setSystemTime(new Date('2026-03-12T18:00:00Z'));
  open();
  expect(
    await screen.findByText('Mar 6, 2026 to Mar 12, 2026 (today so far), compared with Feb 27, 2026 to Mar 5, 2026'),
  ).toBeTruthy();
});

test('the time sold out is told where it is known, and left out where nothing was recorded', async () => {
  open();
  expect(await screen.findByText('Items below their minimum; sold out 2.5% of the time')).toBeTruthy();
  cleanup();
  const answer = (path: string): unknown =>
    path.startsWith('/api/reports') ? { ...inventory, lowStock: onePage(inventory.lowStock), soldOutShare: null } : [];
  vi.stubGlobal('fetch', async (path: string) => Response.json(answer(path)));
  open();
  expect(await screen.findByText('Items below their minimum')).toBeTruthy();
});

test('where there is no market, no stock level is claimed', async () => {
  const empty = { ...inventory, lowStock: onePage([]), averageStockLevel: null };
  vi.stubGlobal('fetch', async (path: string) => Response.json(path.startsWith('/api/reports') ? empty : []));
  open();
  expect(await screen.findByText('No markets')).toBeTruthy();
  expect(screen.queryByText('null%')).toBeNull();
  expect(screen.getByRole('link', { name: 'Open Inventory' })).toBeTruthy();
});

test('markets that sold nothing in the chosen days are said to, instead of by their zeros alone', async () => {
  const market = (id: number, units: number): MarketReport['markets']['rows'][number] => ({
    ...{ id, name: `Hall ${id}`, status: 'active', stockLevel: 70, items: 9, lowStockCount: 0, routeDesignation: null },
    ...{ units, amount: `${units}.00`, amountBefore: '0.00', margin: '0.00' },
    ...{ costedAmount: '0.00', soldOutShare: null },
  });
  const words = /No market shown sold anything in these days/;
  const openWith = (markets: ReturnType<typeof market>[]): void => {
    const report: MarketReport = {
      ...days,
      foreignUnits: 0,
      markets: { ...onePage([]), rows: markets, total: markets.length },
    };
    vi.stubGlobal('fetch', async (path: string) => Response.json(path.startsWith('/api/reports') ? report : []));
    open('?type=market');
  };
  openWith([market(1, 0), market(2, 0)]);
  expect(await screen.findByText(words)).toBeTruthy();
  cleanup();
  openWith([market(1, 3), market(2, 0)]);
  expect(await screen.findByText('Hall 2')).toBeTruthy();
  expect(screen.queryByText(words)).toBeNull();
  cleanup();
  openWith([]);
  expect(await screen.findByText('No markets')).toBeTruthy();
  expect(screen.queryByText(words)).toBeNull();
});

test('one unit is said as one', async () => {
  const value = { ...inventory.value, atPrice: '0.00', unvaluedUnits: 1 };
  const one = {
    ...inventory,
    value,
    spoiled: { ...inventory.spoiled, units: 1 },
    lowStock: onePage(inventory.lowStock),
  };
  vi.stubGlobal('fetch', async (path: string) => Response.json(path.startsWith('/api/reports') ? one : []));
  open();
  expect(await screen.findByText('At cost; 1 unit without cost or price left out')).toBeTruthy();
  expect(screen.getByText('1 unit')).toBeTruthy();
});

test('on a phone what is looked at is picked from lists, for two rows of tools and not four', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => Object.assign(new EventTarget(), { matches: query === smallScreen, media: query }) as MediaQueryList,
  );
  open();
  const type = await screen.findByRole('combobox', { name: 'Report type' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Time range' }), 'Month');
  await user.selectOptions(type, 'Sales');
  expect(window.location.search).toBe('?range=month&type=sales');
});

test('the inventory report shows units, value with what it rests on, and shortage as a negative number', async () => {
  open();
  expect(await screen.findByText('1,234')).toBeTruthy();
  expect(screen.getByText('$1,500.00')).toBeTruthy();
  expect(
    screen.getByText('$500.00 of it at price, where no cost is known; 7 units without cost or price left out'),
  ).toBeTruthy();
  expect(screen.getByText('Mar 6, 2026 to Mar 12, 2026, compared with Feb 27, 2026 to Mar 5, 2026')).toBeTruthy();
  const table = screen.getByRole('table', { name: 'Low stock' });
  const cells = within(table)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
  // On a phone the market stands under the product.
  expect(cells).toEqual(['=ColaNorth Hall', 'North Hall', '3', '10', '-7']);
});

test('export saves what is on the screen under type and date, and no cell that a spreadsheet would run', async () => {
  open();
  await screen.findByText('1,234');
  await user.click(screen.getByRole('button', { name: 'Export Report' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(saved).toHaveLength(2));
  const [json, csv] = saved;
  expect(json?.name).toMatch(/^inventory-report-\d{4}-\d{2}-\d{2}\.json$/);
  const whole = JSON.parse((await json?.content.text()) ?? '');
  expect(whole).toMatchObject({ type: 'inventory', timeRange: 'week', data: inventory });
  expect(Number.isNaN(Date.parse(whole.generatedAt))).toBe(false);
  expect(await csv?.content.text()).toContain("'=Cola,North Hall,3,10,-7");
});

test('the file has the rows of every page in the order that was chosen on the screen', async () => {
  const [row] = inventory.lowStock;
  vi.stubGlobal('fetch', async (input: string) => {
    const url = new URL(input, 'http://localhost');
    asked.push(url);
    if (url.pathname !== '/api/reports/inventory/page') return Response.json([]);
    const isLast = url.searchParams.get('page') === 'second';
    const rows = row ? [{ ...row, productName: isLast ? 'Apple' : 'Tea' }] : [];
    return Response.json({ ...inventory, lowStock: { ...onePage(rows), next: isLast ? null : 'second' } });
  });
  open('?type=inventory&sort=-product');
  await screen.findByText('1,234');
  asked = [];
  await user.click(screen.getByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const lines = (await saved[0]?.content.text())?.split('\r\n').map((line) => line.split(',')[0]);
  expect(lines).toEqual(['Product', 'Tea', 'Apple', '']);
  const sorts = asked
    .filter(({ pathname }) => pathname.endsWith('/page'))
    .map(({ searchParams }) => searchParams.get('sort'));
  expect(sorts).toEqual(['-product', '-product']);
});

test('a figure leads to the rows it counts', async () => {
  open();
  await screen.findByText('1,234');
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect([hrefOf('1,234'), hrefOf('1'), hrefOf('$1,500.00'), hrefOf('61%')]).toEqual([
    '/inventory',
    '/inventory?stock=low',
    '/inventory',
    '/markets?sort=stock',
  ]);
});

test.each([
  ['?type=inventory', '4 units'],
  ['?type=sales', '30'],
  ['?type=sales', '$2.00'],
  ['?type=route', '0.0 mi'],
  ['?type=route', '$8.25'],
])('a figure of %s that is about the rows below leads to them', async (search, figure) => {
  open(search);
  await user.click(await screen.findByRole('link', { name: figure }));
  expect(document.activeElement?.id).toBe('rows');
  expect(within(document.activeElement as HTMLElement).getByRole('heading', { level: 2 })).toBeTruthy();
});

test('days without a stop do not read as stops that were left out', async () => {
  open('?type=route');
  expect(await screen.findByText('No stop was planned')).toBeTruthy();
  expect(screen.queryByText('0 of 0')).toBeNull();
});

test('another range and route are asked of the server and kept in the address', async () => {
  open();
  await screen.findByText('1,234');
  await user.click(screen.getByRole('button', { name: 'Quarter' }));
  await waitFor(() => expect(lastAsked('/api/reports/inventory/page')).toBe('?range=quarter&sort=shortage&limit=25'));
  await user.selectOptions(await screen.findByLabelText('Route'), 'Route 22');
  await waitFor(() =>
    expect(lastAsked('/api/reports/inventory/page')).toBe('?range=quarter&route=22&sort=shortage&limit=25'),
  );
  expect(window.location.search).toBe('?range=quarter&route=22');
});

test('sales say how they compare with the time before, and can be read as a table', async () => {
  open('?type=sales');
  expect(await screen.findByText('50.0%')).toBeTruthy();
  expect(screen.getByText('None in the time before')).toBeTruthy();
  expect(screen.getByText('40.0%')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Table' }));
  expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toContain('Mar 12, 2026');
  await user.selectOptions(screen.getByLabelText('Group by'), 'By vending machine');
  await waitFor(() => expect(lastAsked('/api/reports/sales')).toBe('?range=week&sort=-sales&limit=25&by=machine'));
});

test('the server sorts, searches and pages what sales are grouped by; all of it is taken away and printed', async () => {
  const row = sales.groups.rows[0];
  const page = (url: URL): SalesReport => {
    const isLast = url.searchParams.get('page') === 'second';
    const key = isLast ? 'Tea' : 'Cola';
    const rows = row ? [{ ...row, key, label: key, soldOutShare: 0.0564010989010989 }] : [];
    return {
      ...sales,
      groups: { ...sales.groups, total: 2, from: isLast ? 2 : 1, rows, next: isLast ? null : 'second' },
    };
  };
  vi.stubGlobal('fetch', async (input: string) => {
    const url = new URL(input, 'http://localhost');
    asked.push(url);
    return Response.json(url.pathname === '/api/reports/sales' ? page(url) : []);
  });
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const wanted = (name: string) => new URLSearchParams(lastAsked('/api/reports/sales')).get(name);
  open('?type=sales');
  await user.click(await screen.findByRole('button', { name: 'Next page' }));
  expect(await screen.findByText('Tea')).toBeTruthy();
  expect(screen.getByText(/Rows 2–2 of 2/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Print' }));
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1));
  expect([wanted('limit'), wanted('page')]).toEqual(['1000', null]);
  expect(await screen.findByText('Tea')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Units' }));
  await waitFor(() => expect([wanted('sort'), wanted('page')]).toEqual(['units', null]));
  await user.type(screen.getByRole('searchbox', { name: 'Search products' }), 'co');
  await waitFor(() => expect([wanted('search'), wanted('sort')]).toEqual(['co', 'units']));
  await user.click(screen.getByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const lines = (await saved[0]?.content.text())?.split('\r\n').map((line) => line.split(',')[0]);
  expect(lines).toEqual(['Product', 'Cola', 'Tea', '']);
  expect(await saved[0]?.content.text()).toMatch(/,0\.0564\r/);
  await user.keyboard('{Control>}p{/Control}');
  await waitFor(() => expect(print).toHaveBeenCalledTimes(2));
  expect([wanted('limit'), wanted('sort')]).toEqual(['1000', 'units']);
});

test('days without routes say so and draw nothing', async () => {
  open('?type=route');
  expect(await screen.findByText('No routes in these days')).toBeTruthy();
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByText('No route was completed')).toBeTruthy();
  expect(screen.getByText('Markets, on a route or not')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Plan a route' }).getAttribute('href')).toBe('/route-planning');
});

test('times are whole hours plus minutes, and late is what the operator calls late', async () => {
  setOperatorRules({ ...usualRules, lateAfterMin: 20 });
  routesToday = {
    ...{ ...noRoutes, routes: 2, completed: 2, deliveryTime: { plannedMin: 145, actualMin: 142 } },
    stops: { planned: 18, visited: 18, skipped: 0, late: 0 },
    days: [{ day: '2026-03-12', routes: 2, plannedMin: 290, actualMin: 284, plannedMiles: 9.7, drivenMiles: 9.7 }],
  };
  open('?type=route');
  expect(await screen.findByRole('link', { name: '2h 22m' })).toBeTruthy();
  expect(screen.getByText('Planned 2h 25m, 2 routes completed')).toBeTruthy();
  expect(screen.getByText('0 skipped, 0 more than 20 minutes late')).toBeTruthy();
  expect(screen.getAllByText(/^[\d.]+ h$/).map((mark) => mark.textContent)).toEqual(['5 h', '2.5 h', '0 h']);
  await user.click(screen.getByRole('button', { name: 'Table' }));
  expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
    ...['Mar 12, 2026', '4h 44m', '4h 50m'],
  ]);
  setOperatorRules(undefined);
});

test('the scale of sales has its cents, and every day below it its year', async () => {
  open('?type=sales');
  const chart = (await screen.findByRole('img', { name: /^Sales by day/ })).closest('section');
  expect(chart?.textContent).toContain('$100.00$50.00$0.00');
  expect(chart?.textContent).toContain('Mar 12, 2026');
});

test('a report that does not load says why and can be asked for again', async () => {
  failing = true;
  open();
  expect(await screen.findByText('The database is away')).toBeTruthy();
  failing = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1,234')).toBeTruthy();
});

test('a change too small to be told has no sign', async () => {
  const [row] = sales.groups.rows;
  const changes = [
    ['100.02', '100.00'],
    ['99.98', '100.00'],
    ['97.00', '100.00'],
  ].map(([amount, amountBefore]) => ({ ...row, key: amount, label: amount, amount, amountBefore }));
  const report = { ...sales, groups: { ...sales.groups, total: 3, rows: changes } };
  vi.stubGlobal('fetch', async (path: string) => Response.json(path.startsWith('/api/reports') ? report : []));
  open('?type=sales');
  const cells = (await screen.findAllByRole('cell')).map((cell) => cell.textContent ?? '');
  expect(cells.filter((text) => /^[+−]?[\d.]+%$/.test(text))).toEqual(['0.0%', '0.0%', '−3.0%']);
});
