import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayIn } from '../../domain/time.ts';
import { firstRow } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildRoute, buildSlot, buildStop, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

type Fields = Record<string, unknown>;

onEachDatabase('events of a route', (open) => {
  let test: TestApp;
  let driver: Person;
  let driverId: number;
  let manager: Person;
  let machineId: number;
  const deviceId = randomUUID();
  let seq = 0;
  beforeAll(async () => {
    test = await testApp(open);
    test.setNow(new Date(Date.now() + 60_000));
    const { db } = test.deps;
    driverId = (await buildUser(db, { routeDesignation: '101' })).id;
    machineId = (await buildMachine(db, { routeDesignation: '101' })).id;
    driver = await test.as(driverId);
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
  });
  afterAll(() => test.close());

  const ago = (minutes: number): string => new Date(test.deps.clock.now().getTime() - minutes * 60_000).toISOString();
  /** The day of a movement in the books: around midnight it is not always that of the phone's clock. */
  const dayOf = async (moved: Fields | undefined): Promise<string> => {
    const found = await firstRow<{ at: string }>(
      test.deps.db,
      sql`select effective_at as at from stock_movements where event_id = ${String(moved?.eventId)}::uuid`,
    );
    return dayIn('America/New_York', new Date(found?.at ?? 0));
  };
  const event = (fields: Fields): Fields => ({
    eventId: randomUUID(),
    schemaVersion: 1,
    occurredAtClient: ago(1),
    deviceSeq: ++seq,
    lastServerTime: null,
    ...fields,
  });
  const push = async (who: Person, events: Fields[], device = deviceId) => {
    const body = { deviceId: device, sentAtClient: test.deps.clock.now().toISOString(), events };
    const reply = await who.call('POST', '/api/sync/events', { body });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json().results as { status: string; reason: string | null }[];
  };
  const planned = async (stops = 2) => {
    const { db } = test.deps;
    const date = new Date(test.deps.clock.now()).toISOString().slice(0, 10);
    const route = await buildRoute(db, { date, routeDesignation: '101', driverId });
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
  const routeNow = async (id: number) => (await manager.call('GET', `/api/routes/${id}`)).json();
  const step = (route: { id: number }, stopId: number | undefined, type: string, more: Fields = {}) =>
    event({ type, routeId: route.id, stopId, ...more });

  it('a day driven without signal arrives in one batch: started, stops done, one left out, route completed', async () => {
    const route = await planned();
    const [first, second] = route.stops;
    const results = await push(driver, [
      event({ type: 'route-started', routeId: route.id, occurredAtClient: ago(90) }),
      step(route, first, 'stop-arrived', { occurredAtClient: ago(80) }),
      step(route, first, 'stop-completed', { occurredAtClient: ago(60) }),
      step(route, second, 'stop-skipped', { reason: 'Closed', occurredAtClient: ago(40) }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied', 'applied']);
    const now = await routeNow(route.id);
    expect(now).toMatchObject({ status: 'completed', completedStops: 1 });
    const minutesAgo = (at: string): number => Math.round((test.deps.clock.now().getTime() - Date.parse(at)) / 60_000);
    expect([minutesAgo(now.startedAt), minutesAgo(now.stops[0].actualArrival)]).toEqual([90, 80]);
    expect(now.stops[1]).toMatchObject({ completed: false, skippedReason: 'Closed' });
  });

  it('sent twice, a step counts once', async () => {
    const route = await planned();
    const done = step(route, route.stops[0], 'stop-completed');
    expect((await push(driver, [done]))[0]?.status).toBe('applied');
    expect((await push(driver, [done]))[0]?.status).toBe('duplicate');
    expect((await push(driver, [{ ...done, stopId: route.stops[1] }]))[0]?.status).toBe('rejected');
    expect(await routeNow(route.id)).toMatchObject({ completedStops: 1 });
  });

  it('what is left is expected from where the driver is, and the plan stays', async () => {
    const route = await planned(3);
    const before = await routeNow(route.id);
    // A device of its own: events of one device never go back in time.
    await push(driver, [step(route, route.stops[0], 'stop-completed', { occurredAtClient: ago(5) })], randomUUID());
    const { stops } = await routeNow(route.id);
    const expected = stops.map((stop: { expectedArrival: string | null }) => stop.expectedArrival);
    const minutesFromNow = expected.map((at: string | null) =>
      at === null ? null : Math.round((Date.parse(at) - test.deps.clock.now().getTime()) / 60_000),
    );
    expect(minutesFromNow.slice(1)).toEqual([5, 35]);
    const plan = (of: { stops: { estimatedArrival: string }[] }) =>
      of.stops.map(({ estimatedArrival }) => estimatedArrival);
    expect(plan(await routeNow(route.id))).toEqual(plan(before));
  });

  it('a stop completed by mistake can be taken back, and with it the end of the route', async () => {
    const route = await planned(1);
    await push(driver, [step(route, route.stops[0], 'stop-completed')]);
    expect(await routeNow(route.id)).toMatchObject({ status: 'completed' });
    await push(driver, [step(route, route.stops[0], 'stop-reopened')]);
    expect(await routeNow(route.id)).toMatchObject({ status: 'in_progress', completedStops: 0 });
  });

  it('a stop taken off in the office, an unknown route and the route of somebody else are held with a sentence', async () => {
    const route = await planned();
    const stranger = await test.as((await buildUser(test.deps.db, { routeDesignation: '505' })).id);
    const [gone] = await push(driver, [step(route, 999_999, 'stop-completed')]);
    expect(gone).toMatchObject({ status: 'rejected', reason: expect.stringContaining('taken off the route') });
    const [unknown] = await push(driver, [step({ id: 999_999 }, 1, 'stop-completed')]);
    expect(unknown?.status).toBe('rejected');
    const [foreign] = await push(stranger, [step(route, route.stops[0], 'stop-completed')], randomUUID());
    expect(foreign).toMatchObject({ status: 'rejected', reason: expect.stringContaining('not yours') });
    expect(await routeNow(route.id)).toMatchObject({ completedStops: 0 });
  });

  it('a step that holds already changes nothing, whichever phone says it', async () => {
    const route = await planned();
    const done = () => step(route, route.stops[0], 'stop-completed');
    expect((await push(driver, [done()]))[0]?.status).toBe('applied');
    expect((await push(driver, [done()], randomUUID()))[0]?.status).toBe('applied');
    expect(await routeNow(route.id)).toMatchObject({ completedStops: 1, status: 'in_progress' });
  });

  it('an arrival and a start by mistake are taken back; once something was done the start stands', async () => {
    const route = await planned();
    await push(driver, [
      event({ type: 'route-started', routeId: route.id }),
      step(route, route.stops[0], 'stop-arrived'),
      step(route, route.stops[0], 'arrival-undone'),
    ]);
    expect((await routeNow(route.id)).stops[0].actualArrival).toBeNull();
    await push(driver, [event({ type: 'start-undone', routeId: route.id })]);
    const undone = await routeNow(route.id);
    expect(undone).toMatchObject({ status: 'planned', startedAt: null });
    expect(undone.stops.map((one: { expectedArrival: string | null }) => one.expectedArrival)).toEqual([null, null]);
    await push(driver, [step(route, route.stops[0], 'stop-completed')]);
    const [late] = await push(driver, [event({ type: 'start-undone', routeId: route.id })]);
    expect(late).toMatchObject({ status: 'rejected', reason: expect.stringContaining('its start stands') });
    expect(await routeNow(route.id)).toMatchObject({ status: 'in_progress' });
  });

  it('a route is completed by hand once each stop is done or skipped, and not before', async () => {
    const route = await planned();
    const complete = () => event({ type: 'route-completed', routeId: route.id });
    const [early] = await push(driver, [step(route, route.stops[0], 'stop-completed'), complete()].slice(1));
    expect(early).toMatchObject({ status: 'rejected', reason: expect.stringContaining('2 stops are still open') });
    const results = await push(driver, [
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
    const other = await buildUser(test.deps.db, { routeDesignation: '606' });
    await test.deps.db.execute(
      sql`update routes set driver_id = ${other.id}, route_designation = '606' where id = ${route.id}`,
    );
    await test.deps.db.execute(
      sql`update entitlement_history set valid_to = ${ago(30)} where kind = 'route' and subject_id = ${route.id} and value = ${String(driverId)}`,
    );
    await test.deps.db.execute(
      sql`update entitlement_history set valid_from = ${ago(600)} where kind = 'route' and subject_id = ${route.id} and value = ${String(driverId)}`,
    );
    const results = await push(
      driver,
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
    expect((await push(driver, [first], randomUUID()))[0]?.status).toBe('applied');
    expect((await push(driver, [first], randomUUID()))[0]?.status).toBe('duplicate');
    await push(driver, [dayEnd({ occurredAtClient: ago(5), returns: [], unsent: 0 })], randomUUID());
    await push(driver, [dayEnd({ occurredAtClient: ago(15), unitsFilled: 1 })], randomUUID());
    const found = (await dayEnds(manager)).filter((one: { personId: number }) => one.personId === driverId);
    expect(found).toMatchObject([{ returns: [], bagNumbers: ['B-1', 'B-2'], unitsFilled: 140, unsent: 0 }]);
    expect(await dayEnds(manager, '2026-03-03')).toEqual([]);
  });

  it('a person reads back the own work of a day, from whatever phone, and the bags of its visits', async () => {
    const item = (await buildSlot(test.deps.db, machineId, { productName: 'Cola', currentQuantity: 4 })).id;
    const visitId = randomUUID();
    const location = { type: 'vending_machine', id: machineId };
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
      ...(await push(driver, [first], randomUUID())),
      ...(await push(driver, [second, visited], randomUUID())),
    ];
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
    const date = await dayOf(first);
    const workOf = async (who: Person) => (await who.call('GET', `/api/day-work?date=${date}`)).json();
    const work = await workOf(driver);
    expect(work.movements.filter((one: { itemId: number }) => one.itemId === item)).toMatchObject(
      [first, second].map((one) => ({ eventId: one.eventId, visitId, productName: 'Cola', quantity: one.quantity })),
    );
    expect(work.visits).toContainEqual({ visitId, bagNumber: 'B-9' });
    expect(await workOf(manager)).toMatchObject({ movements: [], visits: [] });
  });

  it('a finished day that cannot be read is held with a sentence', async () => {
    const bad = dayEnd({ returns: [{ productName: 'Cola', reason: 'unused', units: 0 }] });
    expect((await push(driver, [bad]))[0]).toMatchObject({
      status: 'rejected',
      reason: expect.stringContaining('could not be read'),
    });
    expect((await driver.call('GET', '/api/day-ends?date=2026-02-31')).statusCode).toBe(400);
  });

  it('a driver sees the own finished day alone', async () => {
    const stranger = await test.as((await buildUser(test.deps.db, { routeDesignation: '505' })).id);
    await push(stranger, [dayEnd()], randomUUID());
    expect(await dayEnds(stranger)).toHaveLength(1);
    const own: { personId: number }[] = await dayEnds(driver);
    expect(own.map((one) => one.personId)).toEqual([driverId]);
  });

  const visit = (fields: Fields = {}) =>
    event({
      type: 'visit',
      visitId: randomUUID(),
      location: { type: 'vending_machine', id: machineId },
      routeId: null,
      stopId: null,
      openedAtClient: ago(30),
      closedAtClient: ago(18),
      note: 'Door sticks',
      bagNumber: 'B-104',
      refunds: '1.50',
      photoIds: [],
      position: { latitude: 40.71239, longitude: -74.00611 },
      ...fields,
    });
  const visitsOf = async (who: Person) =>
    (await who.call('GET', `/api/visits?type=vending_machine&id=${machineId}`)).json();

  it('a visit is kept with its counts as five numbers, its minutes, and the place to about 100 m', async () => {
    const slot = await buildSlot(test.deps.db, machineId, { maxQuantity: 20 });
    const kept = visit();
    const stock = (fields: Fields) =>
      event({ itemType: 'machine_slot', itemId: slot.id, shown: 4, visitId: kept.visitId, reason: 'fill', ...fields });
    const results = await push(driver, [
      stock({ kind: 'count', quantity: 3, reason: 'manual_count', occurredAtClient: ago(28) }),
      stock({ kind: 'spoilage', quantity: -1, reason: 'expired', occurredAtClient: ago(27) }),
      stock({ kind: 'restock', quantity: 8, occurredAtClient: ago(26) }),
      kept,
    ]);
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied', 'applied']);
    const { visits } = await visitsOf(driver);
    const found = visits.find((one: { id: string }) => one.id === kept.visitId);
    expect(found).toMatchObject({
      note: 'Door sticks',
      bagNumber: 'B-104',
      refunds: '1.50',
      minutes: 12,
      latitude: '40.712',
    });
    expect(found.lines).toMatchObject([
      { beginning: 3, adds: 8, spoiled: 1, spoiledBy: { expired: 1 }, ending: 10, reasons: ['manual_count'] },
    ]);
  });

  it('what was counted keeps the name of the product of that hour, and a filling that of the planned one', async () => {
    const { db } = test.deps;
    const machine = await buildMachine(db, { routeDesignation: '101' });
    const product = async (name: string): Promise<number> => {
      const body = { name, category: 'Snacks', unitPrice: '1.00' };
      const reply = await manager.call('POST', '/api/products', { body });
      expect(reply.statusCode, reply.body).toBeLessThan(300);
      return reply.json().id;
    };
    const [cola, tea] = [await product('Hour Cola'), await product('Hour Tea')];
    const named = { productId: cola, productName: 'Hour Cola', currentQuantity: 4 };
    const replaced = await buildSlot(db, machine.id, { ...named, slotNumber: 'A1' });
    const planned = { productName: 'Hour Tea', price: '1.00' };
    const awaited = await buildSlot(db, machine.id, {
      ...{ ...named, slotNumber: 'A2', planned },
      plannedAt: new Date(ago(60)),
    });
    const location = { type: 'vending_machine', id: machine.id };
    const at = visit({ location });
    const stock = (itemId: number, fields: Fields) =>
      event({
        ...{ itemType: 'machine_slot', itemId, productId: cola, shown: 4, visitId: at.visitId, location },
        ...{ occurredAtClient: ago(20), ...fields },
      });
    const events = [
      stock(replaced.id, { kind: 'count', quantity: 3, reason: 'manual_count' }),
      stock(awaited.id, { kind: 'removal', quantity: -4, reason: 'other' }),
      stock(awaited.id, { kind: 'restock', quantity: 6, reason: 'fill' }),
    ];
    const results = await push(driver, [...events, at], randomUUID());
    expect(results.map(({ status }) => status)).toEqual(events.map(() => 'applied').concat('applied'));
    await db.execute(
      sql`update vending_machine_inventory set product_id = ${tea}, product_name = 'Hour Tea' where id = ${replaced.id}`,
    );
    const date = await dayOf(events[0]);
    const work = (await driver.call('GET', `/api/day-work?date=${date}`)).json();
    const names = new Map(
      work.movements.map((one: { eventId: string; productName: string }) => [one.eventId, one.productName]),
    );
    expect(events.map(({ eventId }) => names.get(String(eventId)))).toEqual(['Hour Cola', 'Hour Cola', 'Hour Tea']);
    const shown = (await driver.call('GET', `/api/visits?type=vending_machine&id=${machine.id}`)).json();
    expect(shown.visits[0].lines).toMatchObject([
      { slotNumber: 'A1', productName: 'Hour Cola' },
      { slotNumber: 'A2', productName: 'Hour Tea', removed: 4, adds: 6 },
    ]);
  });

  it('a later state of a visit replaces an older one, never the other way round', async () => {
    const first = visit({ note: 'first' });
    const second = visit({ visitId: first.visitId, note: 'second' });
    await push(driver, [second]);
    await push(driver, [first]);
    const { visits } = await visitsOf(driver);
    expect(visits.find((one: { id: string }) => one.id === first.visitId)).toMatchObject({ note: 'second' });
  });

  it("the visits of another route's location are nobody else's business", async () => {
    const stranger = await test.as((await buildUser(test.deps.db, { routeDesignation: '505' })).id);
    const query = `/api/visits?type=vending_machine&id=${machineId}`;
    expect((await stranger.call('GET', query)).statusCode).toBe(404);
    const [refused] = await push(stranger, [visit()], randomUUID());
    expect(refused?.status).toBe('rejected');
  });

  const photo = async () =>
    sharp({ create: { width: 2400, height: 1200, channels: 3, background: { r: seq++ % 255, g: 80, b: 40 } } })
      .withExif({ IFD3: { GPSLatitude: '40/1 42/1 0/1' } })
      .jpeg()
      .toBuffer();
  const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  const put = (who: Person, hash: string, bytes: Buffer, type = 'image/jpeg') =>
    test.app.inject({
      method: 'PUT',
      url: `/api/photos/${hash}`,
      headers: { cookie: who.cookie, 'content-type': type },
      payload: bytes,
    });

  it('a photo is drawn anew within 1600 px, without what hides in the file, and is shown with its visit', async () => {
    const bytes = await photo();
    const hash = hashOf(bytes);
    const missing = async () =>
      (await driver.call('POST', '/api/photos/missing', { body: { hashes: [hash] } })).json().missing;
    expect(await missing()).toEqual([hash]);
    expect((await put(driver, hash, bytes)).statusCode).toBe(204);
    expect((await put(driver, hash, bytes)).statusCode).toBe(204);
    expect(await missing()).toEqual([]);
    await push(driver, [visit({ photoIds: [hash] })]);
    const shown = await test.app.inject({
      method: 'GET',
      url: `/api/photos/${hash}`,
      headers: { cookie: manager.cookie },
    });
    const { width, height, exif } = await sharp(shown.rawPayload).metadata();
    expect([width, height, exif]).toEqual([1600, 800, undefined]);
  });

  it('what is no picture, too large or damaged on the way is refused with a sentence', async () => {
    const pdf = Buffer.from('%PDF-1.7 not a picture at all');
    const asPicture = await put(driver, hashOf(pdf), pdf);
    expect([asPicture.statusCode, asPicture.json().detail]).toEqual([400, expect.stringContaining('not a picture')]);
    const huge = Buffer.alloc(8_000_001);
    const tooLarge = await put(driver, hashOf(huge), huge);
    expect([tooLarge.statusCode, tooLarge.json().detail]).toEqual([413, expect.stringContaining('at most 8 MB')]);
    const bytes = await photo();
    expect((await put(driver, hashOf(pdf), bytes)).json().detail).toContain('arrived damaged');
  });

  it('another driver does not see a photo of a location that is not theirs', async () => {
    const bytes = await photo();
    const hash = hashOf(bytes);
    await put(driver, hash, bytes);
    await push(driver, [visit({ photoIds: [hash] })]);
    const stranger = await test.as((await buildUser(test.deps.db, { routeDesignation: '505' })).id);
    const seen = (who: Person) =>
      test.app.inject({ method: 'GET', url: `/api/photos/${hash}`, headers: { cookie: who.cookie } });
    expect((await seen(stranger)).statusCode).toBe(404);
    expect((await seen(driver)).statusCode).toBe(200);
  });
});
