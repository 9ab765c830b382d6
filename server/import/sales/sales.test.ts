import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../db/database.ts';
import { rows } from '../../db/database.ts';
import { saveOperator } from '../../settings/service.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildDepot, buildMachine, buildSlot } from '../../testing/factories.ts';
import { reportOf } from '../../testing/imports.ts';

onEachDatabase('import of sales', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await saveOperator(database.db, { name: 'Test', timeZone: 'America/New_York', currency: 'USD' });
  });
  afterAll(() => database.close());

  const take = (lines: readonly string[], name = 'sales.csv', options: string[] = []) =>
    reportOf(database.db, ['sales', name], `${lines.join('\n')}\n`, options);
  const stored = (transaction: string) =>
    rows<Record<string, unknown>>(
      database.db,
      sql`select product_name as product, slot_number as slot, quantity, price, total_amount as total, currency,
            payment_method as method, sale_date at time zone 'America/New_York' as at, successful, refunded, flags
          from sales where transaction_id like ${transaction} order by slot_number, id`,
    );
  const head =
    'Status,Device ID,Machine,Product,Category,Transaction,TransDate,Type,RCoil,RPrice,RQty,MPrice,LineTotal,TransTotal,Prcd Date';

  it('adds lines, never the total of the transaction that stands on each of them', async () => {
    const report = await take([
      head,
      'Processed,D1,Hall,Cola,Drinks,9000000001,"Saturday, January 1, 2022",Credit,110,3.5,2,3.5,7,8.5,1/1/2022',
      'Processed,D1,Hall,Nuts,Food,9000000001,"Saturday, January 1, 2022",Credit,111,1.5,1,1.5,1.5,8.5,1/1/2022',
    ]);
    expect(report).toMatchObject({ rows: 2, created: 2, flagged: [] });
    expect(report.sales).toMatchObject({ transactions: 1, units: 3, amount: '8.50', currency: 'USD' });
    const [cola] = await stored('9000000001');
    const sold = { product: 'Cola', slot: '110', quantity: 2, price: '3.50', total: '7.00', method: 'credit' };
    expect(cola).toMatchObject({ ...sold, at: '2022-01-01 12:00:00', flags: null });
  });

  it('reads the time of day from a column of its own, unless the date says one', async () => {
    const report = await take(
      [
        'Machine,Transaction,Date Sold,Time,Price',
        'Hall,8000000001,11/19/2022,9:05 PM,1.50',
        'Hall,8000000002,11/19/2022 8:00 AM,9:05 PM,1.50',
        'Hall,8000000003,11/19/2022,,1.50',
      ],
      'two-columns.csv',
    );
    expect(report).toMatchObject({ rows: 3, created: 3 });
    expect((await stored('800000000_')).map(({ at }) => at)).toEqual([
      '2022-11-19 21:05:00',
      '2022-11-19 08:00:00',
      '2022-11-19 12:00:00',
    ]);
  });

  it('knows the machine by whatever its number is called, as the other kinds of files do', async () => {
    const { machineId } = await buildMachine(database.db);
    const report = await take(['Asset Number,Transaction,Date,Price', `${machineId},77,2022-01-01,1.50`], 'assets.csv');
    expect(report.created).toBe(1);
    expect(report.sales?.machinesCreated).toEqual([]);
  });

  it('keeps what is odd and says so, with its lines and money', async () => {
    const report = await take([
      head,
      'Unlinked,D1,Hall,,,9000000002,"Tuesday, August 2, 2022",Cash,133,1.5,1,,1.5,1.5,8/2/2022',
      'Processed,D1,Hall,Nuts,Food,9000000003,"Tuesday, August 2, 2022",Cash,111,1.5,1,1.5,1.5,1.5,8/1/2022',
    ]);
    expect(report.created).toBe(2);
    expect(report.flagged.map(({ reason, lines, amount }) => [reason, lines, amount])).toEqual([
      ['no product', [2], '1.50'],
      ['no category', [2], '1.50'],
      ['no MPrice', [2], '1.50'],
      ['status Unlinked', [2], '1.50'],
      ['processed before sold', [3], '1.50'],
    ]);
    expect((await stored('9000000002'))[0]).toMatchObject({
      flags: 'no product; no category; no MPrice; status Unlinked',
    });
  });

  it('a second import adds nothing; two lines alike in one transaction stay two', async () => {
    const line = 'Processed,D1,Hall,Cola,Drinks,9000000004,1/5/2022,Cash,110,2,1,2,2,4,1/5/2022';
    expect(await take([head, line, line])).toMatchObject({ created: 2, unchanged: 0 });
    expect(await take([head, line, line])).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    const changed = line.replace(',110,2,1,2,2,', ',110,5,1,5,5,');
    const report = await take([head, changed, line]);
    expect(report).toMatchObject({ created: 0, unchanged: 1, refused: [{ line: 2 }] });
  });

  it('without transaction ids: the machine is the file, exact repeats are kept, a second import adds nothing', async () => {
    const cup = '2025-02-08,2025-02-08 14:26:04.520,card,ANON-1,25.0,Tea';
    const lines = ['date,datetime,cash_type,card,money,coffee_name', cup, cup, cup.replace('ANON-1', 'ANON-2')];
    const first = await take(lines, 'cafe_1.csv', ['--currency', 'UAH']);
    expect(first).toMatchObject({ created: 3, sales: { units: 3, amount: '75.00', currency: 'UAH' } });
    expect(first.sales?.machinesCreated).toEqual(['cafe_1']);
    expect(await take(lines, 'cafe_1.csv', ['--currency', 'UAH'])).toMatchObject({ created: 0, unchanged: 3 });
    expect(await take(lines, 'cafe_2.csv', ['--currency', 'UAH'])).toMatchObject({ created: 3 });
    const [sale] = await stored('no-id-%');
    expect(sale).toMatchObject({ currency: 'UAH', method: 'credit', at: '2025-02-08 14:26:04.52' });
    expect(JSON.stringify(await stored('%'))).not.toContain('ANON');
  });

  it('refuses an amount whose sign or code is of another currency than the file’s, and takes it once that is said', async () => {
    const lines = [
      'date,machine id,product,price,amount',
      '2025-04-01,M9,Lungo,€3.50,',
      '2025-04-01,M9,Lungo,,3.50 EUR',
      '2025-04-01,M9,Lungo,$3.50,',
    ];
    const reason = (other: string) => `has an amount in ${other}, and its currency is USD: say which of the two it is`;
    const report = await take(lines, 'signs.csv');
    expect(report.refused).toEqual([
      { line: 2, reason: reason('€') },
      { line: 3, reason: reason('EUR') },
    ]);
    expect(report.sales).toMatchObject({ amount: '3.50', units: 1 });
    const said = await take(lines.slice(0, 3), 'signs.csv', ['--currency', 'EUR']);
    expect(said).toMatchObject({ created: 2, refused: [], sales: { amount: '7.00', currency: 'EUR' } });
    const sums = await rows(database.db, sql`select amount from sales_daily where product_name = 'Lungo'`);
    expect(sums).toEqual([{ amount: '3.50' }]);
  });

  it('never adds two currencies: only the operator’s own reaches the daily sums', async () => {
    await take(['date,machine id,product,amount', '2025-03-01,M9,Espresso,2'], 'own.csv');
    const report = await take(
      ['date,machine id,product,amount,currency', '2025-03-01,M9,Espresso,40,UAH', '2025-03-01,M9,Espresso,3,USD'],
      'mixed.csv',
    );
    expect(report.sales).toMatchObject({ amount: '3.00', currency: 'USD' });
    expect(report.flagged).toMatchObject([{ reason: 'in UAH: not in the sums', count: 1, amount: null }]);
    const sums = await rows(database.db, sql`select amount from sales_daily where product_name = 'Espresso'`);
    expect(sums).toEqual([{ amount: '5.00' }]);
  });

  it('a known machine is used; an unknown one is made at the default depot and said to be placed', async () => {
    await buildMachine(database.db, { machineId: 'KNOWN', latitude: '41', longitude: '-75' });
    await buildDepot(database.db, { name: 'North', latitude: '40.5', longitude: '-74.5' });
    const report = await take(['date,device id,amount', '2025-03-01,KNOWN,2', '2025-03-01,FRESH,2']);
    expect(report.sales?.machinesCreated).toEqual(['FRESH']);
    expect(report.notes.join('\n')).toContain('Machine FRESH was new and stands at the depot North: place unknown');
    const found = await rows(
      database.db,
      sql`select machine_id as id, latitude::float as lat, status from vending_machines
          where machine_id in ('KNOWN', 'FRESH') order by 1`,
    );
    expect(found).toEqual([
      { id: 'FRESH', lat: 40.5, status: 'active' },
      { id: 'KNOWN', lat: 41, status: 'active' },
    ]);
  });

  it('counts sales of a file without prices at what slot or catalogue ask today, and says so', async () => {
    const { db } = database;
    const { id } = await buildMachine(db, { machineId: 'PRICELESS' });
    await buildSlot(db, id, { slotNumber: 'A1', productName: 'Cola', price: '2.25' });
    await db.execute(sql`insert into products (name, unit_price) values ('Nuts', 1.75), ('Free gift', null)`);
    const lines = [
      'Device ID,Transaction,Date,Product,Slot,Qty',
      'PRICELESS,7000000001,2025-03-01,Cola,A1,2',
      'PRICELESS,7000000002,2025-03-01,cola,B9,1',
      'PRICELESS,7000000003,2025-03-01,Nuts,,1',
      'PRICELESS,7000000004,2025-03-01,Free gift,,1',
    ];
    const report = await take(lines, 'no-prices.csv');
    expect(report).toMatchObject({ rows: 4, created: 3 });
    expect(report.refused).toEqual([
      { line: 5, reason: 'has no price, and neither its machine nor the catalogue has one for Free gift' },
    ]);
    expect(report.notes).toContain(
      'The file names no prices: each sale counts at what its slot or the catalogue asks today.',
    );
    const flag = "no price in the file: today's is taken";
    expect(report.flagged).toMatchObject([{ reason: flag, count: 3, amount: '8.50' }]);
    expect(
      (await stored('700000000_')).map((sale) => `${sale.product} ${sale.price} ${sale.total} ${sale.flags}`),
    ).toEqual(expect.arrayContaining([`Cola 2.25 4.50 ${flag}`, `cola 2.25 2.25 ${flag}`, `Nuts 1.75 1.75 ${flag}`]));
  });

  it('counts a sale at what its slot asks also where the file has its number in other capitals', async () => {
    const { id } = await buildMachine(database.db, { machineId: 'CAPITALS' });
    await buildSlot(database.db, id, { slotNumber: 'C1', productName: 'Cider', price: '3.10' });
    const lines = ['Device ID,Transaction,Date,Slot', 'CAPITALS,7100000001,2025-03-01,c1'];
    expect(await take(lines, 'capitals.csv')).toMatchObject({ created: 1, refused: [] });
    expect(await stored('7100000001')).toMatchObject([{ slot: 'C1', price: '3.10', total: '3.10' }]);
  });

  it('takes a file without prices for the same when a price has changed since', async () => {
    const lines = ['Device ID,Date,Product,Slot', 'CHANGED,2025-03-02,Gum,A1', 'CHANGED,2025-03-02,Gum,A1'];
    const { id } = await buildMachine(database.db, { machineId: 'CHANGED' });
    await buildSlot(database.db, id, { slotNumber: 'A1', productName: 'Gum', price: '1.00' });
    expect(await take(lines, 'gum.csv')).toMatchObject({ created: 2 });
    await database.db.execute(sql`update vending_machine_inventory set price = 1.5 where machine_id = ${id}`);
    expect(await take(lines, 'gum.csv')).toMatchObject({ created: 0, unchanged: 2, refused: [] });
  });

  it('refuses rows that are no sale, each with its reason', async () => {
    const report = await take([
      'date,device id,price,qty,currency,status',
      '2025-02-30,D1,1,1,USD,',
      '2031-01-01,D1,1,1,USD,',
      '2025-03-01,D1,free,1,USD,',
      '2025-03-01,D1,-1,1,USD,',
      '2025-03-01,D1,1,0,USD,',
      '2025-03-01,D1,1,1,dollars,',
      '2025-03-01,D1,1,1,NaN,',
      '2025-03-01,D1,1,1,USD,Declined',
    ]);
    expect(report.refused.map((one) => `${one.line} ${one.reason}`)).toEqual([
      '2 has a date that cannot be read: 2025-02-30',
      '3 is dated 2031-01-01, which is not between 2000-01-01 and today',
      '4 has no price and no amount',
      '5 has a negative amount',
      '6 has a quantity that is no whole number above 0: 0',
      '7 has the currency DOLLARS, which is no code of a currency',
      '8 has the currency NAN, which is no code of a currency',
    ]);
    expect(report).toMatchObject({ rows: 8, created: 1 });
  });
});
