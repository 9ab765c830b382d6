import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VendorBatch } from '../../../domain/integration.ts';
import { rows } from '../../db/database.ts';
import { integrationConfigs } from '../../integrations/tables.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../../testing/factories.ts';
import { oneOfEachRole } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';
import { deviceTold, saleTold } from '../../testing/vendor.ts';
import { purgeCardEnds, storeBatch } from '../service.ts';

onEachDatabase('Review of partner records', (open) => {
  let t: TestApp;
  let manager: Person;
  let config: { id: number; system: string };
  let machineId: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager } = await oneOfEachRole(t, '101'));
    const [made] = await t.deps.db
      .insert(integrationConfigs)
      .values({ system: 'nayax', name: 'Ours', publicId: 'f'.repeat(32) })
      .returning();
    config = { id: made?.id ?? 0, system: 'nayax' };
    machineId = (await buildMachine(t.deps.db, { name: 'Lobby machine' })).id;
    await buildSlot(t.deps.db, machineId, { slotNumber: 'A1', productName: 'Cola', price: '1.50' });
  });
  afterAll(() => t.close());

  const take = (batch: VendorBatch) =>
    t.deps.db.transaction((tx) => storeBatch(tx, { config, at: t.deps.clock.now() }, batch));
  const get = async (path: string) => (await manager.call('GET', `/api/integrations/${path}`)).json();
  const post = async (path: string, body: object) =>
    (await manager.call('POST', `/api/integrations/${path}`, { body })).json();
  const told = (vendorId: string, fields = {}) =>
    saleTold({ vendorId, configId: config.id, slotNumber: 'A1', ...fields });

  it('one click links a device that looks like one of ours, and what waited is booked', async () => {
    await take({ devices: [deviceTold()], sales: [told('1'), told('2', { slotNumber: '9' })] });
    const { rows: waiting } = await get('review/devices');
    expect(waiting).toMatchObject([
      { reason: 'Same name as Lobby machine', waitingSales: 2, candidates: [{ id: machineId, name: 'Lobby machine' }] },
    ]);
    const linked = await post(`review/devices/${waiting[0].id}/link`, { type: 'vending_machine', id: machineId });
    expect(linked).toMatchObject({ locationId: machineId, booked: 1, held: 1 });
    expect(await get('review')).toMatchObject({ devices: 0, held: 1 });
  });

  it('a slot that a person names is remembered: what was held for it is booked, and what comes later too', async () => {
    await take({ sales: [told('3', { slotNumber: '9' })] });
    const { rows: held } = await get('held');
    expect(held).toMatchObject([{ reason: 'slot', alike: 2, place: { name: 'Lobby machine' } }, { reason: 'slot' }]);
    expect(await post(`held/${held[0].id}/repair`, { how: 'map' })).toMatchObject({ status: 400 });
    expect(await post(`held/${held[0].id}/repair`, { how: 'map', slotNumber: 'Z7' })).toMatchObject({
      status: 400,
      detail: 'Lobby machine has no slot Z7.',
    });
    // What turns letters around would turn the sentence around, too.
    expect(await post(`held/${held[0].id}/repair`, { how: 'map', slotNumber: 'Z\u202e7' })).toMatchObject({
      status: 400,
      fields: { slotNumber: expect.stringContaining('turns letters around') },
    });
    expect(await post(`held/${held[0].id}/repair`, { how: 'map', slotNumber: 'a1' })).toMatchObject({
      booked: 2,
      held: 0,
    });
    expect(await take({ sales: [told('4', { slotNumber: '9' })] })).toMatchObject({ booked: 1, held: 0 });
    expect((await get('held')).total).toBe(0);
  });

  it('a price in cents is repaired and booked in one click; told again, nothing happens', async () => {
    const wrong = told('5', { unitPrice: '150.00', amount: '150.00' });
    expect(await take({ sales: [wrong] })).toMatchObject({ booked: 0, held: 1 });
    const { rows: held } = await get('held');
    expect(held[0].repair).toEqual({ unitPrice: '1.50', amount: '1.50' });
    expect(await post(`held/${held[0].id}/repair`, { how: 'repair' })).toMatchObject({ booked: 1 });
    const booked = await rows(
      t.deps.db,
      sql`select total_amount::text as amount from sales where transaction_id = '5'`,
    );
    expect(booked).toEqual([{ amount: '1.50' }]);
    expect(await take({ sales: [wrong] })).toMatchObject({ booked: 0, held: 0 });
  });

  it('a repaired sale counts as repaired wherever the partner’s sales are added up, told again or not', async () => {
    const wrong = told('put-right', { unitPrice: '150.00', amount: '150.00' });
    await take({ sales: [wrong] });
    const { rows: held } = await get('held');
    expect(await post(`held/${held[0].id}/repair`, { how: 'repair' })).toMatchObject({ booked: 1 });
    const counted = () =>
      rows(
        t.deps.db,
        sql`select amount::text, revenue::text, status from payments where payment_id = 'put-right' and origin = 'partner'`,
      );
    const right = [{ amount: '1.50', revenue: '1.50', status: 'completed' }];
    expect(await counted()).toEqual(right);
    const days = await rows<{ revenue: string; payments: string }>(
      t.deps.db,
      sql`select sum(d.revenue)::text as revenue, (select sum(revenue)::text from payments) as payments from payment_days d`,
    );
    expect(days[0]?.revenue).toBe(days[0]?.payments);
    expect(await take({ sales: [{ ...wrong, orderId: 'settled later' }] })).toMatchObject({ booked: 0, held: 0 });
    expect(await counted()).toEqual(right);
    const [kept] = await rows(
      t.deps.db,
      sql`select details -> 'told' ->> 'amount' as told, order_id as "orderId" from vendor_sales where vendor_id = 'put-right'`,
    );
    expect(kept).toEqual({ told: '150.00', orderId: 'settled later' });
    await take({ sales: [{ ...wrong, status: 'refunded' }] });
    expect(await counted()).toEqual([{ amount: '1.50', revenue: '0', status: 'refunded' }]);
    expect(await take({ sales: [told('put-right', { unitPrice: '9.00', amount: '9.00' })] })).toMatchObject({
      held: 1,
    });
  });

  it('another amount for a booked sale is held beside it; left out, the first stands', async () => {
    await take({ sales: [told('6')] });
    expect(await take({ sales: [told('6', { amount: '3.00', quantity: 2 })] })).toMatchObject({ booked: 0, held: 1 });
    const { rows: held } = await get('held');
    expect(held[0]).toMatchObject({ reason: 'changed', repair: null });
    expect(await post(`held/${held[0].id}/repair`, { how: 'repair' })).toMatchObject({ status: 409 });
    expect(await post(`held/${held[0].id}/dismiss`, {})).toMatchObject({ dismissed: 1 });
    expect(await take({ sales: [told('6', { amount: '3.00', quantity: 2 })] })).toMatchObject({ held: 0 });
    expect(await booksOf('6')).toMatchObject({ quantity: 1, amount: '1.50', partner: '1.50' });
  });

  type Books = { quantity: number; amount: string; partner: string; moved: number };

  /** A sale as the ledger, the partner's list and the stock have it. */
  const booksOf = async (id: string): Promise<Books | undefined> => {
    const [found] = await rows<Books>(
      t.deps.db,
      sql`select s.quantity, s.total_amount::text as amount, v.amount::text as partner,
            (select sum(m.quantity)::int from stock_movements m where m.item_type = 'machine_slot' and m.item_id = s.item_id
              and m.effective_at = s.sale_date) as moved
          from sales s join vendor_sales v on v.ledger_source = s.source and v.ledger_id = s.transaction_id
          where s.transaction_id = ${id}`,
    );
    return found;
  };

  /** Each pair: a sum that is kept, and what it is the sum of. */
  const sums = () =>
    rows<{ kept: string; real: string }>(
      t.deps.db,
      sql`select sum(amount)::text as kept, (select sum(total_amount) from sales where successful and not refunded)::text as real
            from sales_daily
          union all select sum(units)::text, (select sum(quantity) from sales where successful and not refunded)::text from sales_daily
          union all select sum(amount)::text, (select sum(total_amount) from sales where item_id is not null and successful
            and not refunded)::text from item_days
          union all select sum(units)::text, (select sum(quantity) from sales where item_id is not null and successful
            and not refunded)::text from item_days
          union all select sum(units + refunded)::text, (select -sum(quantity) from stock_movements where kind = 'sale')::text
            from item_days
          union all select sum(revenue)::text, (select sum(revenue) from payments)::text from payment_days`,
    );

  it('another amount for a booked sale is taken: ledger, stock, sums and the partner’s list follow', async () => {
    const soldAt = new Date('2026-03-12T13:07:00Z');
    const first = told('changes', { soldAt });
    const second = told('changes', { soldAt, amount: '4.50', quantity: 3 });
    await take({ sales: [first] });
    expect(await take({ sales: [second] })).toMatchObject({ held: 1 });
    const { rows: held } = await get('held');
    const answer = await manager.call('POST', `/api/integrations/held/${held[0].id}/repair`, {
      body: { how: 'as-told' },
    });
    expect(answer.json()).toEqual({ booked: 1, held: 0, dismissed: 0 });
    expect(await booksOf('changes')).toEqual({ quantity: 3, amount: '4.50', partner: '4.50', moved: -3 });
    for (const { kept, real } of await sums()) expect(Number(kept)).toBe(Number(real));
    const [noted] = await rows(
      t.deps.db,
      sql`select detail from audit_log where action = 'integration.take-changed' order by id desc limit 1`,
    );
    expect(noted).toEqual({
      detail: { sale: 'changes', from: { quantity: 1, amount: '1.50' }, to: { quantity: 3, amount: '4.50' } },
    });
    // Told again so, it is what is known; told otherwise once more, a person is asked again, each time.
    expect(await take({ sales: [second] })).toMatchObject({ held: 0, booked: 0 });
    expect(await take({ sales: [second] })).toMatchObject({ unchanged: 1 });
    for (const [telling, quantity, amount] of [
      [first, 1, '1.50'],
      [second, 3, '4.50'],
    ] as const) {
      expect(await take({ sales: [telling] })).toMatchObject({ held: 1 });
      const [latest] = (await get('held')).rows;
      expect(await post(`held/${latest.id}/repair`, { how: 'as-told' })).toMatchObject({ booked: 1 });
      expect(await booksOf('changes')).toEqual({ quantity, amount, partner: amount, moved: -quantity });
    }
    for (const { kept, real } of await sums()) expect(Number(kept)).toBe(Number(real));
  });

  it('a sale that was paid back keeps its amount: what is told of it later can only be left out', async () => {
    await take({ sales: [told('back')] });
    await take({ sales: [told('back', { amount: '9.00' })] });
    await take({ sales: [told('back', { status: 'refunded' })] });
    const { rows: held } = await get('held');
    expect(await post(`held/${held[0].id}/repair`, { how: 'as-told' })).toMatchObject({
      status: 409,
      detail: 'This sale was paid back since. Leave this out.',
    });
    expect(await post(`held/${held[0].id}/dismiss`, {})).toMatchObject({ dismissed: 1 });
  });

  it('a sale that a person leaves out brings no money, told again or not', async () => {
    const wrong = told('left-out', { unitPrice: '195.00', amount: '195.00' });
    const revenue = () =>
      rows(t.deps.db, sql`select revenue::text, status from payments where payment_id = 'left-out'`);
    expect(await take({ sales: [wrong] })).toMatchObject({ held: 1 });
    expect(await revenue()).toEqual([{ revenue: '0', status: 'pending' }]);
    const { rows: held } = await get('held');
    expect(await post(`held/${held[0].id}/dismiss`, {})).toMatchObject({ dismissed: 1 });
    expect(await revenue()).toEqual([{ revenue: '0', status: 'failed' }]);
    expect(await take({ sales: [wrong] })).toMatchObject({ booked: 0, held: 0 });
    expect(await revenue()).toEqual([{ revenue: '0', status: 'failed' }]);
  });

  it('a payment dated years ahead is held: its money counts on the day that a person takes, and nowhere before', async () => {
    const wrong = told('ahead', {
      slotNumber: null,
      deviceId: null,
      movesStock: false,
      soldAt: new Date('2031-05-01'),
    });
    const kept = () =>
      rows(
        t.deps.db,
        sql`select extract(year from paid_at)::int as year, revenue::text, status from payments where payment_id = 'ahead'`,
      );
    expect(await take({ sales: [wrong] })).toMatchObject({ booked: 0, held: 1 });
    expect(await kept()).toEqual([{ year: 2031, revenue: '0', status: 'pending' }]);
    const [held] = (await get('held')).rows;
    expect(held).toMatchObject({ reason: 'clock', explanation: expect.stringContaining('after it reached us') });
    expect(await post(`held/${held.id}/repair`, { how: 'repair' })).toEqual({ booked: 1, held: 0, dismissed: 0 });
    expect(await kept()).toEqual([{ year: 2026, revenue: '1.50', status: 'completed' }]);
    expect((await get('held')).rows).not.toContainEqual(expect.objectContaining({ id: held.id }));
    expect(await take({ sales: [wrong] })).toMatchObject({ booked: 0, held: 0 });
    const settled = told('in time', { slotNumber: null, deviceId: null, movesStock: false });
    expect(await take({ sales: [settled] })).toMatchObject({ held: 0 });
  });

  it('what is told again with an impossible date stays on its day, and the rest of what is told counts', async () => {
    const payment = { slotNumber: null, deviceId: null, movesStock: false };
    const lost = { soldAt: new Date('2031-05-01'), soldAtText: '2031-05-01' };
    const kept = (id: string) =>
      rows(
        t.deps.db,
        sql`select p.paid_at::date::text as day, p.revenue::text, p.status, v.sold_at_text as told from payments p
            join vendor_sales v on v.vendor_id = p.payment_id where p.origin = 'partner' and p.payment_id = ${id}`,
      );
    const day = '2026-03-12';
    for (const [id, fields] of [
      ['again', payment],
      ['again-sale', {}],
    ] as const) {
      await take({ sales: [told(id, fields)] });
      expect(await take({ sales: [told(id, { ...fields, ...lost })] })).toMatchObject({ held: 0 });
      expect(await kept(id)).toEqual([{ day, revenue: '1.50', status: 'completed', told: '2031-05-01' }]);
      await take({ sales: [told(id, { ...fields, ...lost, status: 'refunded' })] });
      expect(await kept(id)).toEqual([{ day, revenue: '0', status: 'refunded', told: '2031-05-01' }]);
      await take({ sales: [told(id, { ...fields, status: 'refunded', soldAt: new Date('2026-03-11T14:00:00Z') })] });
      expect(await kept(id)).toMatchObject([{ day: '2026-03-11' }]);
    }
    for (const { kept: sum, real } of await sums()) expect(Number(sum)).toBe(Number(real));
  });

  it('a sale paid back later leaves the daily sums once', async () => {
    const sums = () =>
      rows<{ units: number }>(t.deps.db, sql`select coalesce(sum(units), 0)::int as units from sales_daily`);
    await take({ sales: [told('7')] });
    const [before] = await sums();
    for (let time = 0; time < 2; time += 1) await take({ sales: [told('7', { status: 'refunded' })] });
    expect((await sums())[0]?.units).toBe((before?.units ?? 0) - 1);
  });

  it('no card number is stored, wherever it stands', async () => {
    const card = '4111111111111111';
    await take({
      sales: [told('8', { lastFour: card, raw: { card, deep: [{ note: `paid with ${card}` }] }, details: { card } })],
    });
    const stored = await rows(
      t.deps.db,
      sql`select s::text as row from vendor_sales s union all select h::text from held_records h`,
    );
    expect(JSON.stringify(stored)).not.toContain(card);
  });

  it('the end of a card number goes after 120 days, and not before', async () => {
    await take({ sales: [told('9', { lastFour: '4242' })] });
    const ends = async () => {
      await purgeCardEnds(t.deps);
      return rows(t.deps.db, sql`select last_four from vendor_sales where vendor_id = '9'`);
    };
    t.setNow(new Date(told('9').soldAt.getTime() + 119 * 86_400_000));
    expect(await ends()).toEqual([{ last_four: '4242' }]);
    t.setNow(new Date(told('9').soldAt.getTime() + 121 * 86_400_000));
    expect(await ends()).toEqual([{ last_four: null }]);
  });

  it('a machine’s source is the system with a device in it, not one that passes on what others tell', async () => {
    const machine = await buildMachine(t.deps.db, { machineId: 'VM-900' });
    const tell = async (system: 'nayax' | 'moma' | 'nama_vdi') => {
      const [made] = await t.deps.db
        .insert(integrationConfigs)
        .values({ system, name: system, publicId: system.padEnd(32, '0') })
        .returning();
      const device = deviceTold({
        ...{ vendorId: `${system}-900`, integrationId: `${system}:900`, machineNumber: 'VM-900', name: 'Hall of 900' },
      });
      await t.deps.db.transaction((tx) =>
        storeBatch(tx, { config: { id: made?.id ?? 0, system }, at: t.deps.clock.now() }, { devices: [device] }),
      );
      const [found] = await rows<{ source: string; id: string }>(
        t.deps.db,
        sql`select integration_source as source, integration_id as id from vending_machines where id = ${machine.id}`,
      );
      return [found?.source, found?.id];
    };
    expect(await tell('nama_vdi')).toEqual(['nama_vdi', 'nama_vdi:900']);
    expect(await tell('nayax')).toEqual(['nayax', 'nayax:900']);
    expect(await tell('moma')).toEqual(['nayax', 'nayax:900']);
  });

  it('one spelling of ways of paying and card schemes, whatever a system writes', async () => {
    await take({ sales: [told('card-1', { paymentMethod: 'Credit Card', cardType: 'MASTERCARD' })] });
    const sale = sql`select payment_method as method, card_type as card from vendor_sales where vendor_id = 'card-1'`;
    expect(await rows(t.deps.db, sale)).toEqual([{ method: 'credit', card: 'Mastercard' }]);
  });
});
