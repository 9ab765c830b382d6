import { existsSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normalBarcode } from '../../domain/product.ts';
import type { Database } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { saveOperator } from '../settings/service.ts';
import { openTestEmbedded } from '../testing/databases/databases.ts';
import { parsed, runImport } from '../testing/imports.ts';

const folder = process.env.MILKRUN_TEST_DATA;
const isThere = folder !== undefined && existsSync(path.join(folder, 'sales'));
if (!isThere) process.stderr.write('Imports of real data not tested: MILKRUN_TEST_DATA names no folder with them.\n');

/** Every file twice: figures of the first import, and a second that changes nothing, however busy the machine is. */
describe.runIf(isThere)('import of real data', { timeout: 600_000 }, () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestEmbedded();
    await saveOperator(database.db, { name: 'Test', timeZone: 'America/New_York', currency: 'USD' });
  });
  afterAll(() => database.close());

  async function take(kind: string, file: string, ...options: string[]) {
    const args = [kind, path.join(folder ?? '', file), '--json', ...options];
    const first = parsed(await runImport(database.db, args));
    const second = parsed(await runImport(database.db, args));
    const known = first.created + first.updated + first.unchanged;
    expect(second).toMatchObject({ created: 0, updated: 0, unchanged: known, refused: first.refused });
    return first;
  }
  const one = <T>(statement: ReturnType<typeof sql>) => firstRow<T>(database.db, statement);

  it('OpenStreetMap: 1,253 places, 65 of them vending machines', async () => {
    const report = await take('locations', 'locations/manhattan_osm_places.csv');
    expect(report).toMatchObject({ rows: 1253, created: 1253, refused: [] });
    const machines = sql`select count(*)::int as machines from vending_machines`;
    expect(await one(machines)).toEqual({ machines: 65 });
  });

  it('San Francisco: 488 rows, 455 placed, 33 refused for 0,0, 229 in use', async () => {
    const report = await take('locations', 'locations/sf_mobile_food_facility_permits.csv');
    expect(report).toMatchObject({ rows: 488, created: 455 });
    expect(report.refused.filter(({ reason }) => reason.includes('0,0'))).toHaveLength(33);
    const inUse = sql`select count(*)::int as n from markets where integration_id like 'import:locationid:%' and status = 'active'`;
    expect(await one(inUse)).toEqual({ n: 229 });
  });

  it('New York stores: 28,715 rows, 27,606 placed, 1,109 refused without point', async () => {
    const report = await take('locations', 'locations/ny_retail_food_stores.csv.gz');
    expect(report).toMatchObject({ rows: 28715, created: 27606 });
    expect(report.refused.filter(({ reason }) => reason.includes('no point'))).toHaveLength(1109);
    const stored = sql`select count(distinct (latitude, longitude))::int as points from markets
      where integration_id like 'import:license_number:%'`;
    expect(await one(stored)).toEqual({ points: 25917 });
  });

  it('catalogue: 5,124 products, and the 12-digit scan of 5,114 of them hits', async () => {
    const report = await take('products', 'products/catalogue_us_snacks_drinks.csv');
    expect(report).toMatchObject({ rows: 5124, created: 5124, refused: [], flagged: [] });
    const codes = await rows<{ code: string }>(
      database.db,
      sql`select code from product_barcodes where length(code) = 13 and code like '0%'`,
    );
    expect(codes).toHaveLength(5114);
    const scans = codes.map(({ code }) => normalBarcode(code.slice(1)));
    const hits = sql`select count(*)::int as n from product_barcodes
      where normal_code in (select jsonb_array_elements_text(${JSON.stringify(scans)}::jsonb))`;
    expect(await one(hits)).toEqual({ n: 5114 });
    const misses = ['0049000006346', '0012000001291'].map(normalBarcode);
    const missed = sql`select count(*)::int as n from product_barcodes where normal_code in (${misses[0]}, ${misses[1]})`;
    expect(await one(missed)).toEqual({ n: 0 });
  });

  it('USDA: 222 wrong check digits refused, 9,319 rows pass, each GTIN one product', async () => {
    const report = await take('products', 'products/usda_branded_food.csv.gz');
    expect(report.rows).toBe(9541);
    expect(report.refused.filter(({ reason }) => reason.includes('check digit'))).toHaveLength(222);
    const passed = report.created + report.updated + report.unchanged + report.repeated;
    // 9,218 GTINs: 80 rows repeat another's digits and 21 more do once lost zeros are back.
    expect([report.refused.length, passed, report.repeated]).toEqual([222, 9319, 101]);
    const spaced = sql`select count(*)::int as n from products where brand <> btrim(brand)`;
    expect(await one(spaced)).toEqual({ n: 0 });
  });

  describe('vending sales of New Jersey', () => {
    it('6,445 lines of 6,110 transactions: 6,531 units, 12,565.50, by machine and by payment', async () => {
      const report = await take('sales', 'sales/vending_nj_2022_jan_aug.csv.gz');
      expect(report).toMatchObject({ rows: 6445, created: 6445, refused: [] });
      const { byMachine = [], byPayment = [], ...sums } = report.sales ?? {};
      expect(sums).toMatchObject({ transactions: 6110, units: 6531, amount: '12565.50', currency: 'USD' });
      expect(sums).toMatchObject({ firstDay: '2022-01-01', lastDay: '2022-08-31' });
      expect(byPayment.map((sum) => [sum.name, sum.lines, sum.amount]).sort()).toEqual([
        ['cash', 4297, '7985.00'],
        ['credit', 2148, '4580.50'],
      ]);
      expect(byMachine.map((sum) => [sum.name, sum.lines, sum.units, sum.amount]).sort()).toEqual([
        ['BSQ Mall x1364 - Zales', 725, 757, '1362.25'],
        ['BSQ Mall x1366 - ATT', 554, 563, '1175.25'],
        ['EB Public Library x1380', 1922, 1936, '3950.25'],
        ['Earle Asphalt x1371', 676, 680, '1193.50'],
        ['GuttenPlans x1367', 2568, 2595, '4884.25'],
      ]);
    });

    it('what is odd is kept and said: products, categories, prices, states and dates that lack or clash', async () => {
      const report = await take('sales', 'sales/vending_nj_2022_jan_aug.csv.gz');
      expect(Object.fromEntries(report.flagged.map(({ reason, count }) => [reason, count]))).toEqual({
        'no product': 4,
        'no category': 185,
        'no MPrice': 1,
        'status Unlinked': 1,
        'processed before sold': 216,
      });
      expect(report.flagged.find(({ reason }) => reason === 'no product')?.amount).toBe('7.50');
    });

    it('months, categories and coils are as counted by hand', async () => {
      const months = await rows<{ line: string }>(
        database.db,
        sql`select to_char(sale_date at time zone 'America/New_York', 'MM') || ' ' || count(*) || ' ' || sum(total_amount) as line
            from sales group by to_char(sale_date at time zone 'America/New_York', 'MM') order by 1`,
      );
      expect(months.map(({ line }) => line)).toEqual([
        ...['01 482 883.50', '02 492 908.75', '03 633 1135.00', '04 866 1622.50'],
        ...['05 854 1655.50', '06 999 2024.75', '07 1121 2280.75', '08 998 2054.75'],
      ]);
      const categories = await rows<{ name: string; amount: string }>(
        database.db,
        sql`select coalesce(category, 'none') as name, sum(total_amount) as amount from sales group by 1 order by 1`,
      );
      expect(Object.fromEntries(categories.map(({ name, amount }) => [name, amount]))).toEqual({
        ...{ Carbonated: '3388.25', Food: '5929.25', 'Non Carbonated': '1819.00', Water: '913.00', none: '516.00' },
      });
      const shape = sql`select count(distinct product_name)::int as products,
        count(distinct (machine_id, slot_number))::int as coils from sales`;
      expect(await one(shape)).toEqual({ products: 170, coils: 163 });
    });

    it('the daily sums yield the payment reports and the top products', async () => {
      const since = (day: string, method: string) =>
        one(sql`select sum(lines)::int as lines, sum(units)::int as units, sum(amount) as amount from sales_daily
                where day between ${day} and '2022-08-31' and payment_method like ${method}`);
      expect(await since('2022-08-25', '%')).toEqual({ lines: 213, units: 218, amount: '440.00' });
      expect(await since('2022-08-02', '%')).toEqual({ lines: 972, units: 987, amount: '1995.00' });
      expect(await since('2022-08-02', 'cash')).toMatchObject({ amount: '1239.25' });
      expect(await since('2022-08-02', 'credit')).toMatchObject({ amount: '755.75' });
      const top = await rows<{ units: number }>(
        database.db,
        sql`select product_name as name, sum(units)::int as units from sales_daily
            where day between '2022-08-02' and '2022-08-31' group by 1 order by 2 desc limit 4`,
      );
      expect(top.map(({ units }) => units)).toEqual([68, 54, 39, 34]);
      expect(top[0]).toMatchObject({ name: 'Coca Cola - Regular' });
    });
  });

  it('coffee: 3,636 and 262 sales, exact repeats kept, in a currency of their own', async () => {
    const daily = sql`select sum(amount) as amount from sales_daily`;
    const before = await one(daily);
    const first = await take('sales', 'sales/vending_coffee_machine1.csv', '--currency', 'UAH');
    expect(first).toMatchObject({ created: 3636, sales: { amount: '115431.58', currency: 'UAH' } });
    const second = await take('sales', 'sales/vending_coffee_machine2.csv', '--currency', 'UAH');
    expect(second).toMatchObject({ created: 262, sales: { amount: '6890.00', currency: 'UAH' } });
    expect([first, second].map((report) => report.sales?.byPayment.find(({ name }) => name === 'cash'))).toMatchObject([
      { lines: 89, amount: '3186.00' },
      { lines: 80, amount: '2021.00' },
    ]);
    expect(await one(daily)).toEqual(before);
  });
});
