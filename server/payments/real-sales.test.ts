import { existsSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentReport } from '../../contract/payments.ts';
import { rows } from '../db/database.ts';
import { openTestEmbedded } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { parsed, runImport } from '../testing/imports.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const folder = process.env.MILKRUN_TEST_DATA;
const isThere = folder !== undefined && existsSync(path.join(folder, 'sales'));
if (!isThere) process.stderr.write('Payments of real sales not tested: MILKRUN_TEST_DATA names no folder with them.\n');

/** Real exports, all the way to the report that an owner reads; its figures were counted by hand. */
describe.runIf(isThere)('payments of real sales', () => {
  let test: TestApp;
  let manager: Person;

  beforeAll(async () => {
    test = await testApp(openTestEmbedded);
    manager = await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id);
    await take('sales/vending_nj_2022_jan_aug.csv.gz');
    await take('sales/vending_coffee_machine1.csv', '--currency', 'UAH');
    await take('sales/vending_coffee_machine2.csv', '--currency', 'UAH');
    // The day on which the figures below are the last seven and thirty days.
    test.setNow(new Date('2022-08-31T20:00:00Z'));
  }, 120_000);
  afterAll(() => test.close());

  const take = async (file: string, ...options: string[]) =>
    parsed(await runImport(test.deps.db, ['sales', path.join(folder ?? '', file), '--json', ...options]));
  const report = async (query: string) =>
    (await manager.call('GET', `/api/payment-reports?${query}`)).json() as PaymentReport;

  it('the last 7 days have 213 lines, 218 units and 440.00; the last 30 days 972, 987 and 1,995.00', async () => {
    expect((await report('range=week')).total).toMatchObject({ lines: 213, units: 218, revenue: '440.00' });
    const month = await report('range=month');
    expect(month.range).toEqual({ from: '2022-08-02', to: '2022-08-31' });
    expect(month.total).toMatchObject({
      lines: 972,
      units: 987,
      revenue: '1995.00',
      cash: '1239.25',
      cashless: '755.75',
    });
    expect(Object.fromEntries(month.methods.map((one) => [one.key, one.revenue]))).toEqual({
      ...{ cash: '1239.25', credit: '755.75' },
    });
  });

  it('the whole period is 12,565.50: cash 7,985.00, credit 4,580.50, by month and by machine', async () => {
    const whole = await report('from=2022-01-01&to=2022-08-31');
    expect(whole.total).toMatchObject({ lines: 6445, units: 6531, revenue: '12565.50', cash: '7985.00' });
    expect(whole.methods.map((one) => [one.key, one.lines])).toEqual([
      ['cash', 4297],
      ['credit', 2148],
    ]);
    const months = new Map<string, number>();
    for (const { key, revenue } of whole.days) {
      months.set(key.slice(5, 7), (months.get(key.slice(5, 7)) ?? 0) + Math.round(Number(revenue) * 100));
    }
    expect([...months.values()]).toEqual([88350, 90875, 113500, 162250, 165550, 202475, 228075, 205475]);
    const places = (
      await manager.call('GET', '/api/payment-reports/locations?from=2022-01-01&to=2022-08-31')
    ).json() as { rows: { name: string; revenue: string; lines: number }[] };
    expect(places.rows.map((one) => [one.name, one.lines, one.revenue])).toEqual([
      ['GuttenPlans x1367', 2568, '4884.25'],
      ['EB Public Library x1380', 1922, '3950.25'],
      ['BSQ Mall x1364 - Zales', 725, '1362.25'],
      ['Earle Asphalt x1371', 676, '1193.50'],
      ['BSQ Mall x1366 - ATT', 554, '1175.25'],
    ]);
  });

  it('the best sellers of those 30 days are those of the rows', async () => {
    const best = await rows<{ name: string; units: number }>(
      test.deps.db,
      sql`select product_name as name, sum(quantity)::int as units from payments
          where paid_at >= '2022-08-02T04:00:00Z' and paid_at < '2022-09-01T04:00:00Z' and currency = 'USD'
          group by 1 order by 2 desc, 1 limit 4`,
    );
    expect(best).toEqual([
      { name: 'Coca Cola - Regular', units: 68 },
      { name: 'Monster Energy Original', units: 54 },
      { name: 'KitKat - Crisp Wafers', units: 39 },
      { name: 'Wonderful Pistachios - Variety', units: 34 },
    ]);
  });

  it('sales in another currency stand apart, as exact as the others', async () => {
    const { total, otherCurrencies } = await report('from=2024-03-24&to=2025-03-23');
    expect(total.revenue).toBe('0.00');
    const first = await report('from=2024-03-01&to=2024-03-23');
    const cents = [otherCurrencies[0], first.otherCurrencies[0]].map((one) => Math.round(Number(one?.revenue) * 100));
    expect(cents.reduce((sum, one) => sum + one, 0)).toBe(11_543_158 + 689_000);
  });
});
