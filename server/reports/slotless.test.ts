import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SalesReport } from '../../contract/reports.ts';
import { firstRow } from '../db/database.ts';
import { countWrongDaySums, countWrongForeignDays, countWrongSlotlessDays } from '../need/service.ts';
import { products } from '../products/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildMarket, buildSlot, buildUser } from '../testing/factories.ts';
import { reportOf } from '../testing/imports.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const year = [
  'date,time,device id,location,slot,product,barcode,category,price,qty',
  '2025-04-02,9:00,HALL,Mall,1,Cola,,Carbonated,2.00,3',
  '2025-04-03,9:00,HALL,Mall,1,Nuts,,Food,1.50,2',
  '2025-04-03,9:00,LOBBY,Office,A1,Cola,,Carbonated,2.00,1',
  '2025-04-04,9:00,LOBBY,Office,77,COLA,,Carbonated,2.00,4',
  '2025-04-05,9:00,LOBBY,Office,78,,4006381333931,,1.25,1',
  '2025-04-05,9:00,LOBBY,Office,79,,,,1.00,1',
].join('\n');

onEachDatabase('a year that was imported', (open) => {
  let test: TestApp;
  let manager: Person;
  let cola = 0;

  beforeAll(async () => {
    test = await testApp(open);
    const { db } = test.deps;
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    const [made] = await db.insert(products).values({ name: 'Cola', category: 'Drinks', unitCost: '0.50' }).returning();
    cola = made?.id ?? 0;
    const lobby = await buildMachine(db, { name: 'Lobby', machineId: 'LOBBY', routeDesignation: '202' });
    await buildSlot(db, lobby.id, { slotNumber: 'A1', productId: cola, productName: 'Cola' });
    await buildMarket(db, { name: 'Plaza' });
    expect(await reportOf(db, ['sales', 'year.csv'], `${year}\n`)).toMatchObject({ created: 6, refused: [] });
  });
  afterAll(() => test.close());

  const report = async (by: string, route = '') => {
    const reply = await manager.call('GET', `/api/reports/sales?from=2025-04-01&to=2025-04-30&by=${by}${route}`);
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json() as SalesReport;
  };
  const linesBy = async (by: string, route = '') => {
    const { groups, units, amount, margin } = await report(by, route);
    const lines = groups.rows.map((row): [string, [number, string, string]] => [
      row.label,
      [row.units, row.amount, row.margin],
    ]);
    const sum = (value: (row: (typeof groups.rows)[number]) => number) =>
      groups.rows.reduce((all, row) => all + value(row), 0);
    expect([sum((row) => row.units), sum((row) => Number(row.amount)), sum((row) => Number(row.margin))]).toEqual([
      units,
      Number(amount),
      Number(margin),
    ]);
    return Object.fromEntries(lines);
  };

  // Eight of Cola at a cost of half a dollar each; the cost of the rest nobody knows.
  const told = {
    product: {
      Cola: [8, '16.00', '12.00'],
      Nuts: [2, '3.00', '0.00'],
      '4006381333931': [1, '1.25', '0.00'],
      '': [1, '1.00', '0.00'],
    },
    category: { Drinks: [8, '16.00', '12.00'], Food: [2, '3.00', '0.00'], '': [2, '2.25', '0.00'] },
    route: { '': [5, '9.00', '4.50'], 202: [7, '12.25', '7.50'] },
    location: { HALL: [5, '9.00', '4.50'], Lobby: [7, '12.25', '7.50'] },
    machine: { HALL: [5, '9.00', '4.50'], Lobby: [7, '12.25', '7.50'] },
  };

  it.each(Object.entries(told))('is told by %s though it is in no slot of today', async (by, lines) => {
    expect(await report(by)).toMatchObject({ units: 12, amount: '21.25', margin: '12.00' });
    expect(await linesBy(by)).toEqual(lines);
  });

  it('is told alike where so many machines have no slots that they are not looked up one by one', async () => {
    const { db } = test.deps;
    await db.execute(
      sql`insert into place_days select '-infinity', 'vending_machine', 1000000 + g, 0, 0, 0, 0, 0, 0, 0, 0, 0 from generate_series(1, 501) g`,
    );
    for (const sort of ['name', '-sales', '-units', '-out'])
      expect([sort, await linesBy('machine', `&sort=${sort}`)]).toEqual([sort, told.machine]);
    await db.execute(sql`delete from place_days where location_id > 1000000`);
  });

  it('says nothing of how long slots stood empty before there were any', async () => {
    const { groups } = await report('machine');
    expect(groups.rows.find(({ label }) => label === 'HALL')?.soldOutShare).toBeNull();
  });

  it('goes to the route that its machine is put on, with the cards', async () => {
    const { db } = test.deps;
    await db.execute(sql`update vending_machines set route_designation = '303' where machine_id = 'HALL'`);
    expect(await report('product', '&route=303')).toMatchObject({ units: 5, amount: '9.00' });
    expect(await linesBy('product', '&route=303')).toEqual({ Cola: [3, '6.00', '4.50'], Nuts: [2, '3.00', '0.00'] });
    expect(await linesBy('machine', '&route=303')).toEqual({ HALL: [5, '9.00', '4.50'] });
    expect((await report('product', '&route=303')).days[1]).toMatchObject({ day: '2025-04-02', units: 3 });
    await db.execute(sql`update vending_machines set route_designation = null where machine_id = 'HALL'`);
  });

  it('is called as the catalogue has it, counted at its cost, and follows a product that is merged', async () => {
    const { db } = test.deps;
    await db.execute(sql`update products set name = 'Cola 20 oz', unit_cost = 1 where id = ${cola}`);
    expect((await linesBy('product'))['Cola 20 oz']).toEqual([7, '14.00', '7.00']);
    expect(await countWrongDaySums(db)).toBe(0);
    const [kept] = await db.insert(products).values({ name: 'Coke', category: 'Soda' }).returning();
    await db.execute(sql`update products set merged_into = ${kept?.id} where id = ${cola}`);
    expect((await linesBy('product')).Coke).toEqual([7, '14.00', '7.00']);
    expect((await linesBy('category')).Soda).toEqual([8, '16.00', '8.00']);
    await db.execute(sql`update products set merged_into = null, unit_cost = 0.5, name = 'Cola' where id = ${cola}`);
  });

  it('is found wrong and put right by what the sales say', async () => {
    const { db } = test.deps;
    await db.execute(sql`update item_days set units = units + 1 where item_type = 'slotless'`);
    expect(await countWrongSlotlessDays(db)).toBe(5);
    await db.execute(sql`select rebuild_item_days()`);
    expect([await countWrongSlotlessDays(db), await countWrongDaySums(db), await countWrongForeignDays(db)]).toEqual([
      0, 0, 0,
    ]);
    expect(await linesBy('product')).toEqual(told.product);
    // As an upgrade finds them: sales, and nothing of what was sold in no slot.
    await db.execute(sql`delete from item_days where item_type = 'slotless'`);
    await db.execute(sql`delete from slotless_goods`);
    expect(await countWrongSlotlessDays(db)).not.toBe(0);
    await db.execute(sql`select rebuild_item_days()`);
    expect(await linesBy('product')).toEqual(told.product);
  });

  it('leaves nothing behind when the import is undone', async () => {
    const { db } = test.deps;
    const list = await manager.call('GET', '/api/past-imports');
    const [newest] = (list.json() as { imports: { id: number }[] }).imports;
    const undone = await manager.call('POST', `/api/past-imports/${newest?.id}/undo`);
    expect(undone.statusCode, undone.body).toBe(200);
    expect(await report('product')).toMatchObject({ units: 0, amount: '0.00' });
    expect([await countWrongSlotlessDays(db), await countWrongDaySums(db)]).toEqual([0, 0]);
    const left = await firstRow(db, sql`select coalesce(sum(abs(units) + abs(amount)), 0)::float as n from place_days`);
    expect(left).toEqual({ n: 0 });
  });
});
