import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VendorSale } from '../../../domain/integration.ts';
import { rows } from '../../db/database.ts';
import { integrationConfigs } from '../../integrations/tables.ts';
import { findCounts } from '../../need/queries.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildMachine, buildSlot, buildUser } from '../../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';
import { buildBothSystems, deviceTold, saleTold } from '../../testing/vendor.ts';
import { storeBatch } from '../service.ts';

onEachDatabase('A sale that is told again with another status', (open) => {
  let t: TestApp;
  let systems: { id: number; system: string }[];
  let machineId = 0;
  let admin: Person;

  beforeAll(async () => {
    t = await testApp(open);
    const [till] = await t.deps.db
      .insert(integrationConfigs)
      .values({ system: 'lightspeed', name: 'Till', publicId: 'c'.repeat(32) })
      .returning({ id: integrationConfigs.id, system: integrationConfigs.system });
    systems = [...(await buildBothSystems(t.deps.db)), ...(till ? [till] : [])];
    machineId = (await buildMachine(t.deps.db, { machineId: 'ONCE-1' })).id;
    const slot = await buildSlot(t.deps.db, machineId, { slotNumber: 'A1', productName: 'Cola', maxQuantity: 999 });
    admin = await t.as((await buildUser(t.deps.db, { role: 'admin' })).id);
    const count = { body: { currentQuantity: 500 } };
    const now = t.deps.clock.now();
    // Before all that is sold: what is sold before a count leaves the quantity alone.
    t.setNow(new Date(now.getTime() - 7 * 86_400_000));
    const reply = await admin.call('PUT', `/api/vending-machine-inventory/${slot.id}`, count);
    expect(reply.statusCode, reply.body).toBe(200);
    t.setNow(now);
    for (const { system } of systems) await take(system, { devices: [deviceTold({ machineNumber: 'ONCE-1' })] });
  });
  afterAll(() => t.close());

  const take = (system: string, batch: Parameters<typeof storeBatch>[2]) => {
    const config = systems.find((one) => one.system === system);
    if (!config) throw new Error(`no ${system}`);
    return t.deps.db.transaction((tx) => storeBatch(tx, { config, at: t.deps.clock.now() }, batch));
  };
  const tell = (id: string, status: VendorSale['status'], system = 'nayax') =>
    take(system, {
      sales: [
        saleTold({
          vendorId: id,
          ledger: { source: system === 'lightspeed' ? system : 'nayax', transactionId: id, line: null },
          status,
          slotNumber: 'A1',
        }),
      ],
    });

  /** Units sold and money taken, as the ledger, its daily sums and the partners' payments have them. */
  const counted = async () => {
    const [found] = await rows<{ units: number; ledger: number; sums: number; payments: number }>(
      t.deps.db,
      sql`select (select coalesce(sum(quantity), 0)::int from sales where successful and not refunded) as units,
            (select coalesce(sum(total_amount), 0)::float from sales where successful and not refunded) as ledger,
            (select coalesce(sum(amount), 0)::float from sales_daily) as sums,
            (select coalesce(sum(revenue), 0)::float from payments) as payments`,
    );
    return found;
  };
  const more = (before: Awaited<ReturnType<typeof counted>>, sold: number) => ({
    units: (before?.units ?? 0) + sold,
    ledger: (before?.ledger ?? 0) + sold * 1.5,
    sums: (before?.sums ?? 0) + sold * 1.5,
    payments: (before?.payments ?? 0) + sold * 1.5,
  });

  it('declared void after it was booked, it brings no money anywhere', async () => {
    const before = await counted();
    await tell('void', 'completed');
    expect(await counted()).toEqual(more(before, 1));
    for (let time = 0; time < 2; time += 1) await tell('void', 'failed');
    expect(await counted()).toEqual(before);
  });

  it.each([
    ['at once', ['failed', 'completed']],
    ['by way of waiting', ['failed', 'pending', 'completed']],
  ] as const)('failed first and paid after all, %s, it is booked once', async (way, statuses) => {
    const before = await counted();
    for (const status of statuses) await tell(`alive ${way}`, status);
    await tell(`alive ${way}`, 'completed');
    expect(await counted()).toEqual(more(before, 1));
  });

  /** Units in the slot, as its balance and as its movements have them, and units that count as sold. */
  const stock = async () => {
    const [found] = await rows<{ balance: number; moved: number; sold: number }>(
      t.deps.db,
      sql`select (select current_quantity from vending_machine_inventory where slot_number = 'A1') as balance,
            (select coalesce(sum(quantity), 0)::int from stock_movements where kind <> 'count') as moved,
            (select coalesce(sum(quantity), 0)::int from sales where successful and not refunded) as sold`,
    );
    return found ?? { balance: 0, moved: 0, sold: 0 };
  };

  it('a till’s sale that is voided puts its units back, once; a card payment that fails later leaves them out', async () => {
    const before = await stock();
    await tell('till', 'completed', 'lightspeed');
    expect((await stock()).moved).toBe(before.moved - 1);
    for (let time = 0; time < 2; time += 1) await tell('till', 'failed', 'lightspeed');
    expect(await stock()).toEqual(before);
    await tell('card', 'completed');
    await tell('card', 'failed');
    expect(await stock()).toEqual({ ...before, moved: before.moved - 1, balance: before.balance - 1 });
  });

  it('what a voided sale puts back nobody brought: the count after it is held against the count before it', async () => {
    const slot = await buildSlot(t.deps.db, machineId, { slotNumber: 'V1', productName: 'Cola', maxQuantity: 20 });
    const [now, dayMs] = [t.deps.clock.now(), 86_400_000];
    const ago = (days: number): Date => new Date(now.getTime() - days * dayMs);
    const countAt = async (days: number) => {
      t.setNow(ago(days));
      await admin.call('PUT', `/api/vending-machine-inventory/${slot.id}`, { body: { currentQuantity: 10 } });
      t.setNow(now);
    };
    const ledger = { source: 'lightspeed', transactionId: 'never', line: null };
    const sold = (status: VendorSale['status']) => ({
      sales: [saleTold({ vendorId: 'never', slotNumber: 'V1', soldAt: ago(2), ledger, status })],
    });
    await countAt(3);
    await take('lightspeed', sold('completed'));
    await take('lightspeed', sold('failed'));
    await countAt(1);
    const ref = { type: 'vending_machine' as const, id: machineId };
    const counts = await findCounts(t.deps.db, [ref], { at: ago(7), zone: 'UTC' });
    const ofSlot = counts.filter(({ itemId }) => itemId === slot.id);
    expect(ofSlot).toEqual([expect.objectContaining({ stock: 10, brought: 0, found: 10 })]);
    const kinds = await rows<{ kind: string }>(
      t.deps.db,
      sql`select kind from stock_movements where item_type = 'machine_slot' and item_id = ${slot.id} order by kind`,
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['count', 'count', 'return', 'sale']);
  });

  it('whatever a till tells of its sales in whichever order, what left the stock is what counts as sold', async () => {
    let run = 0;
    const status = fc.constantFrom('pending' as const, 'completed' as const, 'failed' as const);
    const told = fc.array(fc.record({ sale: fc.nat({ max: 3 }), status }), { maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(told, async (steps) => {
        run += 1;
        const before = await stock();
        for (const step of steps) await tell(`${run} ${step.sale}`, step.status, 'lightspeed');
        const after = await stock();
        expect(before.moved - after.moved).toBe(after.sold - before.sold);
        expect(after.balance - before.balance).toBe(after.moved - before.moved);
      }),
      { numRuns: process.env.MILKRUN_LONG === '1' ? 500 : 10 },
    );
  }, 300_000);

  /** What Payment Reports list of a sale, whoever tells it. */
  const listed = async (id: string) =>
    (
      await rows<{ status: string }>(
        t.deps.db,
        sql`select status from payments where payment_id = ${id} order by status`,
      )
    ).map(({ status }) => status);

  it.each([
    ['the first', ['nayax', 'moma']],
    ['the second', ['moma', 'nayax']],
  ] as const)(
    'pending at two systems it is listed once, and booked once when %s says that it was paid',
    async (whose, ends) => {
      const id = `twice ${whose}`;
      const before = await counted();
      await tell(id, 'pending', 'nayax');
      await tell(id, 'pending', 'moma');
      expect(await listed(id)).toEqual(['pending']);
      for (const system of ends) {
        await tell(id, 'completed', system);
        expect(await listed(id)).toEqual(['completed']);
      }
      expect(await counted()).toEqual(more(before, 1));
    },
  );

  it('pending here while another system has booked it already, it is listed as what was booked', async () => {
    await tell('late', 'completed', 'nayax');
    await tell('late', 'pending', 'moma');
    expect(await listed('late')).toEqual(['completed']);
    const [row] = await rows<{ synced: boolean }>(
      t.deps.db,
      sql`select synced from moma_sales where transaction_id = 'late'`,
    );
    expect(row?.synced).toBe(false);
  });

  it('whatever two systems tell of a pending sale in whichever order, it is pending once at most, and paid counts once', async () => {
    let run = 0;
    const status = fc.constantFrom('pending' as const, 'completed' as const);
    const told = fc.array(fc.record({ system: fc.constantFrom('nayax', 'moma'), status }), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(told, async (steps) => {
        run += 1;
        const paid = new Set<string>();
        for (const step of steps) {
          if (step.status === 'completed') paid.add(step.system);
          // What a system has said was paid it does not call pending again.
          await tell(`both ${run}`, paid.has(step.system) ? 'completed' : 'pending', step.system);
        }
        expect(await listed(`both ${run}`)).toEqual([paid.size > 0 ? 'completed' : 'pending']);
      }),
      { numRuns: process.env.MILKRUN_LONG === '1' ? 500 : 10 },
    );
  }, 300_000);

  const wrongPrice = { unitPrice: '-1.50', amount: '-1.50' };
  const told = (id: string, fields: Partial<VendorSale> = {}) =>
    saleTold({
      ...{ vendorId: id, ledger: { source: 'nayax', transactionId: id, line: null }, slotNumber: 'A1', ...fields },
    });
  const heldIds = (id: string) =>
    rows<{ id: number; system: string }>(
      t.deps.db,
      sql`select id, system from held_records where vendor_id = ${id} and status = 'held' order by id`,
    );

  it.each([
    ['the first', 0],
    ['the second', 1],
  ] as const)(
    'waiting for a person at two systems it is pending once, and booked once when a person takes %s',
    async (whose, nth) => {
      const id = `held ${whose}`;
      for (const system of ['nayax', 'moma']) await take(system, { sales: [told(id, wrongPrice)] });
      expect(await listed(id)).toEqual(['pending']);
      const held = await heldIds(id);
      expect(held).toHaveLength(2);
      const before = await counted();
      for (const { id: record } of [held[nth], held[1 - nth]].flatMap((one) => one ?? [])) {
        const body = { how: 'as-told', alike: false };
        const reply = await admin.call('POST', `/api/integrations/held/${record}/repair`, { body });
        expect(reply.statusCode, reply.body).toBe(200);
        expect(await listed(id)).toEqual(['completed']);
      }
      expect((await counted())?.units).toBe((before?.units ?? 0) + 1);
      expect(await heldIds(id)).toEqual([]);
    },
  );

  it('left out at both it is one payment that failed', async () => {
    for (const system of ['nayax', 'moma']) await take(system, { sales: [told('left', wrongPrice)] });
    for (const { id } of await heldIds('left'))
      await admin.call('POST', `/api/integrations/held/${id}/dismiss`, { body: { alike: false } });
    expect(await listed('left')).toEqual(['failed']);
  });

  it('booked from one system and told otherwise by another, it does not count as pending there', async () => {
    await take('nayax', { sales: [told('other')] });
    await take('moma', { sales: [told('other', { unitPrice: '1.75', amount: '1.75' })] });
    expect(await listed('other')).toEqual(['completed']);
    for (const { id } of await heldIds('other'))
      await admin.call('POST', `/api/integrations/held/${id}/dismiss`, { body: { alike: false } });
    expect(await listed('other')).toEqual(['completed']);
  });

  it.each([
    ['at neither', ['NOWHERE', 'NOWHERE']],
    ['at the second', ['NOWHERE', 'D1']],
    ['at the first', ['D1', 'NOWHERE']],
  ] as const)('of a place that is known %s of two systems its money counts once', async (where, [first, second]) => {
    const id = `place ${where}`;
    const before = await counted();
    await take('nayax', { sales: [told(id, { deviceId: first })] });
    await take('moma', { sales: [told(id, { deviceId: second })] });
    expect(await listed(id)).toEqual(['completed']);
    expect((await counted())?.payments).toBe((before?.payments ?? 0) + 1.5);
  });

  it('of a place known at neither it is booked where a person says what the place is', async () => {
    for (const system of ['nayax', 'moma'])
      await take(system, { sales: [told('found', { deviceId: 'NEW-1', integrationId: `${system}:NEW-1` })] });
    const before = await counted();
    const [device] = await rows<{ id: number }>(
      t.deps.db,
      sql`select id from vendor_devices where vendor_id = 'NEW-1' and system = 'moma'`,
    );
    const body = { type: 'vending_machine', id: machineId };
    const reply = await admin.call('POST', `/api/integrations/review/devices/${device?.id}/link`, { body });
    expect(reply.json(), reply.body).toMatchObject({ booked: 1 });
    expect(await listed('found')).toEqual(['completed']);
    expect((await counted())?.units).toBe((before?.units ?? 0) + 1);
  });

  it('pending at two systems that tell it at the same moment, it is listed once', async () => {
    const ids = Array.from({ length: 12 }, (_, nth) => `moment ${nth}`);
    for (const id of ids) await Promise.all(['nayax', 'moma'].map((system) => tell(id, 'pending', system)));
    expect(await Promise.all(ids.map(listed))).toEqual(ids.map(() => ['pending']));
  });

  it('stays booked when another system than the one it was booked from says that it failed', async () => {
    const before = await counted();
    await tell('disputed', 'completed');
    await tell('disputed', 'failed', 'moma');
    expect(await counted()).toMatchObject({ units: (before?.units ?? 0) + 1 });
  });
});
