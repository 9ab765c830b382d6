import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildRoute, buildSlot, buildStop, buildUser } from '../testing/factories.ts';
import type { Person } from '../testing/test-app.ts';

import { type Fields, fieldPhone } from './testing/field-phone.ts';

onEachDatabase('events of a route', (open) => {
  const phone = fieldPhone(open);
  const { ago, dayOf, event, push } = phone;

  const planned = async (stops = 2) => {
    const { db } = phone.test.deps;
    const date = new Date(phone.test.deps.clock.now()).toISOString().slice(0, 10);
    const route = await buildRoute(db, { date, routeDesignation: '101', driverId: phone.driverId });
    const ids: number[] = [];
    for (let n = 0; n < stops; n++) {
      const place = await buildMachine(db, { routeDesignation: '101' });
      const fields = {
        stopOrder: n + 1,
        vendingMachineId: place.id,
        locationName: place.name,
        locationType: 'vending_machine',
      };
      ids.push((await buildStop(db, route.id, { ...fields, legDurationMin: 10, serviceMin: 20 })).id);
    }
    return { id: route.id, stops: ids };
  };
  const routeNow = async (id: number) => (await phone.manager.call('GET', `/api/routes/${id}`)).json();
  const step = (route: { id: number }, stopId: number | undefined, type: string, more: Fields = {}) =>
    event({ type, routeId: route.id, stopId, ...more });

  it('a day driven without signal arrives in one batch: started, stops done, one left out, route completed', async () => {
    const route = await planned();
    const [first, second] = route.stops;
    const results = await push(phone.driver, [
      event({ type: 'route-started', routeId: route.id, occurredAtClient: ago(90) }),
      step(route, first, 'stop-arrived', { occurredAtClient: ago(80) }),
      step(route, first, 'stop-completed', { occurredAtClient: ago(60) }),
      step(route, second, 'stop-skipped', { reason: 'Closed', occurredAtClient: ago(40) }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied', 'applied']);
    const now = await routeNow(route.id);
    expect(now).toMatchObject({ status: 'completed', completedStops: 1 });
    const minutesAgo = (at: string): number =>
      Math.round((phone.test.deps.clock.now().getTime() - Date.parse(at)) / 60_000);
    expect([minutesAgo(now.startedAt), minutesAgo(now.stops[0].actualArrival)]).toEqual([90, 80]);
    expect(now.stops[1]).toMatchObject({ completed: false, skippedReason: 'Closed' });
  });

  it('sent twice, a step counts once', async () => {
    const route = await planned();
    const done = step(route, route.stops[0], 'stop-completed');
    expect((await push(phone.driver, [done]))[0]?.status).toBe('applied');
    expect((await push(phone.driver, [done]))[0]?.status).toBe('duplicate');
    expect((await push(phone.driver, [{ ...done, stopId: route.stops[1] }]))[0]?.status).toBe('rejected');
    expect(await routeNow(route.id)).toMatchObject({ completedStops: 1 });
  });

  it('what is left is expected from where the driver is, and the plan stays', async () => {
    const route = await planned(3);
    const before = await routeNow(route.id);
    // A device of its own: events of one device never go back in time.
    await push(
      phone.driver,
      [step(route, route.stops[0], 'stop-completed', { occurredAtClient: ago(5) })],
      randomUUID(),
    );
    const { stops } = await routeNow(route.id);
    const expected = stops.map((stop: { expectedArrival: string | null }) => stop.expectedArrival);
    const minutesFromNow = expected.map((at: string | null) =>
      at === null ? null : Math.round((Date.parse(at) - phone.test.deps.clock.now().getTime()) / 60_000),
    );
    expect(minutesFromNow.slice(1)).toEqual([5, 35]);
    const plan = (of: { stops: { estimatedArrival: string }[] }) =>
      of.stops.map(({ estimatedArrival }) => estimatedArrival);
    expect(plan(await routeNow(route.id))).toEqual(plan(before));
  });

  it('a stop completed by mistake can be taken back, and with it the end of the route', async () => {
    const route = await planned(1);
    await push(phone.driver, [step(route, route.stops[0], 'stop-completed')]);
    expect(await routeNow(route.id)).toMatchObject({ status: 'completed' });
    await push(phone.driver, [step(route, route.stops[0], 'stop-reopened')]);
    expect(await routeNow(route.id)).toMatchObject({ status: 'in_progress', completedStops: 0 });
  });

  it('a stop taken off in the office, an unknown route and the route of somebody else are held with a sentence', async () => {
    const route = await planned();
    const stranger = await phone.test.as((await buildUser(phone.test.deps.db, { routeDesignation: '505' })).id);
    const [gone] = await push(phone.driver, [step(route, 999_999, 'stop-completed')]);
    expect(gone).toMatchObject({ status: 'rejected', reason: expect.stringContaining('taken off the route') });
    const [unknown] = await push(phone.driver, [step({ id: 999_999 }, 1, 'stop-completed')]);
    expect(unknown?.status).toBe('rejected');
    const [foreign] = await push(stranger, [step(route, route.stops[0], 'stop-completed')], randomUUID());
    expect(foreign).toMatchObject({ status: 'rejected', reason: expect.stringContaining('not yours') });
    expect(await routeNow(route.id)).toMatchObject({ completedStops: 0 });
  });

  it('a step that holds already changes nothing, whichever phone says it', async () => {
    const route = await planned();
    const done = () => step(route, route.stops[0], 'stop-completed');
    expect((await push(phone.driver, [done()]))[0]?.status).toBe('applied');
    expect((await push(phone.driver, [done()], randomUUID()))[0]?.status).toBe('applied');
    expect(await routeNow(route.id)).toMatchObject({ completedStops: 1, status: 'in_progress' });
  });

  it('an arrival and a start by mistake are taken back; once something was done the start stands', async () => {
    const route = await planned();
    await push(phone.driver, [
      event({ type: 'route-started', routeId: route.id }),
      step(route, route.stops[0], 'stop-arrived'),
      step(route, route.stops[0], 'arrival-undone'),
    ]);
    expect((await routeNow(route.id)).stops[0].actualArrival).toBeNull();
    await push(phone.driver, [event({ type: 'start-undone', routeId: route.id })]);
    const undone = await routeNow(route.id);
    expect(undone).toMatchObject({ status: 'planned', startedAt: null });
    expect(undone.stops.map((one: { expectedArrival: string | null }) => one.expectedArrival)).toEqual([null, null]);
    await push(phone.driver, [step(route, route.stops[0], 'stop-completed')]);
    const [late] = await push(phone.driver, [event({ type: 'start-undone', routeId: route.id })]);
    expect(late).toMatchObject({ status: 'rejected', reason: expect.stringContaining('its start stands') });
    expect(await routeNow(route.id)).toMatchObject({ status: 'in_progress' });
  });

  it('a route is completed by hand once each stop is done or skipped, and not before', async () => {
    const route = await planned();
    const complete = () => event({ type: 'route-completed', routeId: route.id });
    const [early] = await push(phone.driver, [step(route, route.stops[0], 'stop-completed'), complete()].slice(1));
    expect(early).toMatchObject({ status: 'rejected', reason: expect.stringContaining('2 stops are still open') });
    const results = await push(phone.driver, [
      ...route.stops.map((id) => step(route, id, 'stop-skipped', { reason: 'No time' })),
      complete(),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
    const now = await routeNow(route.id);
    expect(now).toMatchObject({ status: 'completed', completedStops: 0 });
    expect(now.stops.map((one: { skippedReason: string }) => one.skippedReason)).toEqual(['No time', 'No time']);
  });

  it('a route given to somebody else meanwhile keeps what its driver did before, and holds what came after', async () => {
    const route = await planned();
    const other = await buildUser(phone.test.deps.db, { routeDesignation: '606' });
    await phone.test.deps.db.execute(
      sql`update routes set driver_id = ${other.id}, route_designation = '606' where id = ${route.id}`,
    );
    await phone.test.deps.db.execute(
      sql`update entitlement_history set valid_to = ${ago(30)} where kind = 'route' and subject_id = ${route.id} and value = ${String(phone.driverId)}`,
    );
    await phone.test.deps.db.execute(
      sql`update entitlement_history set valid_from = ${ago(600)} where kind = 'route' and subject_id = ${route.id} and value = ${String(phone.driverId)}`,
    );
    const results = await push(
      phone.driver,
      [
        step(route, route.stops[0], 'stop-completed', { occurredAtClient: ago(45) }),
        step(route, route.stops[1], 'stop-completed', { occurredAtClient: ago(15) }),
      ],
      randomUUID(),
    );
    expect(results[0]?.status).toBe('applied');
    expect(results[1]).toMatchObject({ status: 'rejected', reason: expect.stringContaining('not yours') });
    const { stops } = await routeNow(route.id);
    expect(stops.map((one: { completed: boolean }) => one.completed)).toEqual([true, false]);
  });

  const dayEnd = (fields: Fields = {}) =>
    event({
      type: 'day-ended',
      date: '2026-03-02',
      routeIds: [1],
      returns: [{ productName: 'Cola', reason: 'unused', units: 12 }],
      bagNumbers: ['B-1', 'B-2'],
      unitsFilled: 140,
      unsent: 3,
      ...fields,
    });
  const dayEnds = async (who: Person, date = '2026-03-02') =>
    (await who.call('GET', `/api/day-ends?date=${date}`)).json();

  it('a finished day is kept once, a later word replaces it and an older one does not', async () => {
    const first = dayEnd({ occurredAtClient: ago(20) });
    expect((await push(phone.driver, [first], randomUUID()))[0]?.status).toBe('applied');
    expect((await push(phone.driver, [first], randomUUID()))[0]?.status).toBe('duplicate');
    const later = dayEnd({ occurredAtClient: ago(5), returns: [], unsent: 0 });
    await push(phone.driver, [later], randomUUID());
    await push(phone.driver, [dayEnd({ occurredAtClient: ago(15), unitsFilled: 1 })], randomUUID());
    const found = (await dayEnds(phone.manager)).filter((one: { personId: number }) => one.personId === phone.driverId);
    expect(found).toMatchObject([
      { eventId: later.eventId, returns: [], bagNumbers: ['B-1', 'B-2'], unitsFilled: 140, unsent: 0 },
    ]);
    expect(await dayEnds(phone.manager, '2026-03-03')).toEqual([]);
  });

  it('a person reads back the own work of a day, from whatever phone, and the bags of its visits', async () => {
    const item = (await buildSlot(phone.test.deps.db, phone.machineId, { productName: 'Cola', currentQuantity: 4 })).id;
    const visitId = randomUUID();
    const location = { type: 'vending_machine', id: phone.machineId };
    const filled = (quantity: number, minutes: number) => {
      const stock = { itemType: 'machine_slot', itemId: item, kind: 'restock', quantity, shown: 4, reason: 'fill' };
      return event({ ...stock, visitId, location, occurredAtClient: ago(minutes) });
    };
    const [first, second] = [filled(3, 20), filled(2, 20)];
    const visited = event({
      ...{ type: 'visit', visitId, location, routeId: null, stopId: null, bagNumber: 'B-9', note: null, refunds: null },
      ...{ openedAtClient: ago(30), closedAtClient: ago(10), photoIds: [], position: null },
    });
    const results = [
      ...(await push(phone.driver, [first], randomUUID())),
      ...(await push(phone.driver, [second, visited], randomUUID())),
    ];
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
    const date = await dayOf(first);
    const workOf = async (who: Person) => (await who.call('GET', `/api/day-work?date=${date}`)).json();
    const work = await workOf(phone.driver);
    expect(work.movements.filter((one: { itemId: number }) => one.itemId === item)).toMatchObject(
      [first, second].map((one) => ({ eventId: one.eventId, visitId, productName: 'Cola', quantity: one.quantity })),
    );
    expect(work.visits).toContainEqual({ visitId, bagNumber: 'B-9' });
    expect(await workOf(phone.manager)).toMatchObject({ movements: [], visits: [] });
  });

  it('a finished day that cannot be read is held with a sentence', async () => {
    const bad = dayEnd({ returns: [{ productName: 'Cola', reason: 'unused', units: 0 }] });
    expect((await push(phone.driver, [bad]))[0]).toMatchObject({
      status: 'rejected',
      reason: expect.stringContaining('could not be read'),
    });
    expect((await phone.driver.call('GET', '/api/day-ends?date=2026-02-31')).statusCode).toBe(400);
  });

  it('a driver sees the own finished day alone', async () => {
    const stranger = await phone.test.as((await buildUser(phone.test.deps.db, { routeDesignation: '505' })).id);
    await push(stranger, [dayEnd()], randomUUID());
    expect(await dayEnds(stranger)).toHaveLength(1);
    const own: { personId: number }[] = await dayEnds(phone.driver);
    expect(own.map((one) => one.personId)).toEqual([phone.driverId]);
  });
});
