import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { normalBarcode } from '../../domain/product.ts';
import type { Database } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { reportOf } from '../testing/imports.ts';

onEachDatabase('import of products', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const take = (lines: readonly string[]) => reportOf(database.db, ['products', 'p.csv'], `${lines.join('\n')}\n`);
  const scanned = (code: string) =>
    firstRow<Record<string, unknown>>(
      database.db,
      sql`select p.id, p.name, p.brand, p.category, p.unit_price as "unitPrice", p.package_size as "packageSize"
          from product_barcodes b join products p on p.id = b.product_id where b.normal_code = ${normalBarcode(code)}`,
    );

  it('a scan of 12 digits finds the product imported with 13', async () => {
    const report = await take(['barcode,product_name,brand_name', '0028400090858,Chips,LAYS', '40170725,Mini,X']);
    expect(report).toMatchObject({ rows: 2, created: 2, refused: [] });
    expect(await scanned('028400090858')).toMatchObject({ name: 'Chips', brand: 'LAYS' });
    expect(await scanned('40170725')).toMatchObject({ name: 'Mini' });
  });

  it('puts back lost leading zeros, and refuses a wrong check digit with its line', async () => {
    const report = await take(['gtin_upc,description', '40000424314,Snickers', '40000424315,Wrong', '0,Nothing']);
    expect(report.created).toBe(1);
    expect(report.refused).toEqual([
      { line: 3, reason: 'has the barcode 40000424315, whose check digit is wrong: 4 would be right' },
      { line: 4, reason: 'has a barcode of zeros only' },
    ]);
    expect(await scanned('0040000424314')).toMatchObject({ name: 'Snickers' });
  });

  it('keeps the newest revision of a GTIN, whatever its place in the file and its zeros', async () => {
    const report = await take([
      'gtin_upc,brand_owner,branded_food_category,package_weight,modified_date',
      '037600665605,Hormel ,Newest,"12 oz/340 g",2021-02-01',
      '37600665605,Hormel ,Oldest,9 oz,2019-02-01',
      '0037600665605,Hormel ,Middle,9 oz,2020-02-01',
    ]);
    expect(report).toMatchObject({ rows: 3, created: 1, repeated: 2 });
    expect(report.flagged).toContainEqual(expect.objectContaining({ count: 2, lines: [3, 4] }));
    const built = { name: 'Hormel - Newest, 12 oz/340 g', brand: 'Hormel', packageSize: '12 oz/340 g' };
    expect(await scanned('037600665605')).toMatchObject(built);
  });

  it('updates a known GTIN and never makes a second; a name that was only built changes no real one', async () => {
    await take(['barcode,name,price', '012000161155,Cola,1.5']);
    const before = await scanned('012000161155');
    const again = await take(['upc,brand,category', '12000161155,PEPSI,Soda']);
    expect(again).toMatchObject({ created: 0, updated: 1, unchanged: 0 });
    const expected = { id: before?.id, name: 'Cola', brand: 'PEPSI', category: 'Soda', unitPrice: '1.50' };
    expect(await scanned('012000161155')).toMatchObject(expected);
    expect(await take(['upc,brand,category', '12000161155,PEPSI,Soda'])).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it('finds a product without a barcode by its name', async () => {
    const lines = ['name,cost', 'Apple,"0,40"', 'Pear,$0.50'];
    expect(await take(lines)).toMatchObject({ created: 2 });
    expect(await take(['name,cost', 'APPLE,0.40'])).toMatchObject({ created: 0, updated: 1 });
    expect(await take(['name,cost', 'APPLE,0.40'])).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    const found = await rows(
      database.db,
      sql`select unit_cost as cost from products where lower(name) in ('apple', 'pear')`,
    );
    expect(found.map((row) => (row as { cost: string }).cost).sort()).toEqual(['0.40', '0.50']);
  });

  it('keeps no price or cost in another currency than the operator’s, and says so', async () => {
    const { currency } = (await firstRow<{ currency: string }>(database.db, sql`select currency from operator`)) ?? {
      currency: 'USD',
    };
    const report = await take([
      'name,price,cost',
      `Quince,${currency} 2.00,€ 0.80`,
      'Fig,3.00 CHF,0.50',
      'Kiwi,$1.00,$0.25',
    ]);
    expect(report).toMatchObject({ created: 3, refused: [] });
    expect(report.flagged.map(({ reason, lines }) => [reason, lines])).toEqual([
      [`a cost in €, where yours are in ${currency}: not used`, [2]],
      [`a price in CHF, where yours are in ${currency}: not used`, [3]],
    ]);
    expect(
      await rows(
        database.db,
        sql`select name, unit_price as price, unit_cost as cost from products where name in ('Quince', 'Fig', 'Kiwi') order by 1`,
      ),
    ).toEqual([
      { name: 'Fig', price: null, cost: '0.50' },
      { name: 'Kiwi', price: '1.00', cost: '0.25' },
      { name: 'Quince', price: '2.00', cost: null },
    ]);
  });

  it('knows the headings of price lists, and refuses a formula for a barcode', async () => {
    const report = await take([
      'Item description,UPC,Retail,Case',
      'Owner Cola,049000028911,1.75,24',
      "Formula,=CMD|'/c calc'!A0,1.00,12",
    ]);
    expect(report).toMatchObject({ created: 1, flagged: [] });
    expect(report.refused).toEqual([{ line: 3, reason: "has a formula for a barcode: =CMD|'/c calc'!A0" }]);
  });

  it('takes a name without what turns letters around', async () => {
    expect(await take(['name,price', 'Soda\u202e wateR\u2069,1.50'])).toMatchObject({ created: 1, refused: [] });
    expect(await rows(database.db, sql`select name from products where name like 'Soda%'`)).toEqual([
      { name: 'Soda wateR' },
    ]);
  });

  it('refuses a price that is none and a row that says nothing', async () => {
    const report = await take(['barcode,name,price', ',Plum,cheap', ',,1.00', 'SKU-7,Code 128 label,2']);
    expect(report.refused).toEqual([
      { line: 2, reason: 'has a price that is no amount: cheap' },
      { line: 3, reason: 'has neither a barcode nor a name' },
    ]);
    expect(await scanned('SKU-7')).toMatchObject({ name: 'Code 128 label', unitPrice: '2.00' });
  });
});
