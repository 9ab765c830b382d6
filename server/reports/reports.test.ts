import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type {
  InventoryReport,
  MarketReport,
  RouteReport,
  RouteReportPage,
  SalesReport,
} from '../../contract/reports.ts';
import type { LedgerEvent } from '../inventory/ledger.ts';
import { recordEvents } from '../inventory/service.ts';
import { products } from '../products/tables.ts';
import { recordSales, type Sale } from '../sales/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import {
  buildItem,
  buildMachine,
  buildMarket,
  buildRoute,
  buildSlot,
  buildStop,
  buildUser,
} from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

/** Noon in New York on a day of March 2026; the clock stands at the 12th. */
const noon = (day: number): Date => new Date(Date.UTC(2026, 2, day, 16));

onEachDatabase('reports', (open) => {
  let test: TestApp;
  let manager: Person;
  let itemId = 0;
  let marketId = 0;

  beforeAll(async () => {
    test = await testApp(open);
    const { db } = test.deps;
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    const [cola] = await db
      .insert(products)
      .values({ name: 'Cola', category: 'Drinks', unitCost: '0.50', unitPrice: '2.00' })
      .returning();
    const market = await buildMarket(db, { name: 'Plaza', routeDesignation: '101' });
    marketId = market.id;
    const item = { productId: cola?.id ?? null, productName: 'Cola', minimumQuantity: 10 };
    itemId = (await buildItem(db, market.id, item)).id;
    const machine = await buildMachine(db, { name: 'Lobby', routeDesignation: '202' });
    const slot = await buildSlot(db, machine.id, { slotNumber: 'A1', productName: 'Chips', category: 'Snacks' });
    await move(
      { kind: 'count', quantity: 20, day: 2 },
      { kind: 'spoilage', quantity: -2, day: 8 },
      // 20 less 2 thrown away and 4 sold is 14: two are missing.
      { kind: 'count', quantity: 12, day: 10 },
      // More than believed: goods came in, nothing is made up for.
      { kind: 'count', quantity: 16, day: 11 },
      { kind: 'count', quantity: 3, day: 12 },
    );
    await move({ kind: 'count', quantity: 1, day: 6, itemType: 'machine_slot', itemId: slot.id });
    await sell(
      { marketId: market.id, day: 9, quantity: 3, totalAmount: '6.00', productName: 'Cola' },
      { marketId: market.id, day: 3, quantity: 1, totalAmount: '2.00', productName: 'Cola' },
      { machineId: machine.id, slotNumber: 'A1', day: 7, quantity: 1, totalAmount: '1.50', productName: 'Chips' },
    );
    // Went into a file before places were told: of it only the daily sum is left.
    await db.execute(
      sql`insert into sales_daily (day, route_designation, product_name, payment_method, units, amount, lines)
          values ('2026-03-07', '202', 'Ghost', 'cash', 1, 0.75, 1)`,
    );
  });
  afterAll(() => test.close());

  type Move = { kind: 'count' | 'spoilage'; quantity: number; day: number; itemType?: 'machine_slot'; itemId?: number };

  async function move(...moves: Move[]): Promise<void> {
    const events = moves.map(
      ({ kind, quantity, day, ...item }): LedgerEvent => ({
        ...{ itemType: 'market_item', itemId, ...item, eventId: randomUUID(), kind, quantity },
        ...{ reason: null, shown: null, note: null, photoIds: [], visitId: null, actorId: null },
        ...{ effectiveAtUs: noon(day).getTime() * 1000, receivedAt: noon(day).toISOString(), occurredAtClient: null },
        ...{
          deviceId: null,
          deviceSeq: null,
          source: 'test',
          latitude: null,
          longitude: null,
          payloadHash: randomUUID(),
        },
      }),
    );
    await test.deps.db.transaction((tx) => recordEvents(tx, events, '2026-03-12'));
  }

  type Sold = Partial<Sale> & { day: number };

  async function sell(...sold: Sold[]): Promise<void> {
    const sales = sold.map(
      ({ day, ...fields }): Sale => ({
        ...{
          source: 'test',
          transactionId: randomUUID(),
          line: null,
          machineId: null,
          marketId: null,
          slotNumber: null,
        },
        ...{ productName: null, productCode: null, category: null, quantity: 1, price: '1.00', totalAmount: '1.00' },
        ...{
          currency: 'USD',
          paymentMethod: 'cash',
          soldAt: noon(day),
          successful: true,
          refunded: false,
          flags: null,
        },
        ...fields,
      }),
    );
    await test.deps.db.transaction((tx) => recordSales(tx, sales, noon(12)));
  }

  async function get<T>(path: string): Promise<T> {
    const reply = await manager.call('GET', `/api/reports/${path}`);
    expect(reply.statusCode).toBe(200);
    return reply.json() as T;
  }

  it('stock is counted, valued at cost, and short stock is a negative number', async () => {
    const report = await get<InventoryReport>('inventory');
    expect(report).toMatchObject({ totalUnits: 3, lowStockCount: 1, averageStockLevel: 15 });
    expect(report.value).toEqual({ total: '1.50', atCost: '1.50', atPrice: '0.00', unvaluedUnits: 0 });
    expect(report.lowStock).toEqual([
      { id: itemId, productName: 'Cola', marketId, marketName: 'Plaza', current: 3, minimum: 10, shortage: -7 },
    ]);
  });

  it('what counts found less than the ledger said is missing, a count that finds more is no gain', async () => {
    const report = await get<InventoryReport>('inventory?from=2026-03-06&to=2026-03-11');
    expect(report.spoiled).toEqual({ units: 2, unitsBefore: 0, cost: '1.00' });
    expect(report.missing).toEqual({ units: 2, unitsBefore: 0, cost: '1.00' });
    expect(report.losses).toMatchObject([{ productName: 'Cola', spoiled: 2, missing: 2, cost: '2.00' }]);
  });

  it('sales by product add up to the total, with what only their sum is known of, and are compared with the days before', async () => {
    const report = await get<SalesReport>('sales?range=week');
    expect(report).toMatchObject({ units: 5, unitsBefore: 1, amount: '8.25', amountBefore: '2.00' });
    const rows = report.groups.rows.map(({ label, units, amount, amountBefore, margin }) => [
      label,
      units,
      amount,
      amountBefore,
      margin,
    ]);
    expect(rows).toEqual([
      ['Cola', 3, '6.00', '2.00', '4.50'],
      ['Chips', 1, '1.50', '0.00', '0.00'],
      ['Place and product unknown', 1, '0.75', '0.00', '0.00'],
    ]);
    expect(report.days).toHaveLength(7);
    expect(report.days[3]).toEqual({ day: '2026-03-09', units: 3, amount: '6.00', amountBefore: '0.00' });
  });

  it.each([
    ['category', ['Drinks', 'Snacks', 'Place and product unknown']],
    ['route', ['101', '202', 'Place and product unknown']],
    ['location', ['Plaza', 'Lobby', 'Place and product unknown']],
    ['machine', ['All micro markets', 'Lobby', 'Place and product unknown']],
  ])('sales by %s name each', async (by, labels) => {
    expect((await get<SalesReport>(`sales?by=${by}`)).groups.rows.map((row) => row.label)).toEqual(labels);
  });

  it('the sums are the same however the lines are grouped, and the lines come to them', async () => {
    const sums = async (by: string) => {
      const { amount, units, margin, groups } = await get<SalesReport>(`sales?by=${by}`);
      return { amount, units, margin, lines: groups.rows.reduce((sum, row) => sum + Number(row.amount), 0).toFixed(2) };
    };
    const byProduct = await sums('product');
    expect(byProduct.lines).toBe(byProduct.amount);
    for (const by of ['category', 'route', 'location', 'machine'])
      expect([by, await sums(by)]).toEqual([by, byProduct]);
  });

  it.each(['sales', '-sales', 'name', '-name', 'units', '-change', '-margin', 'out', '-out'])(
    'sorted by %s, pages of one row hold every line once, and its sums stay those of all',
    async (sort) => {
      for (const by of ['product', 'location', 'machine']) {
        const whole = await get<SalesReport>(`sales?by=${by}&sort=${sort}`);
        const seen: string[] = [];
        let page: string | null = '';
        do {
          const part: SalesReport = await get(`sales?by=${by}&sort=${sort}&limit=1&page=${page}`);
          expect(part).toMatchObject({ amount: '8.25', units: 5, groups: { total: 3 } });
          seen.push(...part.groups.rows.map(({ key }) => key));
          page = part.groups.next;
        } while (page);
        expect([by, seen]).toEqual([by, whole.groups.rows.map(({ key }) => key)]);
        expect(new Set(seen).size).toBe(3);
      }
    },
  );

  it.each([
    ['product', 'col', ['Cola']],
    ['location', 'lobby', ['Lobby']],
    ['machine', 'micro', ['All micro markets']],
    ['location', 'no such', []],
  ])('a search by %s for %j finds what is called so', async (by, text, labels) => {
    const { groups, amount } = await get<SalesReport>(`sales?by=${by}&search=${encodeURIComponent(text)}`);
    expect([groups.rows.map(({ label }) => label), groups.total, amount]).toEqual([labels, labels.length, '8.25']);
  });

  it('lines are in the order asked for', async () => {
    const labels = async (sort: string) =>
      (await get<SalesReport>(`sales?by=location&sort=${sort}`)).groups.rows.map(({ label }) => label);
    expect(await labels('name')).toEqual(['Lobby', 'Place and product unknown', 'Plaza']);
    expect(await labels('sales')).toEqual(['Place and product unknown', 'Lobby', 'Plaza']);
    expect(await labels('-change')).toEqual(['Plaza', 'Lobby', 'Place and product unknown']);
  });

  it.each(['sales', 'name', '-status', 'level', 'items', 'before', '-margin', 'out'])(
    'markets are sorted by %s and found by their words',
    async (sort) => {
      const { markets } = await get<MarketReport>(`market?sort=${sort}&search=plaz`);
      expect(markets).toMatchObject({ rows: [{ name: 'Plaza', units: 3 }], total: 1, next: null });
    },
  );

  it('a slot that sold out stays sold out on the days without a movement', async () => {
    const { groups } = await get<SalesReport>('sales?by=machine&from=2026-03-08&to=2026-03-12');
    expect(groups.rows.find(({ label }) => label === 'Lobby')?.soldOutShare).toBe(1);
  });

  it('one route designation leaves out the others', async () => {
    const { markets } = await get<MarketReport>('market?route=202');
    expect(markets).toMatchObject({ rows: [], total: 0 });
    const [plaza] = (await get<MarketReport>('market?route=101')).markets.rows;
    expect(plaza).toMatchObject({
      name: 'Plaza',
      units: 3,
      amount: '6.00',
      stockLevel: 15,
      lowStockCount: 1,
      items: 1,
    });
  });

  it('routes compare what was planned with what was driven', async () => {
    const { db } = test.deps;
    const times = { startedAt: noon(9), completedAt: new Date(noon(9).getTime() + 130 * 60_000) };
    const route = await buildRoute(db, {
      ...{ date: '2026-03-09', status: 'completed', totalDistance: 16.09344, estimatedTime: 120, ...times },
    });
    const planned = { marketId, estimatedArrival: noon(9), legDistanceKm: 5 };
    await buildStop(db, route.id, {
      ...planned,
      completed: true,
      actualArrival: new Date(noon(9).getTime() + 20 * 60_000),
    });
    await buildStop(db, route.id, { ...planned, stopOrder: 2, skippedReason: 'closed' });
    const report = await get<RouteReport>('route');
    const { rows: page, ...figures } = await get<RouteReportPage>('route/page');
    expect(report).toEqual({ ...figures, rows: page.rows });
    expect(report).toMatchObject({ activeMarkets: 1, maintenanceMarkets: 0, routes: 1, completed: 1 });
    expect(report.distance).toEqual({ plannedMiles: 10, drivenMiles: 5 });
    expect(report.deliveryTime).toEqual({ plannedMin: 120, actualMin: 130 });
    expect(report.stops).toEqual({ planned: 2, visited: 1, skipped: 1, late: 1 });
    expect(report.salesPerVisit).toBe('8.25');
    expect(report.days).toEqual([
      { day: '2026-03-09', routes: 1, plannedMin: 120, actualMin: 130, plannedMiles: 10, drivenMiles: 5 },
    ]);
    await db.execute(sql`delete from routes`);
  });

  it('the same tour driven over and over comes to the whole distance', async () => {
    const { db } = test.deps;
    for (let n = 0; n < 40; n += 1) {
      await buildRoute(db, { date: '2026-03-09', status: 'planned', totalDistance: 10.6, estimatedTime: 60 });
    }
    const { distance, rows } = await get<RouteReport>('route');

    const added = rows.reduce((sum, row) => sum + (row.plannedMiles ?? 0), 0);
    expect(Math.abs(added - distance.plannedMiles)).toBeLessThan(0.2);
    await db.execute(sql`delete from routes`);
  });

  it('days without anything have no rows, and nothing is made up', async () => {
    const sales = await get<SalesReport>('sales?from=2025-01-01&to=2025-01-07');
    expect(sales).toMatchObject({ amount: '0.00', days: [] });
    const routes = await get<RouteReport>('route?from=2025-01-01&to=2025-01-07');
    expect(routes).toMatchObject({ days: [], rows: [], salesPerVisit: null, deliveryTime: { actualMin: null } });
  });

  it('an item at its minimum is not short: low stock of the report is below it', async () => {
    const { db } = test.deps;
    const quay = await buildMarket(db, { name: 'Quay', routeDesignation: '303' });
    await buildItem(db, quay.id, { productName: 'Tea', currentQuantity: 10, minimumQuantity: 10 });
    const short = await buildItem(db, quay.id, { productName: 'Milk', currentQuantity: 9, minimumQuantity: 10 });
    const report = await get<InventoryReport>('inventory?route=303');
    expect(report.lowStockCount).toBe(1);
    expect(report.lowStock).toMatchObject([{ id: short.id, shortage: -1 }]);
    expect((await get<InventoryReport>('inventory?route=no-market')).averageStockLevel).toBeNull();
    const { markets } = await get<MarketReport>('market?route=303');
    expect(markets.rows).toMatchObject([{ name: 'Quay', items: 2, lowStockCount: 1 }]);
  });

  it.each([
    ['from=2026-03-12&to=2026-03-01', 'before the first'],
    ['from=2026-03-12', 'Give both days'],
    ['from=2020-01-01&to=2026-03-01', 'at most 366 days'],
    ['from=2026-02-30&to=2026-03-01', 'does not exist'],
  ])('refuses %s with a sentence', async (query, sentence) => {
    const reply = await manager.call('GET', `/api/reports/sales?${query}`);
    expect(reply.statusCode).toBe(400);
    expect(reply.body).toContain(sentence);
  });

  it('the paged forms of both long reports come to the plain ones, line by line, in every order', async () => {
    const { db } = test.deps;
    const market = await buildMarket(db, { name: 'Short', routeDesignation: '303' });
    for (const current of [1, 3, 2]) {
      const fields = { productName: `Item ${current}`, currentQuantity: current, minimumQuantity: 9 };
      await buildItem(db, market.id, fields);
    }
    for (const n of [1, 2, 3]) {
      const route = await buildRoute(db, { name: `Loop ${n}`, date: `2026-03-0${n + 5}`, totalDistance: 4 - n });
      await buildStop(db, route.id, { marketId: market.id, stopOrder: 1, completed: n > 1 });
    }
    const asked = async (path: string) => (await manager.call('GET', path)).json();
    const whole = (path: string) => asked(`${path}?range=month`);
    const { lowStock, ...stock } = await whole('/api/reports/inventory');
    const { rows: routes, ...driving } = await whole('/api/reports/route');
    type Page = { next: string | null; total: number; rows: { id: number }[] };
    const paged = async (path: string, part: string, sort: string) => {
      const lines: { id: number }[] = [];
      let rest: unknown;
      let page: Page | null = null;
      do {
        const cursor = page?.next ? `&page=${encodeURIComponent(page.next)}` : '';
        const { [part]: found, ...others } = await asked(`${path}/page?range=month&limit=2&sort=${sort}${cursor}`);
        page = found as Page;
        lines.push(...page.rows);
        rest = others;
        expect(page.total).toBe(part === 'rows' ? routes.length : lowStock.length);
      } while (page.next !== null);
      return { lines, rest };
    };
    const byId = (lines: { id: number }[]) => lines.toSorted((a, b) => a.id - b.id);
    for (const sort of ['shortage', '-product', 'market', 'current', '-minimum']) {
      const { lines, rest } = await paged('/api/reports/inventory', 'lowStock', sort);
      expect(rest).toEqual(stock);
      expect(byId(lines)).toEqual(byId(lowStock));
    }
    for (const sort of ['-date', 'name', 'visited', '-driven', 'planned', 'time', '-planned-time']) {
      const { lines, rest } = await paged('/api/reports/route', 'rows', sort);
      expect(rest).toEqual(driving);
      expect(byId(lines)).toEqual(byId(routes));
    }
    const { lines } = await paged('/api/reports/route', 'rows', 'planned');
    const planned = lines.map((line) => (line as { plannedMiles?: number }).plannedMiles ?? 0);
    expect(planned).toEqual(planned.toSorted((a, b) => a - b));
  });

  it('what stands at a market that is gone is neither counted nor short', async () => {
    const { db } = test.deps;
    const before = await get<InventoryReport>('inventory');
    const page = async () => (await get<{ lowStock: { total: number } }>('inventory/page')).lowStock.total;
    const market = await buildMarket(db, { name: 'Gone' });
    await buildItem(db, market.id, { productName: 'Juice', currentQuantity: 4, minimumQuantity: 9 });
    expect(await get<InventoryReport>('inventory')).toMatchObject({
      totalUnits: before.totalUnits + 4,
      value: { unvaluedUnits: before.value.unvaluedUnits + 4 },
      lowStockCount: before.lowStockCount + 1,
    });
    expect(await page()).toBe(before.lowStockCount + 1);
    await db.execute(sql`update markets set deleted_at = now() where id = ${market.id}`);
    expect(await get<InventoryReport>('inventory')).toEqual(before);
    expect(await page()).toBe(before.lowStockCount);
  });

  it('is for the office only', async () => {
    const driver = await test.as((await buildUser(test.deps.db, { routeDesignation: '101' })).id);
    for (const name of ['inventory', 'inventory/page', 'route', 'route/page', 'market', 'sales']) {
      expect((await driver.call('GET', `/api/reports/${name}`)).statusCode).toBe(403);
    }
  });
});
