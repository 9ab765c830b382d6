import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PastImport } from '../../contract/imports.ts';
import { type Db, firstRow, rows } from '../db/database.ts';
import { getOperator, saveOperator } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMarket } from '../testing/factories.ts';
import { reportOf } from '../testing/imports.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { findObstacles } from './obstacles.ts';

const lines = (...all: string[]): string => `${all.join('\n')}\n`;

onEachDatabase('past imports', (open) => {
  let test: TestApp;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    test = await testApp(open);
    ({ manager, worker } = await oneOfEachRole(test, '101'));
  });
  afterAll(() => test.close());

  const taken = (kind: string, ...content: string[]) =>
    reportOf(test.deps.db, [kind, `${kind}.csv`], lines(...content));
  const all = async (): Promise<PastImport[]> => (await manager.call('GET', '/api/past-imports')).json().imports;
  const newest = async (): Promise<PastImport> => {
    const [first] = await all();
    if (!first) throw new Error('no import is listed');
    return first;
  };
  const undo = (id: number, by = manager) => by.call('POST', `/api/past-imports/${id}/undo`);
  const places = (...more: string[]) => taken('locations', 'machine id,name,type,latitude,longitude,address', ...more);

  it('an import is listed with its figures, and undone its new machines are gone and its changed ones as before', async () => {
    await places('M1,Lobby,vending machine,40.1,-74.1,1 Main St');
    await places('M1,Hall,vending machine,40.2,-74.1,', 'M2,Gym,vending machine,40.3,-74.1,3 Main St');
    const second = await newest();
    expect(second).toMatchObject({
      kind: 'locations',
      rows: 2,
      created: 1,
      updated: 1,
      canUndo: true,
      importedBy: null,
    });
    expect((await undo(second.id)).json()).toMatchObject({ canUndo: false, undoneBy: expect.any(String) });
    const left = await rows(
      test.deps.db,
      sql`select machine_id as id, name, latitude::text from vending_machines where deleted_at is null order by 1`,
    );
    expect(left).toEqual([{ id: 'M1', name: 'Lobby', latitude: '40.10000000' }]);
    expect((await undo(second.id)).json().detail).toBe('This import was undone already.');
  });

  it('what was undone can be imported again', async () => {
    const report = await places(
      'M1,Lobby,vending machine,40.1,-74.1,1 Main St',
      'M2,Gym,vending machine,40.3,-74.1,3 Main St',
    );
    expect(report).toMatchObject({ created: 1, unchanged: 1 });
    expect((await undo((await newest()).id)).statusCode).toBe(200);
  });

  it('a machine reads as before with its model and serial number too', async () => {
    const machines = (model: string, serial: string) =>
      taken(
        'locations',
        'machine id,name,type,latitude,longitude,address,model,serial number',
        `M7,Dock,vending machine,40.7,-74.1,7 Main St,${model},${serial}`,
      );
    await machines('Tall', 'S-1');
    await machines('Small', 'S-2');
    expect((await undo((await newest()).id)).statusCode).toBe(200);
    const left = await firstRow(
      test.deps.db,
      sql`select model, serial_number as serial from vending_machines where machine_id = 'M7'`,
    );
    expect(left).toEqual({ model: 'Tall', serial: 'S-1' });
  });

  it('an import whose rows were changed or used since is refused by name, and nothing of it changes', async () => {
    await taken('products', 'barcode,name,price', '036000291452,Tea,1.50', '012345678905,Milk,2.00');
    const made = await newest();
    const tea = await firstRow<{ id: number }>(test.deps.db, sql`select id from products where name = 'Tea'`);
    await manager.call('PUT', `/api/products/${tea?.id}`, { body: { name: 'Green Tea' } });
    const refused = await undo(made.id);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().detail).toContain('1 product of it is no longer as it left them: Green Tea (changed since)');
    await places('M3,Pool,vending machine,40.4,-74.1,4 Main St');
    const machine = await newest();
    await taken('planogram', 'machine id,slot,product,price', 'M3,A1,Milk,2.00');
    expect((await undo(machine.id)).json().detail).toContain('Pool (in use by now)');
    expect(await firstRow(test.deps.db, sql`select 1 as n from products where name = 'Milk'`)).toBeDefined();
  });

  it('a planogram taken back leaves neither its slots, counted as it said, nor the products it brought', async () => {
    await taken(
      'planogram',
      'machine id,slot,product,price,capacity,on hand',
      'M3,A1,Milk,2.50,12,',
      'M3,A2,New Bar,1.00,8,5',
    );
    expect((await undo((await newest()).id)).statusCode).toBe(200);
    const slots = await rows(
      test.deps.db,
      sql`select slot_number as slot, price::text, max_quantity as capacity from vending_machine_inventory where deleted_at is null`,
    );
    expect(slots).toEqual([{ slot: 'A1', price: '2.00', capacity: 10 }]);
    expect(await firstRow(test.deps.db, sql`select 1 as n from products where name = 'New Bar'`)).toBeUndefined();
  });

  const sums = () =>
    firstRow(
      test.deps.db,
      sql`select (select count(*)::int from sales) as sales, (select coalesce(sum(lines), 0)::int from sales_daily) as daily,
            (select coalesce(sum(lines), 0)::int from payment_hours) as payments,
            (select coalesce(sum(amount), 0)::numeric(14, 2)::text from item_days) as amount,
            (select coalesce(sum(units), 0)::int from item_days) as units,
            (select current_quantity from vending_machine_inventory where slot_number = 'A1' and deleted_at is null) as stock`,
    );

  it('sales taken back are in no sum and back in the stock; told again they count again', async () => {
    const slot = await firstRow<{ id: number }>(
      test.deps.db,
      sql`select id from vending_machine_inventory where slot_number = 'A1' and deleted_at is null`,
    );
    const count = { currentQuantity: 9, occurredAt: '2026-03-12T10:00:00Z' };
    await manager.call('PUT', `/api/vending-machine-inventory/${slot?.id}`, { body: count });
    const before = await sums();
    const sales = ['date,price,machine id,slot', '2026-03-12 14:30,2.00,M3,A1', '2026-03-12 14:40,2.00,M9,B1'];
    expect(await taken('sales', ...sales)).toMatchObject({ created: 2 });
    const after = await sums();
    expect(after).not.toEqual(before);
    expect((await undo((await newest()).id)).statusCode).toBe(200);
    expect(await sums()).toEqual(before);
    expect(await taken('sales', ...sales)).toMatchObject({ created: 2, unchanged: 0 });
    expect(await sums()).toEqual(after);
    expect(await taken('sales', ...sales)).toMatchObject({ created: 0, unchanged: 2 });
  });

  it('sales are taken back out of the sums of another zone and currency as well', async () => {
    const daily = () =>
      rows(
        test.deps.db,
        sql`select day::text, product_name as product, units, amount::text, lines from sales_daily order by day, product_name`,
      );
    const keep = (timeZone: string, currency: string) =>
      saveOperator(test.deps.db, { name: 'Test', timeZone, currency });
    const { timeZone, currency } = await getOperator(test.deps.db);
    await keep('America/New_York', 'USD');
    const before = await daily();
    await taken('sales', 'date,price,machine id,slot,product', '2026-03-10 22:30,2.00,M9,B1,Late');
    const line = { product: 'Late', units: 1, amount: '2.00', lines: 1 };
    expect(await daily()).toContainEqual({ ...line, day: '2026-03-10' });
    await keep('Europe/Berlin', 'USD');
    expect(await daily()).toContainEqual({ ...line, day: '2026-03-11' });
    await keep('Europe/Berlin', 'EUR');
    expect(await daily()).toContainEqual({ ...line, day: '2026-03-11', amount: '0.00' });
    expect((await undo((await newest()).id)).statusCode).toBe(200);
    expect(await daily()).toHaveLength(before.length);
    expect(await daily()).not.toContainEqual(expect.objectContaining({ product: 'Late' }));
    await keep('America/New_York', 'USD');
    expect(await daily()).toEqual(before);
    await keep(timeZone, currency);
  });

  it('of very many sales every one is taken back', async () => {
    const before = await sums();
    const many = Array.from({ length: 2100 }, (_, n) => `2026-03-12 10:00,2.00,M9,B${n}`);
    expect(await taken('sales', 'date,price,machine id,slot', ...many)).toMatchObject({ created: 2100 });
    expect((await undo((await newest()).id)).statusCode).toBe(200);
    expect(await sums()).toEqual(before);
    const empty = await firstRow(
      test.deps.db,
      sql`select (select count(*)::int from payment_days where lines = 0) + (select count(*)::int from payment_hours where lines = 0)
            + (select count(*)::int from payment_places where lines = 0) + (select count(*)::int from sales_daily where lines = 0) as n`,
    );
    expect(empty).toEqual({ n: 0 });
  });

  it('whether new places are in use is looked up, not found by reading the sales of all others', async () => {
    const { db } = test.deps;
    const { id: market } = await buildMarket(db);
    await db.execute(
      sql`insert into sales (event_id, source, transaction_id, market_id, price, total_amount, sale_date)
          select gen_random_uuid(), 'test', 'm' || n, ${market}, 1, 1, '2026-03-10T12:00:00Z'
          from generate_series(1, 4000) n`,
    );
    await db.execute(sql`analyze sales`);
    await taken(
      'locations',
      'id,name,type,latitude,longitude',
      ...[1, 2, 3].map((n) => `${n},Cafe ${n},market,40.${n},-74`),
    );
    const { id } = await newest();
    const linesRead = async (tx: Db): Promise<number> => {
      const found = await firstRow<{ lines: number }>(
        tx,
        sql`select sum(seq_tup_read)::int as lines from pg_stat_xact_user_tables where relname like 'sales\\_2%'`,
      );
      return found?.lines ?? 0;
    };
    await db.transaction(async (tx) => {
      const before = await linesRead(tx);
      expect(await findObstacles(tx, id, 'markets')).toEqual([]);
      expect((await linesRead(tx)) - before).toBeLessThan(4000);
    });
    expect((await undo(id)).statusCode).toBe(200);
  });

  it('whether products of a large import are in use is looked up, its barcodes are not read for each of them', async () => {
    const { db } = test.deps;
    const codes = Array.from({ length: 400 }, (_, n) => `0${String(10_000_000_000 + n)}`);
    const checked = codes.map((code) => {
      const sum = [...code].reduce((all, digit, place) => all + Number(digit) * (place % 2 ? 3 : 1), 0);
      return `${code}${(10 - (sum % 10)) % 10}`;
    });
    const report = await taken('products', 'barcode,name', ...checked.map((code) => `${code.slice(1)},Bar ${code}`));
    expect(report).toMatchObject({ created: 400 });
    const { id } = await newest();
    const entriesRead = async (tx: Db): Promise<number> => {
      const found = await firstRow<{ entries: number }>(
        tx,
        sql`select (idx_tup_fetch + seq_tup_read)::int as entries from pg_stat_xact_user_tables where relname = 'import_changes'`,
      );
      return found?.entries ?? 0;
    };
    await db.transaction(async (tx) => {
      const before = await entriesRead(tx);
      expect(await findObstacles(tx, id, 'products')).toEqual([]);
      expect((await entriesRead(tx)) - before).toBeLessThan(4000);
    });
    expect((await undo(id)).statusCode).toBe(200);
  });

  it('a product that sales, mappings or a barcode of later name stays', async () => {
    await taken('products', 'barcode,name,price', '4006381333931,Pen,1.00');
    const { id } = await newest();
    const pen = await firstRow<{ id: number }>(test.deps.db, sql`select id from products where name = 'Pen'`);
    const refused = async () => {
      expect((await undo(id)).json().detail).toContain('Pen (in use by now)');
    };
    await taken('sales', 'date,price,machine id,slot,product', '2026-03-11 10:00,1.00,M9,C1,Pen');
    await refused();
    expect((await undo((await newest()).id)).statusCode).toBe(200);
    await test.deps.db.execute(
      sql`insert into vendor_mappings (config_id, kind, vendor_key, product_id) values (1, 'product', 'pen', ${pen?.id})`,
    );
    await refused();
    await test.deps.db.execute(sql`delete from vendor_mappings`);
    await test.deps.db.execute(
      sql`insert into product_barcodes (normal_code, code, product_id) values ('96385074', '96385074', ${pen?.id})`,
    );
    await refused();
    await test.deps.db.execute(sql`delete from product_barcodes where code = '96385074'`);
    expect((await undo(id)).statusCode).toBe(200);
  });

  it('people of the field see no imports and undo none', async () => {
    expect((await worker.call('GET', '/api/past-imports')).statusCode).toBe(403);
    expect((await undo((await newest()).id, worker)).statusCode).toBe(403);
    expect((await undo(999_999)).statusCode).toBe(404);
  });
});
