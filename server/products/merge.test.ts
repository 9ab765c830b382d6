import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MergePreview, Product, ProductCard } from '../../contract/products.ts';
import { rows } from '../db/database.ts';
import { today } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildSlot } from '../testing/factories.ts';
import { reportOf } from '../testing/imports.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { productNamed } from './service.ts';

onEachDatabase('products under several names', (open) => {
  let test: TestApp;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    test = await testApp(open);
    ({ manager, worker } = await oneOfEachRole(test, '101'));
  });
  afterAll(() => test.close());

  let serial = 0;

  async function make(name: string, barcodes: string[] = []): Promise<Product> {
    const body = { name, unitCost: '0.50', unitPrice: '2.00', barcodes };
    const reply = await manager.call('POST', '/api/products', { body });
    expect(reply.statusCode).toBe(201);
    return reply.json();
  }

  /** A product that is kept, another name of it with a barcode, and a slot and an item that hold the other one. */
  async function twoNames() {
    const n = ++serial;
    const kept = await make(`Coke Zero ${n}`);
    const other = await make(`Coca Cola - Zero ${n}`, [`X-${n}`]);
    const held = { productId: other.id, productName: other.name };
    const slot = await buildSlot(test.deps.db, (await buildMachine(test.deps.db)).id, { ...held, currentQuantity: 3 });
    const item = await buildItem(test.deps.db, (await buildMarket(test.deps.db)).id, { ...held, currentQuantity: 4 });
    return { kept, other, slot, item, code: `X-${n}` };
  }

  const merge = (kept: Product, merged: number[], more: object = {}) =>
    manager.call('POST', `/api/products/${kept.id}/merge`, { body: { merged, ...more } });
  const holds = (id: number) =>
    rows(
      test.deps.db,
      sql`select product_id as id, product_name as name from vending_machine_inventory where id = ${id}`,
    );

  it('a dry run says what would move and changes nothing', async () => {
    const { kept, other, slot } = await twoNames();
    const preview = (await merge(kept, [other.id], { dryRun: true })).json() as MergePreview;
    expect(preview.merged).toEqual([{ id: other.id, name: other.name, items: 1, slots: 1, barcodes: other.barcodes }]);
    expect(await holds(slot.id)).toEqual([{ id: other.id, name: other.name }]);
  });

  it('what stands in places that are gone is no stock of a product', async () => {
    const { other, slot, item } = await twoNames();
    const { db } = test.deps;
    const stockOf = async () => {
      const { quantity, places }: ProductCard = (await manager.call('GET', `/api/products/${other.id}`)).json();
      return { quantity, places };
    };
    expect(await stockOf()).toEqual({ quantity: 7, places: 2 });
    await db.execute(sql`update vending_machines set deleted_at = now() where id = ${slot.machineId}`);
    expect(await stockOf()).toEqual({ quantity: 4, places: 1 });
    await db.execute(sql`update markets set deleted_at = now() where id = ${item.marketId}`);
    expect(await stockOf()).toEqual({ quantity: 0, places: 0 });
  });

  it('stock, barcodes and the old name lead to the product that is kept', async () => {
    const { kept, other, slot, code } = await twoNames();
    expect((await merge(kept, [other.id])).statusCode).toBe(200);
    expect(await holds(slot.id)).toEqual([{ id: kept.id, name: kept.name }]);
    const scanned = (await worker.call('GET', `/api/products/by-barcode/${code}`)).json();
    expect(scanned.product.id).toBe(kept.id);
    const card = (await manager.call('GET', `/api/products/${kept.id}`)).json() as ProductCard;
    expect(card).toMatchObject({ quantity: 7, names: [{ id: other.id, name: other.name }] });
    expect(card.places).toBe(2);
    for (const sort of ['name', '-name', 'quantity', '-quantity', 'price', '-price']) {
      const page = async (query: string) =>
        (await manager.call('GET', `/api/products/${kept.id}/places?sort=${sort}&${query}`)).json();
      const { rows, total } = await page('');
      expect([rows.length, total]).toEqual([2, 2]);
      expect(rows.find((row: { type: string }) => row.type === 'vending_machine')).toMatchObject({
        slotNumber: slot.slotNumber,
      });
      const first = await page('limit=1');
      const second = await page(`limit=1&page=${first.next}`);
      expect([sort, ...first.rows, ...second.rows, second.next]).toEqual([sort, ...rows, null]);
    }
    const listed = (await manager.call('GET', `/api/products?search=${encodeURIComponent(other.name)}`)).json();
    expect(listed).toEqual([]);
    const named = { name: other.name, at: new Date() };
    const caller = { userId: 1, role: 'admin' as const, routeDesignation: null };
    const id = await test.deps.db.transaction((tx) =>
      productNamed(tx, caller as Parameters<typeof productNamed>[1], named),
    );
    expect(id).toBe(kept.id);
  });

  it('places of a product are paged as one look at all of them sorts them, few and thousands', async () => {
    const { db } = test.deps;
    const { kept } = await twoNames();
    const made = sql`select id, row_number() over (order by id) as n from vending_machines where machine_id like 'PLACED-%'`;
    const keysOf = async (query: string, limit: number) => {
      const page = async (more: string) =>
        (await manager.call('GET', `/api/products/${kept.id}/places?sort=${query}&limit=${limit}${more}`)).json();
      const seen: number[] = [];
      const back: number[] = [];
      type Page = { rows: { key: number }[]; next: string | null; previous: string | null; total: number };
      let at: Page = await page('');
      const { total } = at;
      const keys = (): number[] => at.rows.map(({ key }) => key);
      for (seen.push(...keys()); at.next; seen.push(...keys())) at = await page(`&page=${at.next}`);
      for (back.unshift(...keys()); at.previous; back.unshift(...keys())) at = await page(`&page=${at.previous}`);
      return [total, seen, back];
    };
    const compare = async (limit: number): Promise<void> => {
      for (const [name, value] of [
        ...[
          ['name', 'lower(name)'],
          ['quantity', 'quantity'],
          ['price', 'price'],
        ],
      ]) {
        for (const down of [false, true]) {
          const direction = down ? 'desc' : 'asc';
          const all = await rows<{ key: number }>(
            db,
            sql.raw(`select key from (
              select i.id * 2 as key, m.name, i.current_quantity as quantity, coalesce(p.unit_price, -1) as price from inventory_items i
              join markets m on m.id = i.market_id join products p on p.id = i.product_id
              where i.product_id = ${kept.id} and i.deleted_at is null and m.deleted_at is null
              union all
              select s.id * 2 + 1, m.name, s.current_quantity, s.price from vending_machine_inventory s
              join vending_machines m on m.id = s.machine_id
              where s.product_id = ${kept.id} and s.deleted_at is null and m.deleted_at is null) l
              order by ${value} ${direction}, key ${direction}`),
          );
          const expected = all.map(({ key }) => Number(key));
          const sort = `${down ? '-' : ''}${name}`;
          expect([sort, ...(await keysOf(sort, limit))]).toEqual([sort, expected.length, expected, expected]);
        }
      }
    };
    await db.execute(sql`insert into vending_machines (name, machine_id, location, address, latitude, longitude, capacity)
      select 'Placed ' || n % 40, 'PLACED-' || n, 'Inside', 'Here', 40, -74, 10 from generate_series(1, 110) n`);
    const put = async (from: number, to: number): Promise<void> => {
      await db.execute(sql`insert into vending_machine_inventory
          (machine_id, product_id, product_name, slot_number, current_quantity, max_quantity, price)
        select m.id, ${kept.id}, ${kept.name}, 'P' || k, (m.n + k) % 7, 10, (m.n * k) % 5 from (${made}) m, generate_series(${from}::int, ${to}::int) k`);
      await db.execute(sql`update vending_machine_inventory set deleted_at = now()
        where slot_number like 'P%' and id % 17 = 0 and deleted_at is null`);
    };
    await put(1, 1);
    await db.execute(
      sql`update vending_machines set deleted_at = now() where machine_id like 'PLACED-%' and id % 9 = 0`,
    );
    await compare(7);
    await put(2, 24);
    await compare(100);
    await db.execute(
      sql`update vending_machines set deleted_at = now() where machine_id like 'PLACED-%' and deleted_at is null`,
    );
  });

  it('undone, each has again what it had, but for a slot that holds something else by now', async () => {
    const { kept, other, slot, item, code } = await twoNames();
    await merge(kept, [other.id]);
    await test.deps.db.execute(
      sql`update inventory_items set product_id = null, product_name = 'Tea' where id = ${item.id}`,
    );
    const reply = await manager.call('POST', `/api/products/${other.id}/unmerge`);
    expect(reply.json()).toMatchObject({ id: other.id, barcodes: [code] });
    expect(await holds(slot.id)).toEqual([{ id: other.id, name: other.name }]);
    const kind = sql`select product_name as name from inventory_items where id = ${item.id}`;
    expect(await rows(test.deps.db, kind)).toEqual([{ name: 'Tea' }]);
    expect((await manager.call('POST', `/api/products/${other.id}/unmerge`)).statusCode).toBe(404);
  });

  it('what was sold under another name, in a slot or in none, counts as the kept one', async () => {
    const { kept, other } = await twoNames();
    const machine = await buildMachine(test.deps.db);
    const day = await today(test.deps.db, test.deps.clock);
    const lines = `date,time,device id,product,price,qty\n${day},0:01,${machine.machineId},${other.name},2.00,3\n`;
    expect(await reportOf(test.deps.db, ['sales', 'sold.csv'], lines)).toMatchObject({ created: 1, refused: [] });
    const soldOf = async ({ id }: Product) =>
      ((await manager.call('GET', `/api/products/${id}`)).json() as ProductCard).sold;
    expect(await soldOf(kept)).toMatchObject({ units: 0, amount: '0.00' });
    expect(await soldOf(other)).toMatchObject({ units: 3, amount: '6.00', margin: '4.50' });
    await merge(kept, [other.id]);
    expect(await soldOf(kept)).toMatchObject({ units: 3, amount: '6.00', margin: '4.50' });
  });

  it('a name that led to a merged product leads on', async () => {
    const { kept, other } = await twoNames();
    const last = await make(`Cola 0 ${serial}`);
    await merge(kept, [other.id]);
    await merge(last, [kept.id]);
    const card = (await manager.call('GET', `/api/products/${last.id}`)).json() as ProductCard;
    expect(card.names.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([kept.id, other.id]);
    await manager.call('POST', `/api/products/${kept.id}/unmerge`);
    const back = (await manager.call('GET', `/api/products/${kept.id}`)).json() as ProductCard;
    expect(back.names.map(({ id }) => id)).toEqual([other.id]);
  });

  it('refuses itself, what is merged already, nothing, and people of the field', async () => {
    const { kept, other } = await twoNames();
    expect((await merge(kept, [kept.id])).statusCode).toBe(409);
    expect((await merge(kept, [])).statusCode).toBe(400);
    await merge(kept, [other.id]);
    const again = await merge(kept, [other.id]);
    expect(again.json()).toMatchObject({ status: 409, detail: expect.stringContaining('Choose again') });
    expect(
      (await worker.call('POST', `/api/products/${kept.id}/merge`, { body: { merged: [other.id] } })).statusCode,
    ).toBe(403);
    expect((await worker.call('GET', `/api/products/${kept.id}`)).statusCode).toBe(403);
  });
});
