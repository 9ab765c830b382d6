import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { raiseAlerts } from '../alerts/service.ts';
import { noteProblem } from '../integrations/service.ts';
import { integrationConfigs } from '../integrations/tables.ts';
import { countConflicts, heldEvents } from '../inventory/tables.ts';
import { salesDaily } from '../sales/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildRoute, buildSlot, buildStop } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { nobody, type Person, type TestApp, testApp } from '../testing/test-app.ts';

const minutesAgo = (minutes: number) => new Date(Date.parse('2026-03-12T15:00:00Z') - minutes * 60_000);
const day = 24 * 60;

onEachDatabase('Dashboard', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;
  let workerId: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker, workerId } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  const stats = async (person: Person) => (await person.call('GET', '/api/dashboard/stats')).json();
  const top = async (person: Person) => (await person.call('GET', '/api/dashboard/top-products')).json();
  const exceptions = async (person: Person) => (await person.call('GET', '/api/dashboard/exceptions')).json();
  const of = async (person: Person, kind: string) =>
    (await exceptions(person)).rows.filter((row: { kind: string }) => row.kind === kind);

  it('an empty installation says so in words and zeros', async () => {
    expect(await stats(manager)).toEqual({
      totalMarkets: 0,
      lowStockAlerts: 0,
      todayRoute: 'No route',
      avgDeliveryTime: '0h',
      marketsByStatus: { active: 0, maintenance: 0, inactive: 0 },
      stopsToday: 0,
      stopsDoneToday: 0,
      lateRoutes: 0,
      plannedDeliveryTime: '0h',
      deliveryDays: [],
    });
    expect(await top(manager)).toEqual([]);
    expect(await exceptions(manager)).toEqual({ total: 0, rows: [] });
  });

  it('markets and low stock are counted in scope, as the low-stock list has them', async () => {
    const own = await buildMarket(t.deps.db, { routeDesignation: '101' });
    const other = await buildMarket(t.deps.db, { routeDesignation: '202', status: 'maintenance' });
    await buildItem(t.deps.db, own.id, { currentQuantity: 10 });
    await buildItem(t.deps.db, other.id, { currentQuantity: 10 });
    await buildItem(t.deps.db, other.id, { currentQuantity: 11 });
    expect(await stats(manager)).toMatchObject({
      totalMarkets: 2,
      lowStockAlerts: (await manager.call('GET', '/api/inventory/low-stock')).json().length,
      marketsByStatus: { active: 1, maintenance: 1, inactive: 0 },
    });
    expect(await stats(worker)).toMatchObject({ totalMarkets: 1, lowStockAlerts: 1 });
  });

  it("today's route is its name, several are counted, and stops done follow", async () => {
    const own = await buildRoute(t.deps.db, { name: 'Downtown', driverId: workerId });
    await buildStop(t.deps.db, own.id, { marketId: 1, completed: true });
    await buildStop(t.deps.db, own.id, { marketId: 1 });
    await buildRoute(t.deps.db, { name: 'Tomorrow', date: '2026-03-13' });
    expect(await stats(manager)).toMatchObject({ todayRoute: 'Downtown', stopsToday: 2, stopsDoneToday: 1 });
    await buildRoute(t.deps.db, { name: 'Harbour', routeDesignation: '202' });
    expect((await stats(manager)).todayRoute).toBe('2 routes');
    expect((await stats(worker)).todayRoute).toBe('Downtown');
  });

  it('a route of today is late by its next stop, and under way by the last one it came to', async () => {
    const late = async () => (await stats(manager)).lateRoutes;
    const stop = (routeId: number, fields: Parameters<typeof buildStop>[2]) =>
      buildStop(t.deps.db, routeId, { marketId: 1, ...fields });
    const before = await late();
    const planned = await buildRoute(t.deps.db, { status: 'planned' });
    // The order of stops is what counts, not that of their making; what is left out is not waited for.
    await stop(planned.id, { stopOrder: 2, estimatedArrival: minutesAgo(15) });
    await stop(planned.id, { stopOrder: 1, estimatedArrival: minutesAgo(200), skippedReason: 'Closed' });
    expect(await late()).toBe(before);
    await stop(planned.id, { stopOrder: 1, estimatedArrival: minutesAgo(16) });
    expect(await late()).toBe(before + 1);
    const came = { estimatedArrival: minutesAgo(100), actualArrival: minutesAgo(84), completed: true };
    const underWay = await buildRoute(t.deps.db, { status: 'in_progress' });
    await stop(underWay.id, { stopOrder: 1, ...came });
    await stop(underWay.id, { stopOrder: 3, estimatedArrival: minutesAgo(-60) });
    expect(await late()).toBe(before + 2);
    await stop(underWay.id, { stopOrder: 2, ...came, actualArrival: minutesAgo(100) });
    expect(await late()).toBe(before + 1);
    const ended = await buildRoute(t.deps.db, { status: 'completed' });
    await stop(ended.id, { stopOrder: 1, ...came });
    expect(await late()).toBe(before + 1);
  });

  it('the delivery time is the mean of routes completed in the last 30 days', async () => {
    const done = (startedAt: Date, completedAt: Date, estimatedTime: number) => {
      const date = completedAt.toISOString().slice(0, 10);
      return buildRoute(t.deps.db, { date, status: 'completed', startedAt, completedAt, estimatedTime });
    };
    await done(minutesAgo(day + 480), minutesAgo(day), 420);
    await done(minutesAgo(29 * day + 240), minutesAgo(29 * day), 300);
    await done(minutesAgo(30 * day + 900), minutesAgo(30 * day), 900);
    await done(minutesAgo(29 * day + 200), minutesAgo(29 * day - 40), 300);
    expect(await stats(manager)).toMatchObject({
      avgDeliveryTime: '5h 20m',
      plannedDeliveryTime: '5h 40m',
      deliveryDays: [
        { day: '2026-02-11', minutes: 240 },
        { day: '2026-03-11', minutes: 480 },
      ],
    });
    const { deliveryTime } = (await manager.call('GET', '/api/reports/route?range=month')).json();
    expect(deliveryTime).toEqual({ actualMin: 320, plannedMin: 340 });
    expect((await stats(worker)).avgDeliveryTime).toBe('0h');
  });

  it('top products are the five best sellers of 30 days, each with its share of the best', async () => {
    const sale = (productName: string, units: number, on: string, routeDesignation = '202') => ({
      day: on,
      routeDesignation,
      productName,
      paymentMethod: 'card',
      units,
      amount: '1.00',
      lines: units,
    });
    await t.deps.db
      .insert(salesDaily)
      .values([
        sale('Cola', 30, '2026-03-12'),
        sale('Cola', 10, '2026-03-11', '101'),
        sale('Chips', 20, '2026-02-11'),
        sale('Old', 99, '2026-02-10'),
        ...['A', 'B', 'C', 'D'].map((name, at) => sale(name, 4 - at, '2026-03-10')),
      ]);
    const cola = (await manager.call('POST', '/api/products', { body: { name: 'cola' } })).json();
    const list = await top(manager);
    expect(list.slice(0, 2)).toEqual([
      { productName: 'Cola', productId: cola.id, units: 40, share: 1 },
      { productName: 'Chips', productId: null, units: 20, share: 0.5 },
    ]);
    expect(list).toHaveLength(5);
    expect(await top(worker)).toEqual([{ productName: 'Cola', productId: cola.id, units: 10, share: 1 }]);
  });

  it('a route under way with a stop overdue by more than 15 minutes is one exception', async () => {
    const { id } = await buildRoute(t.deps.db, {
      status: 'in_progress',
      driverId: workerId,
      startedAt: minutesAgo(300),
    });
    const market = await buildMarket(t.deps.db, { routeDesignation: '101' });
    const stop = (waitedMin: number, completed = false) =>
      buildStop(t.deps.db, id, { marketId: market.id, estimatedArrival: minutesAgo(waitedMin), completed });
    await stop(14);
    await stop(200, true);
    expect(await of(worker, 'late')).toEqual([]);
    await stop(70);
    await stop(20);
    expect(await of(worker, 'late')).toEqual([
      expect.objectContaining({
        key: `late:${id}`,
        severity: 'high',
        message: '70 min late, 2 stops waiting',
        place: market.name,
        location: { type: 'market', id: market.id },
      }),
    ]);
  });

  it('a machine is silent when it was heard of once and not for a day', async () => {
    const seen = (lastSeen: Date | null) => buildMachine(t.deps.db, { routeDesignation: '101', lastSeen });
    await seen(null);
    await seen(minutesAgo(23 * 60));
    const silent = await seen(minutesAgo(3 * day));
    expect(await of(worker, 'silent')).toEqual([
      expect.objectContaining({ severity: 'high', message: 'Not heard of for 3 days', place: silent.name }),
    ]);
  });

  it('a silent machine is as grave as its alert', async () => {
    const url = '/api/vending-machine-alerts/rules';
    const { version, ...before } = (await manager.call('GET', url)).json();
    const save = (body: object, seen: number) =>
      manager.call('PUT', url, { body, headers: { 'if-match': `"${seen}"` } });
    const critical = { ...before.rules, silent: { ...before.rules.silent, severity: 'critical' } };
    const saved = await save({ ...before, rules: critical }, version);
    expect(saved.statusCode).toBe(200);
    const alerts = (await manager.call('GET', '/api/vending-machine-alerts')).json();
    const raised = alerts.filter((one: { alertType: string }) => one.alertType === 'silent');
    const severities = [...(await of(manager, 'silent')), ...raised].map((one) => one.severity);
    expect(severities).toEqual(['critical', 'critical']);
    await save(before, saved.json().version);
  });

  it('a partner that cannot be read is told to whom its figures matter, with what is wrong, but not that it asked to wait', async () => {
    const [name, publicId] = ['Card readers', randomUUID().replaceAll('-', '')];
    const wrong = { problem: 'Nayax refused the token.', problemKind: 'auth', problemAt: minutesAgo(90) };
    await t.deps.db.insert(integrationConfigs).values({ system: 'nayax', name, publicId, ...wrong });
    expect(await of(manager, 'partner')).toEqual([
      expect.objectContaining({ severity: 'high', message: wrong.problem, place: name, location: null }),
    ]);
    expect(await of(worker, 'partner')).toEqual([]);
    const set = (change: Partial<typeof integrationConfigs.$inferInsert>) =>
      t.deps.db.update(integrationConfigs).set(change);
    // Whoever put it into maintenance knows that it does not work.
    const quiet = [{ problemKind: 'rate-limit' }, { problemKind: 'down', isActive: false }, { status: 'maintenance' }];
    for (const change of quiet) {
      await set({ isActive: true, ...change });
      expect(await of(manager, 'partner')).toEqual([]);
    }
    await set({ status: 'active' });
    expect(await of(manager, 'partner')).toEqual([expect.objectContaining({ severity: 'medium' })]);
    await t.deps.db.delete(integrationConfigs);
  });

  it('a partner fails since it began to, whatever it says meanwhile, and not since it asked to wait', async () => {
    const { db } = t.deps;
    const values = { system: 'nayax', name: 'Card readers', publicId: randomUUID().replaceAll('-', '') };
    const [config] = await db.insert(integrationConfigs).values(values).returning();
    const note = (kind: string, ago: number) =>
      noteProblem(db, config?.id ?? 0, { kind, sentence: `Nayax said ${ago}.` }, minutesAgo(ago));
    const begun = async () => (await of(manager, 'partner')).map(({ since }: { since: string }) => since);
    await note('rate-limit', 90);
    await note('down', 60);
    await note('bad-data', 30);
    expect(await begun()).toEqual([minutesAgo(60).toISOString()]);
    await db.delete(integrationConfigs);
  });

  it('sold-out slots are told per machine', async () => {
    const machine = await buildMachine(t.deps.db, { routeDesignation: '202' });
    for (const currentQuantity of [0, 0, 0, 0, 1]) await buildSlot(t.deps.db, machine.id, { currentQuantity });
    expect(await of(manager, 'sold-out')).toEqual([
      expect.objectContaining({
        severity: 'high',
        message: '4 slots sold out',
        location: { type: 'vending_machine', id: machine.id },
      }),
    ]);
    expect(await of(worker, 'sold-out')).toEqual([]);
  });

  it('severe alerts are listed until someone takes note', async () => {
    const { id: machineId } = await buildMachine(t.deps.db, { routeDesignation: '101' });
    const alert = { machineId, slotId: null, message: 'Door open' };
    await raiseAlerts(t.deps.db, [
      { ...alert, alertType: 'door', severity: 'critical' },
      { ...alert, alertType: 'temperature', severity: 'low' },
    ]);
    const [found, ...rest] = await of(worker, 'alert');
    expect(found).toMatchObject({ severity: 'critical', message: 'Door open' });
    expect(rest).toEqual([]);
    await worker.call('POST', `/api/vending-machine-alerts/${found.key.split(':')[1]}/acknowledge`);
    expect(await of(worker, 'alert')).toEqual([]);
  });

  it('differing counts and events that were not booked wait for a person', async () => {
    const market = await buildMarket(t.deps.db, { routeDesignation: '202' });
    const item = await buildItem(t.deps.db, market.id, { productName: 'Cola' });
    const pair = { firstEventId: randomUUID(), firstQuantity: 3, secondEventId: randomUUID(), secondQuantity: 5 };
    await t.deps.db.insert(countConflicts).values({ itemType: 'market_item', itemId: item.id, ...pair });
    const held = { status: 'rejected', reason: 'Not on your route', payloadHash: 'x' };
    const event = { itemType: 'market_item', itemId: item.id };
    await t.deps.db.insert(heldEvents).values([
      { ...held, eventId: randomUUID(), actorId: workerId, event },
      { ...held, eventId: randomUUID(), actorId: null, event: { itemId: 'nonsense' } },
    ]);
    expect(await of(manager, 'count-conflict')).toEqual([
      expect.objectContaining({ message: 'Cola: counted as 3 and as 5 within half an hour', place: market.name }),
    ]);
    expect(await of(manager, 'refused')).toHaveLength(2);
    expect(await of(worker, 'count-conflict')).toEqual([]);
    expect((await of(worker, 'refused')).map((row: { message: string }) => row.message)).toEqual([
      'Cola: Not on your route',
    ]);
  });

  it('a thousand machines and more with sold-out slots are counted anew after five seconds, fewer at once', async () => {
    const machine = await buildMachine(t.deps.db, { name: 'Bare' });
    await buildSlot(t.deps.db, machine.id, { currentQuantity: 0 });
    const total = async () => (await exceptions(manager)).total;
    const before = await total();
    const start = t.deps.clock.now().getTime();
    await t.deps.db.execute(sql`
      insert into vending_machines (name, machine_id, location, address, latitude, longitude, capacity, status, empty_slots)
      select 'Bare ' || n, 'BARE-' || n, location, address, latitude, longitude, capacity, status, 1
      from vending_machines, generate_series(1, 1000) n where id = ${machine.id}`);
    expect(await total()).toBe(before + 1000);
    await t.deps.db.execute(sql`update vending_machines set empty_slots = 0 where name = 'Bare 1'`);
    expect(await total()).toBe(before + 1000);
    t.setNow(new Date(start + 5_000));
    expect(await total()).toBe(before + 999);
    await t.deps.db.execute(sql`delete from vending_machines where name like 'Bare %'`);
    t.setNow(new Date(start + 10_000));
    expect(await total()).toBe(before);
    await t.deps.db.execute(sql`delete from vending_machines where id = ${machine.id}`);
    expect(await total()).toBe(before - 1);
    t.setNow(new Date(start));
  });

  it('exceptions come worst first, at most fifty, with the number of all', async () => {
    const values = Array.from({ length: 60 }, (_, n) => ({ name: `Dark ${n}`, lastSeen: minutesAgo(8 * day + n) }));
    for (const value of values) await buildMachine(t.deps.db, value);
    const { total, rows } = await exceptions(manager);
    expect(rows).toHaveLength(50);
    expect(total).toBeGreaterThanOrEqual(60);
    expect(rows[0]).toMatchObject({ severity: 'high', place: 'Dark 59' });
    await t.deps.db.execute(sql`delete from vending_machines where name like 'Dark %'`);
  });

  it('nobody reads the dashboard without signing in', async () => {
    for (const path of ['dashboard/stats', 'dashboard/top-products', 'dashboard/exceptions', 'search?q=a']) {
      expect((await nobody(t.app).call('GET', `/api/${path}`)).statusCode).toBe(401);
    }
  });
});
