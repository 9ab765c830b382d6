import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VendorBatch, VendorStock } from '../../../domain/integration.ts';
import { rows } from '../../db/database.ts';
import { integrationConfigs } from '../../integrations/tables.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../../testing/factories.ts';
import { oneOfEachRole } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';
import { deviceTold, saleTold } from '../../testing/vendor.ts';
import { adoptPlanograms, storeBatch } from '../service.ts';

const minuteMs = 60_000;

const stockTold = (deviceId: string, slotNumber: string, fields: Partial<VendorStock> = {}): VendorStock => ({
  vendorId: `${deviceId}:${slotNumber}`,
  deviceId,
  integrationId: null,
  slotNumber,
  productCode: null,
  productName: 'Partner Cola',
  quantity: 7,
  capacity: 10,
  minimum: 2,
  price: '1.75',
  lastFilledAt: null,
  removed: false,
  version: null,
  details: {},
  raw: {},
  ...fields,
});

onEachDatabase('Places of partner devices', (open) => {
  let t: TestApp;
  let admin: Person;
  let manager: Person;
  let worker: Person;
  let config: { id: number; system: string };

  beforeAll(async () => {
    t = await testApp(open);
    ({ admin, manager, worker } = await oneOfEachRole(t, '101'));
    const [made] = await t.deps.db
      .insert(integrationConfigs)
      .values({ system: 'moma', name: 'Ours', publicId: 'e'.repeat(32) })
      .returning();
    config = { id: made?.id ?? 0, system: 'moma' };
  });
  afterAll(() => t.close());

  const now = () => t.deps.clock.now();
  const take = (batch: VendorBatch, heardAt?: Date) =>
    t.deps.db.transaction((tx) => storeBatch(tx, { config, at: now(), heardAt }, batch));
  const adopt = () =>
    t.deps.db.transaction((tx) => adoptPlanograms({ db: tx, configId: config.id, system: 'moma', at: now() }));
  const slotsOf = (machineId: number) =>
    rows<Record<string, unknown>>(
      t.deps.db,
      sql`select slot_number as slot, product_name as product, price::text as price, max_quantity as holds, minimum_quantity as minimum,
            current_quantity as quantity from vending_machine_inventory where machine_id = ${machineId} and deleted_at is null order by 1`,
    );
  const machineOf = async (integrationId: string): Promise<number> =>
    (
      await rows<{ id: number }>(
        t.deps.db,
        sql`select id from vending_machines where integration_id = ${integrationId} and deleted_at is null`,
      )
    )[0]?.id ?? 0;
  const get = async (path: string) => (await manager.call('GET', `/api/integrations/${path}`)).json();

  it('a machine made from a device gets the partner’s slots, and its sales come out of them', async () => {
    const device = deviceTold({ vendorId: 'P1', integrationId: 'nayax:P1', name: 'New one', latitude: '41.5' });
    await take({
      devices: [device],
      stock: [stockTold('P1', '01'), stockTold('P1', '2', { capacity: null, quantity: 30 })],
    });
    expect(await adopt()).toBe(2);
    const machine = await machineOf('nayax:P1');
    expect(await slotsOf(machine)).toEqual([
      { slot: '01', product: 'Partner Cola', price: '1.75', holds: 10, minimum: 2, quantity: 7 },
      { slot: '2', product: 'Partner Cola', price: '1.75', holds: 30, minimum: 2, quantity: 30 },
    ]);
    expect(await adopt()).toBe(0);
    t.setNow(new Date(now().getTime() + 5 * minuteMs));
    const soldAt = new Date(now().getTime() - minuteMs);
    const sold = { deviceId: 'P1', slotNumber: '1', unitPrice: '1.75', amount: '1.75', productName: 'Partner Cola' };
    expect(await take({ sales: [saleTold({ vendorId: 'p-1', configId: config.id, soldAt, ...sold })] })).toMatchObject({
      booked: 1,
    });
    expect((await slotsOf(machine))[0]).toMatchObject({ quantity: 6 });
    expect(await get('planograms')).toMatchObject({ total: 0, rows: [] });
  });

  it('a planogram of ours is never overwritten: the differences are shown, and what is missing is added on request', async () => {
    const machine = await buildMachine(t.deps.db, { name: 'Ours', machineId: 'OURS-1' });
    await buildSlot(t.deps.db, machine.id, { slotNumber: 'A1', productName: 'Water', price: '1.00', maxQuantity: 12 });
    await buildSlot(t.deps.db, machine.id, { slotNumber: 'A9', productName: 'Gum', price: '0.50', maxQuantity: 12 });
    await take({
      devices: [deviceTold({ vendorId: 'P2', integrationId: 'nayax:P2', machineNumber: 'OURS-1' })],
      stock: [stockTold('P2', 'A1'), stockTold('P2', 'A2')],
    });
    expect(await adopt()).toBe(0);
    const found = await get('planograms');
    expect(found.total).toBe(1);
    expect(found.rows[0]).toMatchObject({
      id: machine.id,
      name: 'Ours',
      system: 'moma',
      slots: [
        { slotNumber: 'A1', differs: ['product', 'price', 'capacity'], ours: { productName: 'Water' } },
        { slotNumber: 'A2', differs: ['slot'], ours: null, theirs: { price: '1.75', capacity: 10 } },
        { slotNumber: 'A9', differs: ['slot'], theirs: null },
      ],
    });
    expect(await get('review')).toMatchObject({ planograms: 1 });
    const path = `/api/integrations/planograms/${machine.id}/adopt`;
    expect((await worker.call('POST', path)).statusCode).toBe(403);
    expect((await manager.call('POST', path)).json()).toEqual({ id: machine.id, added: 1 });
    expect((await manager.call('POST', path)).json()).toEqual({ id: machine.id, added: 0 });
    expect(await slotsOf(machine.id)).toMatchObject([
      { slot: 'A1', product: 'Water', price: '1.00' },
      { slot: 'A2', product: 'Partner Cola', quantity: 7 },
      { slot: 'A9', product: 'Gum' },
    ]);
    expect((await manager.call('POST', '/api/integrations/planograms/999999/adopt')).statusCode).toBe(404);
  });

  it('a clock that is wrong is learnt from live messages; sales are put right, held ones too, and an alert says so', async () => {
    const at = now().getTime();
    await take({
      devices: [deviceTold({ vendorId: 'P3', integrationId: 'nayax:P3', name: 'Fast clock', latitude: '42.5' })],
    });
    const tell = async (n: number, aheadMs: number) => {
      t.setNow(new Date(at + n * minuteMs));
      const soldAt = new Date(now().getTime() + aheadMs - 4_000);
      const sale = saleTold({ vendorId: `c-${n}`, configId: config.id, deviceId: 'P3', soldAt });
      return take({ sales: [sale] }, now());
    };
    for (const n of [1, 2, 3, 4]) expect(await tell(n, 37 * minuteMs)).toMatchObject({ booked: 0, held: 1 });
    // The fifth that agrees: now the clock is known, and what was held for it is booked with it.
    expect(await tell(5, 37 * minuteMs)).toMatchObject({ booked: 5, held: 0 });
    const books = await rows<{ soldAt: string; flags: string }>(
      t.deps.db,
      sql`select sale_date as "soldAt", flags from sales where machine_id = ${await machineOf('nayax:P3')} order by sale_date`,
    );
    const minutes = books.map(({ soldAt }) => Math.round((new Date(soldAt).getTime() - at) / minuteMs));
    expect(minutes).toEqual([1, 2, 3, 4, 5]);
    expect(books[0]?.flags).toContain('machine clock said');
    expect(await get('review')).toMatchObject({ held: 0 });
    const alerts = async () => (await manager.call('GET', '/api/vending-machine-alerts')).json();
    expect(await alerts()).toMatchObject([
      { alertType: 'machine_clock', message: expect.stringContaining('37 minutes ahead') },
    ]);
    for (let n = 6; n < 30; n += 1) await tell(n, 0);
    expect(await alerts()).toEqual([]);
  });

  it('sales that waited two hours on their way are booked when they were paid, and the clock counts as right', async () => {
    const at = now().getTime();
    await take({
      devices: [deviceTold({ vendorId: 'P4', integrationId: 'nayax:P4', name: 'Late line', latitude: '42.6' })],
    });
    for (let n = 1; n < 30; n += 1) {
      t.setNow(new Date(at + n * minuteMs));
      const soldAt = new Date(now().getTime() - 120 * minuteMs);
      const times = { soldAt, processedAt: new Date(soldAt.getTime() + 5_000) };
      const sale = saleTold({ vendorId: `late-${n}`, configId: config.id, deviceId: 'P4', ...times });
      expect(await take({ sales: [sale] }, now())).toMatchObject({ booked: 1, held: 0 });
    }
    const [books] = await rows<{ first: string; last: string; marked: number }>(
      t.deps.db,
      sql`select min(sale_date) as first, max(sale_date) as last, count(flags)::int as marked
          from sales where machine_id = ${await machineOf('nayax:P4')}`,
    );
    const told = [1, 29].map((n) => at + (n - 120) * minuteMs);
    expect([books?.first, books?.last].map((one) => new Date(one ?? 0).getTime())).toEqual(told);
    expect(books?.marked).toBe(0);
    expect(await (await manager.call('GET', '/api/vending-machine-alerts')).json()).toEqual([]);
  });

  it('a device whose machine was removed here waits for a person again, and its sales with it', async () => {
    const machine = await machineOf('nayax:P1');
    expect((await admin.call('DELETE', `/api/vending-machines/${machine}`)).statusCode).toBe(200);
    const sold = { slotNumber: '2', unitPrice: '1.75', amount: '1.75', productName: 'Partner Cola', soldAt: now() };
    await take({ sales: [saleTold({ vendorId: 'p-2', configId: config.id, deviceId: 'P1', ...sold })] });
    expect(await get('review')).toMatchObject({ devices: 1 });
    const [waiting] = (await get('review/devices')).rows;
    expect(waiting).toMatchObject({ vendorId: 'P1', reason: 'Its place was removed here', waitingSales: 1 });
    const path = `/api/integrations/review/devices/${waiting.id}/add`;
    const added = (await manager.call('POST', path, { body: {} })).json();
    expect(added).toMatchObject({ booked: 1, held: 0 });
    expect(await slotsOf(added.locationId)).toHaveLength(2);
    expect((await manager.call('POST', path, { body: {} })).statusCode).toBe(409);
  });

  it('a partner’s change of name and status reaches a machine; a market takes the name, and its status from people only', async () => {
    const places = [
      { vendorId: 'F1', integrationId: 'moma:F1', locationType: 'market' as const, latitude: '40.3171' },
      { vendorId: 'F2', integrationId: 'moma:F2', locationType: 'vending_machine' as const, latitude: '40.4171' },
    ];
    await take({ devices: places.map((one) => deviceTold({ ...one, name: `${one.vendorId} before` })) });
    await take({
      devices: places.map((one) => deviceTold({ ...one, name: `${one.vendorId} after`, status: 'maintenance' })),
    });
    const found = await rows(
      t.deps.db,
      sql`select name, status from markets where integration_id = 'moma:F1'
          union all select name, status from vending_machines where integration_id = 'moma:F2' order by 1`,
    );
    expect(found).toEqual([
      { name: 'F1 after', status: 'active' },
      { name: 'F2 after', status: 'maintenance' },
    ]);
  });

  it('a sign of life and what a device measures are kept, and are no update of it', async () => {
    const told = { vendorId: 'G1', integrationId: 'moma:G1', latitude: '40.5171' };
    const seen = (minute: number) => ({
      ...told,
      lastSeenAt: new Date(Date.UTC(2026, 2, 12, 14, minute)),
      details: { temperature: minute },
    });
    expect(await take({ devices: [deviceTold(seen(1))] })).toMatchObject({ added: 1, updated: 0 });
    expect(await take({ devices: [deviceTold(seen(2))] })).toMatchObject({ added: 0, updated: 0, unchanged: 0 });
    const [kept] = await rows(
      t.deps.db,
      sql`select (details ->> 'temperature')::int as temperature from vendor_devices where vendor_id = 'G1'`,
    );
    expect(kept).toEqual({ temperature: 2 });
    const renamed = deviceTold({ ...seen(2), name: 'Lobby machine two' });
    expect(await take({ devices: [renamed] })).toMatchObject({ added: 0, updated: 1 });
  });

  it('what a partner reported is closed once, by name, and stays closed when it is told again', async () => {
    const alert = {
      ...{
        vendorId: 'E1',
        deviceId: 'P3',
        integrationId: 'nayax:P3',
        alertType: 'Door',
        code: '31',
        message: 'Door open',
      },
      ...{ severity: 'high' as const, raisedAt: now(), resolvedAt: null, raw: {} },
    };
    await take({ alerts: [alert] });
    const [row] = await rows<{ id: number }>(t.deps.db, sql`select id from vendor_alerts where vendor_id = 'E1'`);
    const path = `/api/integrations/alerts/${row?.id}/close`;
    expect((await worker.call('POST', path)).statusCode).toBe(403);
    const first = (await manager.call('POST', path)).json();
    expect(first.resolvedBy).toBeTruthy();
    t.setNow(new Date(now().getTime() + minuteMs));
    expect((await manager.call('POST', path)).json()).toEqual(first);
    await take({ alerts: [{ ...alert, message: 'Door open since 3:00' }] });
    const [after] = await rows(
      t.deps.db,
      sql`select message, resolved_at is not null as over from vendor_alerts where vendor_id = 'E1'`,
    );
    expect(after).toEqual({ message: 'Door open since 3:00', over: true });
    expect((await manager.call('GET', '/api/vending-machine-alerts')).json()).toEqual([]);
    expect((await manager.call('POST', '/api/integrations/alerts/999999/close')).statusCode).toBe(404);
  });

  it('a sale that names its slot alone is said to be of what stood there, also when the slot holds something else later', async () => {
    const machine = await buildMachine(t.deps.db, { name: 'Nameless', machineId: 'NAME-1' });
    const slot = await buildSlot(t.deps.db, machine.id, {
      ...{ slotNumber: '4', productName: 'Pretzels', price: '1.75', createdAt: new Date('2026-01-01T00:00:00Z') },
    });
    const device = deviceTold({ vendorId: 'P40', integrationId: 'nayax:P40', machineNumber: 'NAME-1' });
    const sold = {
      deviceId: 'P40',
      slotNumber: '4',
      unitPrice: '1.75',
      amount: '1.75',
      productName: null,
      soldAt: now(),
    };
    const sale = saleTold({ vendorId: 'nameless', configId: config.id, ...sold });
    expect(await take({ devices: [device], sales: [sale] })).toMatchObject({ booked: 1 });
    const said = () =>
      rows(
        t.deps.db,
        sql`select product_name as product from payments where payment_id = 'nameless' and origin = 'partner'`,
      );
    expect(await said()).toEqual([{ product: 'Pretzels' }]);
    await t.deps.db.execute(sql`update vending_machine_inventory set product_name = 'Gum' where id = ${slot.id}`);
    expect(await said()).toEqual([{ product: 'Pretzels' }]);
  });

  it('a machine that sells was heard of then, also when nothing else is told of it; what it sold before is no news', async () => {
    const machine = await buildMachine(t.deps.db, { name: 'Teller', machineId: 'TELLS-1' });
    await buildSlot(t.deps.db, machine.id, { slotNumber: 'A1', productName: 'Cola', price: '1.50' });
    const device = { vendorId: 'tells', integrationId: 'moma:tells', machineNumber: 'TELLS-1', lastSeenAt: null };
    await take({ devices: [deviceTold(device)] });
    const sellAt = async (id: string, soldAt: string) => {
      const sale = { vendorId: id, deviceId: 'tells', slotNumber: 'A1', soldAt: new Date(soldAt) };
      expect(await take({ sales: [saleTold({ configId: config.id, ...sale })] }, now())).toMatchObject({ booked: 1 });
      return (await manager.call('GET', `/api/vending-machines/${machine.id}`)).json().lastSeen;
    };
    expect(await sellAt('tells-1', '2026-03-12T13:00:00Z')).toBe('2026-03-12T13:00:00.000Z');
    expect(await sellAt('tells-2', '2026-03-12T12:00:00Z')).toBe('2026-03-12T13:00:00.000Z');
    expect(await sellAt('tells-3', '2026-03-12T13:30:00Z')).toBe('2026-03-12T13:30:00.000Z');
  });

  it('a sale of weeks ago is no news of a machine that nobody has heard of: it is not silent since then', async () => {
    const machine = await buildMachine(t.deps.db, { name: 'Unheard', machineId: 'UNHEARD-1' });
    await buildSlot(t.deps.db, machine.id, { slotNumber: 'A1', productName: 'Cola', price: '1.50' });
    const device = { vendorId: 'unheard', integrationId: 'moma:unheard', machineNumber: 'UNHEARD-1', lastSeenAt: null };
    await take({ devices: [deviceTold(device)] });
    const sellAt = async (id: string, soldAt: string) => {
      const sale = { vendorId: id, deviceId: 'unheard', slotNumber: 'A1', soldAt: new Date(soldAt) };
      expect(await take({ sales: [saleTold({ configId: config.id, ...sale })] })).toMatchObject({ booked: 1 });
      return (await manager.call('GET', `/api/vending-machines/${machine.id}`)).json().lastSeen;
    };
    expect(await sellAt('unheard-1', '2026-01-31T13:00:00Z')).toBeNull();
    expect(await sellAt('unheard-2', '2026-03-12T13:00:00Z')).toBe('2026-03-12T13:00:00.000Z');
  });
});
