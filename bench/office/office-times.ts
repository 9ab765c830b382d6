import { sql } from 'drizzle-orm';
import { firstRow } from '../../server/db/database.ts';
import type { Running } from '../../server/start.ts';
import { getter, signedIn } from '../signed-in.ts';

const calls = 20;

type Asked = { path: string; goalMs: number };
const within = (goalMs: number, paths: readonly string[]): Asked[] => paths.map((path) => ({ path, goalMs }));

/** Lists and searches that are asked alike of every operator. */
const lists = [
  '/api/admin/overview',
  '/api/admin/locations',
  '/api/admin/locations?search=center',
  '/api/admin/inventory',
  '/api/admin/inventory?search=water',
  '/api/admin/inventory?search=chips%20center',
  '/api/admin/inventory?search=a',
  '/api/admin/inventory?search=center',
  '/api/admin/inventory?stock=low',
  '/api/admin/inventory?sort=stock',
  '/api/admin/inventory?sort=-stock',
  '/api/admin/inventory?sort=-stock&search=water',
  '/api/admin/inventory?route=101&search=water',
  '/api/vending-machines/page',
  '/api/vending-machines/page?sort=stock',
  '/api/vending-machines/page?q=lobby',
  '/api/inventory/page',
  '/api/inventory/page?search=water',
  '/api/inventory/summary',
  '/api/markets/with-inventory/page',
  '/api/vending-machine-alerts/page',
  '/api/inventory/page?search=chips%20center',
  '/api/inventory/page?sort=market',
  '/api/inventory/page?sort=-stock',
  '/api/markets/with-inventory/page?search=center',
  '/api/markets/with-inventory/summary',
  '/api/vending-machines/page?q=a&sort=stock',
  '/api/admin/locations?sort=-updated',
  '/api/admin/locations?search=a',
  '/api/people/page',
  '/api/audit-log/page',
  '/api/products/page',
  '/api/products/page?search=water',
  '/api/products?search=wat&limit=12',
  '/api/stock-review',
  '/api/route-choices',
  '/api/route-designations',
  '/api/scheduled-routes',
  '/api/picking',
  '/api/map',
  '/api/integrations/review',
  '/api/integrations/runs',
  '/api/integration/sync/status',
  '/api/payment-reports?range=quarter',
  '/api/payment-reports/locations?range=quarter',
  '/api/payment-reports/transactions',
  '/api/reconciliation',
  '/api/traffic-incidents',
  '/api/device-sessions/page',
  '/api/past-imports',
  '/api/first-steps',
  '/api/settings',
];

/** What the office asks for, and in how many milliseconds the answer is to be there. */
function askedOf(id: Record<'market' | 'machine' | 'route' | 'product', number>): Asked[] {
  const sales = ['product', 'category', 'route', 'location', 'machine'].map(
    (by) => `/api/reports/sales?range=quarter&by=${by}`,
  );
  return [
    ...within(300, [
      ...sales,
      '/api/reports/sales?range=quarter&by=location&sort=name',
      '/api/reports/sales?range=quarter&by=machine&search=center',
      '/api/reports/sales?range=quarter&route=101',
      '/api/reports/sales?range=quarter&route=101&by=location',
      '/api/reports/market?range=quarter',
      '/api/reports/market?range=quarter&sort=name&search=center',
      '/api/reports/route?range=quarter',
      '/api/reports/route/page?range=quarter',
      '/api/reports/inventory/page?range=quarter',
      '/api/reports/inventory?range=quarter',
      '/api/reports/inventory?range=week',
      '/api/reports/inventory?range=quarter&route=101',
      '/api/dashboard/stats',
      '/api/dashboard/top-products',
      '/api/dashboard/exceptions',
    ]),
    ...within(150, [
      `/api/location-sales?type=market&id=${id.market}&days=90`,
      `/api/location-stock?type=market&id=${id.market}&days=90`,
      `/api/location-need?type=market&id=${id.market}`,
      `/api/markets/${id.market}`,
      `/api/inventory/${id.market}`,
      `/api/location-sales?type=vending_machine&id=${id.machine}&days=90`,
      `/api/location-stock?type=vending_machine&id=${id.machine}&days=90`,
      `/api/location-need?type=vending_machine&id=${id.machine}`,
      `/api/vending-machines/${id.machine}`,
      `/api/vending-machines/${id.machine}/inventory`,
      `/api/vending-machines/${id.machine}/planogram`,
      `/api/routes/${id.route}`,
      `/api/routes/${id.route}/pick-list`,
      `/api/products/${id.product}`,
      ...lists,
    ]),
    ...within(50, [
      '/api/search?q=cemter',
      '/api/search?q=center',
      '/api/search?q=lobby%20center',
      '/api/search?q=MKT-007',
      '/api/search?q=036000291452',
      '/api/search?q=no%20such%20thing%20anywhere',
    ]),
  ];
}

/** The office's calls one at a time, warm, over HTTP, each against its goal; with `--profile XL` at 50,000 machines. */
export async function officeTimes({ deps, address }: Running, say: (line: string) => void): Promise<boolean> {
  const some = await firstRow<Record<'market' | 'machine' | 'route' | 'product', number>>(
    deps.db,
    sql`select (select id from markets where deleted_at is null order by id limit 1) as market,
          (select id from vending_machines where deleted_at is null order by id limit 1) as machine,
          (select id from routes order by date desc, id limit 1) as route, (select id from products order by id limit 1) as product`,
  );
  if (!some) throw new Error('The times of the office need a filled database: add --profile XL.');
  const get = getter(address, await signedIn(deps, 'admin'));
  const timed = async (path: string): Promise<{ ms: number; kb: number }> => {
    const begun = performance.now();
    const body = await get(path);
    return { ms: performance.now() - begun, kb: body.byteLength / 1024 };
  };
  say(
    `The office's calls, ${calls} each, one at a time: first, median and 95th of a hundred in ms, processor of this process in ms`,
  );
  let isMet = true;
  for (const { path, goalMs } of askedOf(some)) {
    const first = await timed(path);
    const times: number[] = [];
    const before = process.cpuUsage();
    while (times.length < calls) times.push((await timed(path)).ms);
    const { user, system } = process.cpuUsage(before);
    times.sort((a, b) => a - b);
    const late = times[Math.ceil(0.95 * calls) - 1] ?? 0;
    isMet &&= late <= goalMs;
    const figures = [first.ms, times[calls >> 1] ?? 0, late, (user + system) / 1000 / calls];
    say(
      `  ${path.padEnd(62)} ${figures.map((ms) => ms.toFixed(ms < 10 ? 1 : 0).padStart(6)).join(' ')}  ${first.kb.toFixed(0).padStart(6)} kB  goal ${goalMs} ${late <= goalMs ? 'met' : 'missed'}`,
    );
  }
  return isMet;
}
