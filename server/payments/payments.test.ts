import { sql } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payment, PaymentReport } from '../../contract/payments.ts';
import { integrationSystem } from '../../domain/integration.ts';
import { rows } from '../db/database.ts';
import { recordSales, type Sale } from '../sales/service.ts';
import { saveOperator } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildMarket, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { countWrongPaymentSums } from './service.ts';

/** Noon in New York on a day of March 2026; the clock stands at the 12th. */
const noon = (day: number): Date => new Date(Date.UTC(2026, 2, day, 16));

onEachDatabase('payments', (open) => {
  let test: TestApp;
  let manager: Person;
  let machineId = 0;
  let marketId = 0;

  beforeAll(async () => {
    test = await testApp(open);
    const { db } = test.deps;
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    machineId = (await buildMachine(db, { name: 'Lobby', machineId: 'VM-7' })).id;
    marketId = (await buildMarket(db, { name: 'Plaza' })).id;
    await sell(
      { machineId, totalAmount: '1.50', paymentMethod: 'cash', soldAt: noon(10) },
      { machineId, totalAmount: '2.25', paymentMethod: 'credit', soldAt: noon(11) },
      { marketId, totalAmount: '4.00', paymentMethod: 'credit', soldAt: noon(11), refunded: true },
      { marketId, totalAmount: '8.00', paymentMethod: 'credit', soldAt: noon(11), successful: false },
      { marketId, totalAmount: '9.00', currency: 'UAH', soldAt: noon(11) },
      // In March, but before the last seven days; its day in New York is the 1st.
      { marketId, totalAmount: '3.00', soldAt: new Date('2026-03-02T03:00:00Z') },
    );
    await tell({ id: 'A', amount: '5.00', status: 'completed', card: 'Visa', fee: '0.25' });
    await tell({ id: 'B', amount: '7.00', status: 'pending' });
    await tell({ id: 'C', amount: '-1.25', status: 'refunded' });
    await tell({ id: 'N', amount: '2.00', status: 'completed', system: 'nayax', config: 2 });
    await tell({ id: 'M', amount: '2.00', status: 'completed', system: 'moma', config: 3, outcome: 'same' });
  });
  afterAll(() => test.close());

  let count = 0;
  async function sell(...sold: Partial<Sale>[]): Promise<void> {
    const sales = sold.map((fields): Sale => {
      count += 1;
      return {
        ...{ source: 'import', transactionId: `T${count}`, line: null, machineId: null, marketId: null },
        ...{ slotNumber: null, productName: '=Cola', productCode: null, category: null, quantity: 1, price: '1.00' },
        ...{ totalAmount: '1.00', currency: 'USD', paymentMethod: 'cash', soldAt: noon(11), flags: null },
        ...{ successful: true, refunded: false, ...fields },
      };
    });
    await test.deps.db.transaction((tx) => recordSales(tx, sales, noon(12)));
  }

  type Told = {
    id: string;
    amount: string;
    status: string;
    card?: string;
    fee?: string;
    system?: string;
    config?: number;
    outcome?: string;
    type?: string;
  };
  /** A row as a connector's sync stores it. */
  async function tell(told: Told): Promise<void> {
    const { id, amount, status, card = null, fee = null, system = 'cantaloupe', config = 1, outcome = 'booked' } = told;
    const details = JSON.stringify(told.type ? { transactionType: told.type } : {});
    await test.deps.db.execute(sql`insert into vendor_sales (config_id, system, vendor_id, ledger_source, ledger_id, device_id,
        quantity, unit_price, amount, fee, currency, payment_method, card_type, status, sold_at, moves_stock, content_hash, outcome, details)
      values (${config}, ${system}, ${id}, ${system}, ${id}, 'VK1', 1, ${amount}, ${amount}, ${fee}, 'USD', 'credit', ${card},
        ${status}, ${noon(11).toISOString()}, true, 'x', ${outcome}, ${details}::jsonb)`);
  }

  async function get<T>(path: string): Promise<T> {
    const reply = await manager.call('GET', `/api/payment-reports${path}`);
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json() as T;
  }
  const report = (query = 'range=week') => get<PaymentReport>(`?${query}`);
  const list = (query: string) =>
    get<{ rows: Payment[]; total: number; next: string | null }>(`/transactions?${query}`);

  it('sums of all systems: completed less refunds; failed and pending bring nothing; what two systems tell counts once', async () => {
    const { total, systems, before, otherCurrencies } = await report();
    expect(total).toEqual({
      ...{ lines: 8, units: 8, completed: 4, failed: 1, pending: 1, refunded: 2, revenue: '9.50', cash: '1.50' },
      ...{ cashless: '8.00', refunds: '-1.25', fees: '0.25', feeLines: 1 },
    });
    expect(systems.map((one) => [one.system, one.lines, one.revenue])).toEqual([
      ['cantaloupe', 3, '3.75'],
      ['import', 4, '3.75'],
      ['nayax', 1, '2.00'],
    ]);
    expect(before).toMatchObject({ from: '2026-02-27', to: '2026-03-05', lines: 1, revenue: '3.00' });
    expect(otherCurrencies).toEqual([{ currency: 'UAH', lines: 1, revenue: '9.00' }]);
  });

  it('what a system booked is taken from its records and not from the ledger as well, of every system there is', async () => {
    const found = await rows<{ system: string }>(
      test.deps.db,
      sql`select value as system from jsonb_array_elements_text(${JSON.stringify(integrationSystem.options)}::jsonb)
          where is_partner(value) and is_partner(value || ':7')`,
    );
    expect(found.map(({ system }) => system)).toEqual(integrationSystem.options);
  });

  it('cuts by day, method, card, state and hour each add up to the total', async () => {
    const { days, methods, cardTypes, statuses, hours } = await report('range=quarter');
    expect(days.map((one) => [one.key, one.revenue])).toEqual([
      ['2026-03-01', '3.00'],
      ['2026-03-10', '1.50'],
      ['2026-03-11', '8.00'],
    ]);
    expect(days[2]?.systems).toEqual({ cantaloupe: '3.75', import: '2.25', nayax: '2.00' });
    expect(methods.map((one) => [one.key, one.revenue])).toEqual([
      ['credit', '8.00'],
      ['cash', '4.50'],
    ]);
    expect(cardTypes).toMatchObject([{ key: 'Visa', lines: 1, revenue: '5.00' }]);
    expect(Object.fromEntries(statuses.map((one) => [one.key, one.amount]))).toEqual({
      ...{ completed: '13.75', failed: '8.00', pending: '7.00', refunded: '5.25' },
    });
    expect(hours.filter((one) => one.lines > 0).map((one) => one.hour)).toEqual([12, 22]);
  });

  it('a system’s own report has its rows alone', async () => {
    expect((await report('range=week&system=cantaloupe')).total).toMatchObject({ lines: 3, revenue: '3.75' });
    const { rows: shown } = await list('range=week&system=cantaloupe');
    expect(shown.map((one) => [one.id, one.status, one.refunded, one.revenue, one.deviceId])).toEqual([
      ['CT-C', 'completed', true, '-1.25', 'VK1'],
      ['CT-B', 'pending', false, '0.00', 'VK1'],
      ['CT-A', 'completed', false, '5.00', 'VK1'],
    ]);
    expect((await list('range=week&system=nayax')).rows[0]?.id).toBe('NT-N');
  });

  it('pages walk every row once, and their revenue is the report’s to the cent', async () => {
    const all: Payment[] = [];
    let page: string | null = '';
    while (page !== null) {
      const got: Awaited<ReturnType<typeof list>> = await list(`range=quarter&limit=2${page ? `&page=${page}` : ''}`);
      expect(got.total).toBe(10);
      all.push(...got.rows);
      page = got.next;
    }
    expect(new Set(all.map((one) => one.id)).size).toBe(10);
    const usd = all.filter((one) => one.currency === 'USD');
    const sum = usd.reduce((cents, one) => cents + Math.round(Number(one.revenue) * 100), 0);
    expect((sum / 100).toFixed(2)).toBe((await report('range=quarter')).total.revenue);
    expect(all.map((one) => one.date)).toEqual(
      all
        .map((one) => one.date)
        .sort()
        .reverse(),
    );
  });

  it('places have machines and markets by name, and readers without a place of ours', async () => {
    const places = await get<{ places: number; rows: { name: string; revenue: string; lines: number }[] }>(
      '/locations?range=quarter',
    );
    expect(places.rows.map((one) => [one.name, one.lines, one.revenue])).toEqual([
      ['VK1', 3, '3.75'],
      ['Lobby', 2, '3.75'],
      ['Plaza', 3, '3.00'],
      ['VK1', 1, '2.00'],
    ]);
  });

  it('what changes later moves the sums: a payment that completes, a sale told by another system too, one that is removed', async () => {
    const { db } = test.deps;
    const revenue = async () => (await report('range=week&system=cantaloupe')).total.revenue;
    await db.execute(sql`update vendor_sales set status = 'completed' where vendor_id = 'B'`);
    expect(await revenue()).toBe('10.75');
    await db.execute(sql`update vendor_sales set outcome = 'same' where vendor_id = 'B'`);
    expect(await revenue()).toBe('3.75');
    await db.execute(sql`update vendor_sales set outcome = 'held' where vendor_id = 'B'`);
    expect((await report('range=week&system=cantaloupe')).total).toMatchObject({ pending: 1, revenue: '3.75' });
    await db.execute(sql`update vendor_sales set outcome = 'refused' where vendor_id = 'B'`);
    expect((await report('range=week&system=cantaloupe')).total).toMatchObject({ pending: 0, revenue: '3.75' });
    await tell({ id: 'Z', amount: '1.00', status: 'completed' });
    await db.execute(sql`delete from vendor_sales where vendor_id = 'Z'`);
    expect(await revenue()).toBe('3.75');
  });

  it('money put on an account, a correction of it and cash taken out of a kiosk are no payments', async () => {
    const before = await report('range=week');
    for (const type of ['account_deposit', 'adjustment', 'cash_collection'])
      await tell({ id: type, amount: '20.00', status: 'completed', type });
    await tell({ id: 'sold', amount: '0.50', status: 'completed', type: 'sale' });
    const after = await report('range=week');
    expect([
      after.total.lines - before.total.lines,
      Number(after.total.revenue) - Number(before.total.revenue),
    ]).toEqual([1, 0.5]);
    expect((await list('range=week&limit=50')).rows.map((row) => row.id)).not.toContain('CT-account_deposit');
    await test.deps.db.execute(
      sql`delete from vendor_sales where vendor_id in ('account_deposit', 'adjustment', 'cash_collection', 'sold')`,
    );
    expect((await report('range=week')).total).toEqual(before.total);
  });

  it('sums moved step by step are those made anew, in this time zone and after it changed', async () => {
    const { db } = test.deps;
    const sums = async () => [
      await rows(db, sql`select * from payment_days where lines <> 0 order by 1, 6, 2, 3, 4, 5`),
      await rows(db, sql`select * from payment_hours where lines <> 0 order by day, currency, hour, system`),
    ];
    const places = async () => [
      await rows(db, sql`select * from payment_places where lines <> 0 order by 1, 2, 5, 3, 4`),
      await rows(db, sql`select * from payment_blocks where lines <> 0 order by 1, 4, 2, 3`),
    ];
    const ofWeeks = sql`select block_of(first_day) as first_day, place, system, currency, sum(lines)::int as lines, sum(failed)::int as failed,
      sum(revenue) as revenue from payment_places where grain = 'week' group by 1, 2, 3, 4 having sum(lines) <> 0 order by 1, 4, 2, 3`;
    expect((await places())[1]).toEqual(await rows(db, ofWeeks));
    const before = [await sums(), await places()];
    expect(await countWrongPaymentSums(db)).toBe(0);
    await db.execute(sql`select rebuild_payments()`);
    expect([await sums(), await places()]).toEqual(before);
    await saveOperator(db, { timeZone: 'UTC' });
    expect((await report('from=2026-03-02&to=2026-03-02')).total.revenue).toBe('3.00');
    await saveOperator(db, { timeZone: 'America/New_York' });
    expect([await sums(), await places()]).toEqual(before);
  });

  it('files have exactly the rows of the range, and no cell is a formula', async () => {
    const file = (format: string) => manager.call('GET', `/api/payment-reports/export?range=week&format=${format}`);
    const lines = (await file('csv')).body.trim().split('\r\n');
    expect(lines).toHaveLength(1 + 9);
    expect(lines[0]).toContain('ID,Date (UTC),System');
    expect(lines[1]).toContain(",'=Cola,");
    const json = (await file('json')).json() as { transactions: Payment[] };
    expect(json.transactions.map((one) => one.id)).toEqual(lines.slice(1).map((line) => line.split(',')[0]));
    const listed = (await manager.call('GET', '/api/payment-reports/transactions?range=week')).json().rows;
    expect(json.transactions.toReversed()).toEqual(listed);
    const book = await file('xlsx');
    const sheet = strFromU8(unzipSync(book.rawPayload)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    expect(sheet.match(/<row /g)).toHaveLength(1 + 9);
    for (const { id } of json.transactions) expect(sheet).toContain(`>${id}</t>`);
  });

  it.each([
    ['from=2026-03-12&to=2026-03-01', 'before the first'],
    ['from=2026-03-12', 'Give both days'],
    ['from=2020-01-01&to=2026-03-01', 'at most 366 days'],
    ['from=2026-02-30&to=2026-03-01', 'does not exist'],
    ['system=DROP TABLE', 'key of a system'],
  ])('refuses %s with a sentence', async (query, sentence) => {
    for (const path of ['', '/transactions', '/locations', '/export']) {
      const reply = await manager.call('GET', `/api/payment-reports${path}?${encodeURI(query)}`);
      expect([path, reply.statusCode, reply.body]).toEqual([path, 400, expect.stringContaining(sentence)]);
    }
  });

  it('nothing paid is nothing, not a made-up figure', async () => {
    const { total, days, methods } = await report('from=2025-01-01&to=2025-01-07');
    expect(total).toMatchObject({ lines: 0, revenue: '0.00', fees: null });
    expect([days, methods]).toEqual([[], []]);
  });

  it('is for the office only, the files too', async () => {
    const driver = await test.as((await buildUser(test.deps.db, { routeDesignation: '101' })).id);
    for (const path of ['', '/transactions', '/locations', '/export']) {
      expect((await driver.call('GET', `/api/payment-reports${path}`)).statusCode).toBe(403);
    }
  });
});
