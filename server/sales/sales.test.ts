import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { againOnConflict } from '../db/statements/again.ts';
import { recordFirstCount } from '../inventory/service.ts';
import { saveOperator } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildSlot } from '../testing/factories.ts';
import { saleEventId } from './event-id.ts';
import { recordSales, type Sale } from './service.ts';

const at = new Date('2026-03-12T15:00:00Z');

const sale = (fields: Partial<Sale>): Sale => ({
  source: 'test',
  transactionId: 'T1',
  line: null,
  machineId: null,
  marketId: null,
  slotNumber: null,
  productName: 'Cola',
  productCode: null,
  category: null,
  quantity: 1,
  price: '1.50',
  totalAmount: '1.50',
  currency: 'USD',
  paymentMethod: 'cash',
  soldAt: new Date('2026-03-12T14:00:00Z'),
  successful: true,
  refunded: false,
  flags: null,
  ...fields,
});

it('the event id of a sale is a version 5 UUID that never changes', () => {
  expect(saleEventId('nayax:3', '42', null)).toBe('2181cbf0-67d5-5a0a-b824-3205ae77325c');
  expect(saleEventId('nayax:3', '42', '1')).not.toBe(saleEventId('nayax:3', '42', null));
});

onEachDatabase('record sales', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await saveOperator(database.db, { name: 'Test', timeZone: 'America/New_York', currency: 'USD' });
  });
  afterAll(() => database.close());

  const record = (...sales: Sale[]) => database.db.transaction((tx) => recordSales(tx, sales, at));
  const daily = (product: string) =>
    rows(
      database.db,
      sql`select day::text, route_designation as route, payment_method as method, units, amount, lines from sales_daily
          where product_name = ${product} order by day, method`,
    );
  const slotState = (id: number) =>
    firstRow<{ shown: number; balance: number | null }>(
      database.db,
      sql`select t.current_quantity as shown, b.quantity as balance from vending_machine_inventory t
          left join item_balances b on b.item_type = 'machine_slot' and b.item_id = t.id where t.id = ${id}`,
    );
  async function stockedSlot(quantity: number, countedAt = new Date('2026-03-12T12:00:00Z')) {
    const machine = await buildMachine(database.db, { routeDesignation: '101' });
    const slot = await buildSlot(database.db, machine.id, { productName: 'Stocked' });
    const count = { itemType: 'machine_slot' as const, itemId: slot.id, quantity, actorId: null, at: countedAt };
    await database.db.transaction((tx) => recordFirstCount(tx, count));
    return { machineId: machine.id, slotNumber: slot.slotNumber, slotId: slot.id };
  }

  it('told by several systems at the same moment, it is stored once and the others find it', async () => {
    const { slotId, ...where } = await stockedSlot(10);
    const one = sale({ ...where, transactionId: 'S-AT-ONCE' });
    const tellings = Array.from({ length: 6 }, () => againOnConflict(() => record(one)));
    expect((await Promise.all(tellings)).flat().sort()).toEqual([...Array(5).fill('duplicate'), 'recorded']);
    expect(await slotState(slotId)).toEqual({ shown: 9, balance: 9 });
  });

  it('each line of a sale, and of another system’s sale of the same number, has an id of its own to a reader of the view', async () => {
    const { id: machineId } = await buildMachine(database.db);
    const number = `${machineId}`.padEnd(100, 'L');
    const line = (fields: Partial<Sale>) => sale({ machineId, transactionId: number, ...fields });
    await record(line({ line: '1' }), line({ line: '2', productName: 'Chips' }), line({ source: 'other' }));
    await record(line({ transactionId: `${machineId} alone` }));
    const asked = () =>
      rows<{ told: string }>(
        database.db,
        sql`select transaction_id as told from vending_machine_sales where machine_id = ${machineId} order by id`,
      );
    const ids = (await asked()).map(({ told }) => told);
    const later = expect.stringMatching(/^\d+L+#[0-9a-f]{8}$/);
    expect(ids).toEqual([number, later, later, `${machineId} alone`]);
    expect(new Set(ids).size).toBe(4);
    expect((await asked()).map(({ told }) => told)).toEqual(ids);
  });

  it('told in other capitals comes out of the slot that is meant, and stands under its number', async () => {
    const { id: machineId } = await buildMachine(database.db);
    const slots: Record<string, number> = {};
    for (const slotNumber of ['A1', 'B1', 'b1', 'Cd1', 'cD1'])
      slots[slotNumber] = (await buildSlot(database.db, machineId, { slotNumber })).id;
    const told = ['a1', 'b1', 'B1', 'cd1', 'd1'];
    const all = told.map((slotNumber) => sale({ machineId, slotNumber, transactionId: `capitals ${slotNumber}` }));
    await record(...all);
    expect(await record(...all)).toEqual(told.map(() => 'duplicate'));
    const found = await rows<{ slot: string; item: number | null }>(
      database.db,
      sql`select slot_number as slot, item_id as item from sales where machine_id = ${machineId}`,
    );
    expect(Object.fromEntries(found.map(({ slot, item }) => [slot, item]))).toEqual({
      ...{ A1: slots.A1, b1: slots.b1, B1: slots.B1 },
      ...{ cd1: null, d1: null },
    });
  });

  it('takes stock out of the slot it came from, once, however often it is told', async () => {
    const { slotId, ...where } = await stockedSlot(10);
    const one = sale({ ...where, transactionId: 'S1', quantity: 2, totalAmount: '3.00' });
    expect(await record(one, one)).toEqual(['recorded', 'duplicate']);
    expect(await record(one)).toEqual(['duplicate']);
    expect(await slotState(slotId)).toEqual({ shown: 8, balance: 8 });
    const kept = await rows(database.db, sql`select item_id as item from sales where transaction_id = 'S1'`);
    expect(kept).toEqual([{ item: slotId }]);
  });

  it('told by a webhook, a poll and a backfill in any order and overlap, each sale counts once', {
    timeout: 600_000,
  }, async () => {
    const told = fc.array(fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }), { minLength: 1, maxLength: 5 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(told, async (tellings) => {
        run += 1;
        const { slotId, ...where } = await stockedSlot(50);
        const all = [1, 2, 3, 4, 5].map((quantity) =>
          sale({ ...where, transactionId: `P${run}-${quantity}`, quantity, totalAmount: `${quantity}.50` }),
        );
        for (const telling of tellings) await record(...telling.flatMap((i) => all[i] ?? []));
        const units = [...new Set(tellings.flat())].reduce((sum, i) => sum + i + 1, 0);
        expect(await slotState(slotId)).toEqual({ shown: 50 - units, balance: 50 - units });
      }),
      { numRuns: process.env.MILKRUN_LONG === '1' ? 200 : 12 },
    );
  });

  it('a sale older than the first count is reported and leaves the stock alone', async () => {
    const { slotId, ...where } = await stockedSlot(10);
    await record(sale({ ...where, transactionId: 'S2', productName: 'Old', soldAt: new Date('2021-05-01T16:00:00Z') }));
    expect(await slotState(slotId)).toEqual({ shown: 10, balance: 10 });
    expect(await daily('Old')).toMatchObject([{ day: '2021-05-01', units: 1, amount: '1.50', route: '101' }]);
  });

  it('the same id with other content is told apart and the first record stands', async () => {
    const { id: machineId } = await buildMachine(database.db);
    await record(sale({ machineId, transactionId: 'S3', productName: 'First' }));
    const other = sale({ machineId, transactionId: 'S3', productName: 'Second', price: '9.00', totalAmount: '9.00' });
    expect(await record(other)).toEqual(['different']);
    expect(await daily('Second')).toEqual([]);
  });

  it('daily sums grow by what is new, on the operator’s calendar day', async () => {
    const { id: machineId } = await buildMachine(database.db, { routeDesignation: '7' });
    const late = new Date('2026-03-12T03:30:00Z');
    const told = ['a', 'b', 'c'].map((id) =>
      sale({ machineId, transactionId: `D-${id}`, productName: 'Sum', soldAt: late }),
    );
    await record(...told.slice(0, 2));
    await record(...told);
    const day = { day: '2026-03-11', route: '7', method: 'cash', units: 3, amount: '4.50', lines: 3 };
    expect(await daily('Sum')).toEqual([day]);
  });

  it('failed and refunded sales are stored but not summed, of other currencies only the units; a failed one moves no stock', async () => {
    const { slotId, ...where } = await stockedSlot(5);
    const odd = { ...where, productName: 'Odd' };
    await record(
      sale({ ...odd, transactionId: 'F', successful: false }),
      sale({ ...odd, transactionId: 'R', refunded: true }),
      sale({ ...odd, transactionId: 'U', currency: 'UAH' }),
    );
    expect(await slotState(slotId)).toEqual({ shown: 3, balance: 3 });
    expect(await daily('Odd')).toMatchObject([{ units: 1, amount: '0.00', lines: 1 }]);
    const stored = await rows(database.db, sql`select transaction_id from sales where product_name = 'Odd'`);
    expect(stored).toHaveLength(3);
  });

  it('takes stock out of a market’s item of that name', async () => {
    const market = await buildMarket(database.db);
    const item = await buildItem(database.db, market.id, { productName: 'Wrap' });
    await record(sale({ marketId: market.id, transactionId: 'M1', productName: 'WRAP', quantity: 4 }));
    const balance = await firstRow(
      database.db,
      sql`select quantity from item_balances where item_type = 'market_item' and item_id = ${item.id}`,
    );
    expect(balance).toEqual({ quantity: -4 });
  });
});
