import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../db/database.ts';
import { loadOperator } from '../demo/load.ts';
import { carryForward } from '../demo/service.ts';
import { recordFirstCount } from '../inventory/service.ts';
import { recordSales, type Sale } from '../sales/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMachine, buildRoute, buildSlot, buildStop, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { measureNeed } from './measure.ts';
import { itemDays } from './tables.ts';

const dayMs = 86_400_000;
/** A Monday, noon in New York. */
const now = new Date('2026-03-16T16:00:00Z');

onEachDatabase('what locations need', (open) => {
  let test: TestApp;
  let manager: Person;
  let serial = 0;
  beforeAll(async () => {
    test = await testApp(open);
    test.setNow(now);
    manager = await test.as((await buildUser(test.database.db, { role: 'route_manager' })).id);
  });
  afterAll(() => test.close());

  /** A machine whose one slot sold `perDay` units on each of the last 20 days and holds `left` now. */
  async function sellingMachine(perDay: number, left: number, fields: Parameters<typeof buildMachine>[1] = {}) {
    const machine = await buildMachine(test.database.db, fields);
    const created = new Date(now.getTime() - 21 * dayMs);
    const slot = await buildSlot(test.database.db, machine.id, {
      productName: 'Cola',
      price: '2.00',
      maxQuantity: 20,
      createdAt: created,
    });
    const count = { itemType: 'machine_slot' as const, itemId: slot.id, quantity: left + 20 * perDay, actorId: null };
    await test.database.db.transaction((tx) => recordFirstCount(tx, { ...count, at: created }));
    const sales = Array.from({ length: 20 }, (_, back): Sale => soldAt(machine.id, slot.slotNumber, perDay, back + 1));
    await test.database.db.transaction((tx) => recordSales(tx, sales, now));
    return { machine, slot };
  }

  function soldAt(machineId: number, slotNumber: string, quantity: number, daysBack: number): Sale {
    serial += 1;
    return {
      source: 'test',
      transactionId: `N${serial}`,
      line: null,
      machineId,
      marketId: null,
      slotNumber,
      productName: null,
      productCode: null,
      category: null,
      quantity,
      price: '2.00',
      totalAmount: (2 * quantity).toFixed(2),
      currency: 'USD',
      paymentMethod: 'cash',
      soldAt: new Date(now.getTime() - daysBack * dayMs),
      successful: true,
      refunded: false,
      flags: null,
    };
  }

  async function plannedVisit(machineId: number, date: string) {
    const route = await buildRoute(test.database.db, { date, status: 'planned' });
    await buildStop(test.database.db, route.id, { vendingMachineId: machineId });
  }

  it('say what runs out before the next planned visit, what is lost until then and what to load', async () => {
    const { machine, slot } = await sellingMachine(2, 6);
    await plannedVisit(machine.id, '2026-03-21');
    await plannedVisit(machine.id, '2026-03-28');
    const answer = (await manager.call('GET', `/api/location-need?type=vending_machine&id=${machine.id}`)).json();
    expect(answer.location).toMatchObject({
      nextVisit: '2026-03-21',
      nextVisitPlanned: true,
      visitAfter: '2026-03-28',
      runningOut: 1,
      fillUnits: 20,
      why: ['Cola runs out Thursday; next visit Saturday.'],
    });
    expect(answer.items).toMatchObject([{ id: slot.id, onHand: 6, par: 20, runsOut: '2026-03-19' }]);
    const [item] = answer.items;
    expect(item.perDay).toBeCloseTo(2, 0);
    // Ten units asked for, six there: four or a little more are lost, at two dollars each.
    expect(Number(answer.location.lostMoney)).toBeGreaterThan(7);
    expect(Number(answer.location.lostMoney)).toBeLessThan(11);
    const paidFor = (Number(answer.location.savedMoney) * 3600) / 45;
    expect(Math.abs(answer.location.prizeSeconds - paidFor)).toBeLessThan(1);
  });

  it('load whole cases where they bring a slot nearly to its par', async () => {
    const { machine, slot } = await sellingMachine(2, 0);
    const body = { name: 'Cola by the case', caseSize: 9 };
    const { id } = (await manager.call('POST', '/api/products', { body })).json();
    await test.database.db.execute(sql`update vending_machine_inventory set product_id = ${id} where id = ${slot.id}`);
    const answer = (await manager.call('GET', `/api/location-need?type=vending_machine&id=${machine.id}`)).json();
    expect(answer.items).toMatchObject([{ par: 20, fill: 18, cases: 2 }]);
  });

  it('know of a visit that is still to come in the afternoon', async () => {
    const { machine } = await sellingMachine(2, 0);
    await plannedVisit(machine.id, '2026-03-16');
    const answer = (await manager.call('GET', `/api/location-need?type=vending_machine&id=${machine.id}`)).json();
    expect(answer.location).toMatchObject({ nextVisit: '2026-03-16', nextVisitPlanned: true, soldOut: 1 });
    expect(answer.location.lostMoney).toBe('0.00');
  });

  it('answer for many locations at once and leave unknown ones out', async () => {
    const one = await sellingMachine(1, 3);
    const two = await sellingMachine(1, 30);
    const reply = await manager.call('GET', `/api/needs?machines=${one.machine.id},${two.machine.id},999999`);
    const found = reply.json().locations as { id: number; lostMoney: string }[];
    expect(found.map((need) => need.id).sort((a, b) => a - b)).toEqual([one.machine.id, two.machine.id]);
    const lost = new Map(found.map((need) => [need.id, Number(need.lostMoney)]));
    expect(lost.get(one.machine.id)).toBeGreaterThan(lost.get(two.machine.id) ?? 0);
  });

  it('refuse ids that are no numbers and locations of another route', async () => {
    const { machine } = await sellingMachine(1, 3, { routeDesignation: '505' });
    expect((await manager.call('GET', '/api/needs?machines=1,x')).statusCode).toBe(400);
    const driver = await buildUser(test.database.db, { role: 'field_worker', routeDesignation: '101' });
    const other = await test.as(driver.id);
    expect((await other.call('GET', `/api/location-need?type=vending_machine&id=${machine.id}`)).statusCode).toBe(404);
    expect((await other.call('GET', `/api/needs?machines=${machine.id}`)).json().locations).toEqual([]);
  });

  it('make the pick list of a route: units and slots by stop, why, and the last note; not for another route', async () => {
    const { db } = test.database;
    const { machine, slot } = await sellingMachine(4, 2, { routeDesignation: '101' });
    const other = await sellingMachine(1, 19, { routeDesignation: '101' });
    const route = await buildRoute(db, { date: '2026-03-17', routeDesignation: '101' });
    const stopAt = async (place: typeof machine, stopOrder: number) =>
      (
        await buildStop(db, route.id, {
          stopOrder,
          vendingMachineId: place.id,
          locationName: place.name,
          locationType: 'vending_machine',
        })
      ).id;
    const stops = [await stopAt(other.machine, 2), await stopAt(machine, 1)];
    await db.execute(
      sql`insert into visits (id, vending_machine_id, device_seq, opened_at, note)
          values (gen_random_uuid(), ${machine.id}, 1, '2026-03-10T12:00:00Z', 'Coil sticks'),
            (gen_random_uuid(), ${machine.id}, 2, '2026-03-12T12:00:00Z', null)`,
    );
    const path = `/api/routes/${route.id}/pick-list`;
    const driver = await test.as((await buildUser(db, { routeDesignation: '101' })).id);
    const list = (await driver.call('GET', path)).json();
    expect(list.stops.map((one: { stopId: number }) => one.stopId)).toEqual([stops[1], stops[0]]);
    expect(list.stops[0]).toMatchObject({
      units: 20,
      items: [{ id: slot.id, productName: 'Cola', slotNumber: slot.slotNumber, fill: 20 }],
      lastNote: { at: '2026-03-10T12:00:00.000Z', text: 'Coil sticks' },
    });
    expect(list.stops[0].why.length).toBeGreaterThan(0);
    const stranger = await test.as((await buildUser(db, { routeDesignation: '505' })).id);
    expect((await stranger.call('GET', path)).statusCode).toBe(404);
    expect((await driver.call('GET', '/api/routes/abc/pick-list')).statusCode).toBe(400);
  });

  it('a plan of optional stops leaves out the one that does not pay for its way, and says so', async () => {
    const depot = await buildDepot(test.database.db, { latitude: '40.70', longitude: '-74.00' });
    const worth = await sellingMachine(8, 2, { latitude: '40.71', longitude: '-74.00' });
    const poor = await sellingMachine(1, 60, { latitude: '41.90', longitude: '-74.00' });
    const ids = [worth.machine.id, poor.machine.id];
    const plan = async (optional: boolean, vendingMachineIds = ids) =>
      (
        await manager.call('POST', '/api/routes/optimize', {
          body: { vendingMachineIds, depotId: depot.id, date: '2026-03-17', options: { optional } },
        })
      ).json();
    const whole = await plan(false);
    expect(whole.optimizedOrder).toHaveLength(2);
    const chosen = await plan(true);
    expect(chosen.optimizedOrder).toMatchObject([{ id: worth.machine.id }]);
    expect(chosen.unassigned).toMatchObject([{ id: poor.machine.id }]);
    expect(chosen.unassigned[0].reason).toMatch(/^Not worth the way: a visit saves \$\d+\.\d\d of sales, /);
    const nothing = await plan(true, [poor.machine.id]);
    expect(nothing).toMatchObject({ optimizedOrder: [], unassigned: [{ id: poor.machine.id }], totalDistance: 0 });
  });

  it('an item put in late on the evening of a day counts from that day of the operator', async () => {
    const { db } = test.database;
    const machine = await buildMachine(db);
    // 21:00 in New York on the first day of the 56 that are measured.
    const createdAt = new Date('2026-01-20T02:00:00Z');
    const slot = await buildSlot(db, machine.id, { productId: 9001, createdAt });
    await db.insert(itemDays).values({ itemType: 'machine_slot', itemId: slot.id, day: '2026-03-15', units: 56 });
    await measureNeed(test.deps);
    expect(await rows(db, sql`select per_day from need_means where product_id = 9001`)).toEqual([{ per_day: 1 }]);
  });
});

onEachDatabase('need of the synthetic operator', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(async () => {
      const database = await open();
      const clock = { now: () => now };
      const options = { profile: 'S', seed: 3, days: 40, until: '2026-03-12' } as const;
      await loadOperator({ db: database.db, clock }, options, () => {});
      return database;
    });
  });
  afterAll(() => test.close());

  const soldByDays = () =>
    rows(test.database.db, sql`select sum(units)::int as units, sum(amount) as amount from item_days`);
  const soldInSales = () =>
    rows(
      test.database.db,
      sql`select sum(quantity)::int as units, sum(total_amount) as amount from sales where successful and not refunded`,
    );

  it('is there after a load and after the demo is carried to today', async () => {
    expect(await soldByDays()).toEqual(await soldInSales());
    test.setNow(now);
    await carryForward(test.deps);
    expect(await soldByDays()).toEqual(await soldInSales());
    const last = await rows(test.database.db, sql`select max(day)::text as day from item_days where units > 0`);
    expect(last).toEqual([{ day: '2026-03-16' }]);
  });

  it('is measured against past counts', async () => {
    test.setNow(now);
    const sums = await measureNeed(test.deps);
    expect(sums.counts).toBeGreaterThan(100);
    expect(sums.absoluteError / sums.counts).toBeLessThan(4);
    const again = await measureNeed(test.deps);
    expect(again).toEqual(sums);
  });
});
