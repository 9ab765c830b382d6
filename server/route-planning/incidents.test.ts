import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { rows } from '../db/database.ts';
import { retimeAsTimePasses } from '../incidents/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMarket, buildUser } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const jam = { title: 'Jam', severity: 'critical', type: 'congestion', radius: 1 };

onEachDatabase('Incidents and routes', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;
  let workerId: number;
  let stranger: Person;
  /** Four markets at the corners of a square of about 6.7 km, and the depot in the middle of its south side. */
  let corners: number[];

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker, workerId } = await oneOfEachRole(t, '101'));
    const other = await buildUser(t.deps.db, { role: 'field_worker', routeDesignation: '999' });
    stranger = await t.as(other.id);
    await buildDepot(t.deps.db, { latitude: '40.70', longitude: '-74.00' });
    corners = [];
    for (const [latitude, longitude] of [
      ['40.70', '-74.04'],
      ['40.76', '-74.04'],
      ['40.76', '-73.96'],
      ['40.70', '-73.96'],
    ]) {
      const fields = { latitude: latitude ?? '', longitude: longitude ?? '', routeDesignation: '101' };
      corners.push((await buildMarket(t.deps.db, fields)).id);
    }
  }, 60_000);
  afterAll(() => t.close());
  beforeEach(async () => {
    await t.deps.db.execute(sql`delete from traffic_incidents`);
    await t.deps.db.execute(sql`delete from routes`);
  });

  const report = async (fields: object) =>
    (await manager.call('POST', '/api/traffic-incidents', { body: { ...jam, ...fields } })).json();
  const resolve = (id: number) => manager.call('POST', `/api/traffic-incidents/${id}/resolve`);
  const plan = async () =>
    (
      await manager.call('POST', '/api/routes/optimize', {
        body: { marketIds: corners, date: '2026-03-12', options: { seed: 1, timeLimitMs: 100 } },
      })
    ).json();
  const order = (result: { optimizedOrder: { id: number }[] }) => result.optimizedOrder.map((stop) => stop.id);
  const save = async (ids: readonly number[] = corners) =>
    (
      await manager.call('POST', '/api/routes', {
        body: {
          name: 'Round',
          date: '2026-03-12',
          routeDesignation: '101',
          driverId: workerId,
          stops: ids.map((id) => ({ type: 'market', id })),
        },
      })
    ).json();
  const read = async (id: number) => (await worker.call('GET', `/api/routes/${id}`)).json();
  const offers = async (person: Person = worker) => (await person.call('GET', '/api/routes/rest-offers')).json();
  /** Between the first two corners. */
  const west = { latitude: '40.73', longitude: '-74.04' };
  /** Where a planned route of the day is under way. */
  const allDay = { reportedAt: '2026-03-12T09:00:00Z' };

  it('an incident on a leg makes the plan take longer and names itself; resolved it no longer does', async () => {
    const before = await plan();
    expect(before.delay).toBe(0);
    const { id } = await report({ ...west, ...allDay });
    const during = await plan();
    expect(during.drivingMin).toBeGreaterThan(before.drivingMin);
    expect(during.totalDistance).toBe(before.totalDistance);
    const met = during.optimizedOrder.filter((stop: { incidents: number[] }) => stop.incidents.includes(id));
    expect(met).toHaveLength(1);
    expect(during.delay).toBe(met[0].delay);
    await resolve(id);
    const after = await plan();
    expect(after).toEqual(before);
  });

  it('an incident that begins after the route changes nothing', async () => {
    const before = await plan();
    await report({ ...west, reportedAt: '2026-03-13T09:00:00Z' });
    expect(await plan()).toEqual(before);
  });

  /**
   * A long, narrow rectangle with the depot in one corner: round it is the shortest, crosswise hardly longer. Answers with
   * the other three corners, round.
   */
  const narrow = async () => {
    const ids: number[] = [];
    for (const [latitude, longitude] of [
      ['40.70', '-73.929'],
      ['40.718', '-73.929'],
      ['40.718', '-74.00'],
    ]) {
      const fields = { latitude: latitude ?? '', longitude: longitude ?? '', routeDesignation: '101' };
      ids.push((await buildMarket(t.deps.db, fields)).id);
    }
    return ids;
  };
  const planOf = async (marketIds: readonly number[]) =>
    (
      await manager.call('POST', '/api/routes/optimize', {
        body: { marketIds, date: '2026-03-12', options: { seed: 1, timeLimitMs: 100 } },
      })
    ).json();
  /** An order and the same one driven the other way round are the same. */
  const eitherWay = (ids: readonly number[]) => [[...ids], ids.toReversed()];

  it('an incident on the first leg changes the order, farther but faster; resolved the order is the old one', async () => {
    const [x = 0, y = 0, z = 0] = await narrow();
    const before = await planOf([x, y, z]);
    expect(eitherWay([x, y, z])).toContainEqual(order(before));
    const { id } = await report({ latitude: '40.70', longitude: '-73.9645', radius: 0.8, ...allDay });
    const during = await planOf([x, y, z]);
    expect(eitherWay([y, x, z])).toContainEqual(order(during));
    expect(during.delay).toBe(0);
    expect(during.totalDistance).toBeGreaterThan(before.totalDistance);
    expect(during.estimatedTime).toBeLessThan(during.givenTime);
    await resolve(id);
    expect(order(await planOf([x, y, z]))).toEqual(order(before));
  });

  it('with incidents a plan is never slower than the order given', async () => {
    const [a = 0, b = 0, c = 0, d = 0] = corners;
    for (const [index, given] of [
      [a, b, c, d],
      [b, d, a, c],
      [c, a, d, b],
      [d, c, b, a],
    ].entries()) {
      const side = { latitude: '40.73', longitude: index % 2 ? '-73.96' : '-74.02' };
      const { id } = await report({
        ...side,
        ...allDay,
        radius: 1 + index,
        type: index > 1 ? 'closure' : 'congestion',
      });
      const plan = await planOf(given);
      expect(plan.estimatedTime).toBeLessThanOrEqual(plan.givenTime);
      expect(order(plan).toSorted()).toEqual(given.toSorted());
      await resolve(id);
    }
  });

  it('as time passes an incident past its expected end gives the times back, though nobody resolved it', async () => {
    const saved = await save();
    await report({ ...west, reportedAt: '2026-03-12T14:00:00Z', estimatedDuration: 90 });
    expect((await read(saved.id)).delay).toBeGreaterThan(60);
    await retimeAsTimePasses(t.deps);
    expect((await read(saved.id)).delay).toBeGreaterThan(60);
    t.setNow(new Date('2026-03-12T15:31:00Z'));
    await retimeAsTimePasses(t.deps);
    t.setNow(new Date('2026-03-12T15:00:00Z'));
    const after = await read(saved.id);
    expect(after.delay).toBe(0);
    expect(after.stops.map((stop: { estimatedArrival: string }) => stop.estimatedArrival)).toEqual(
      saved.stops.map((stop: { estimatedArrival: string }) => stop.estimatedArrival),
    );
  });

  it("an incident without a duration does not slow tomorrow's plan", async () => {
    const tomorrow = { marketIds: corners, date: '2026-03-13', options: { seed: 1, timeLimitMs: 100 } };
    const planned = async () => (await manager.call('POST', '/api/routes/optimize', { body: tomorrow })).json();
    const before = await planned();
    await report({ ...west, ...allDay });
    expect(await planned()).toEqual(before);
    await report({ ...west, ...allDay, estimatedDuration: 2 * 24 * 60 });
    expect((await planned()).delay).toBeGreaterThan(60);
  });

  it('a new incident moves the arrivals of saved routes by its delay, and its end moves them back', async () => {
    const saved = await save();
    const { id } = await report({ ...west, ...allDay });
    const during = await read(saved.id);
    const [first, second, third] = during.stops;
    expect(first.delay).toBe(0);
    expect(second).toMatchObject({ incidents: [id] });
    expect(second.delay).toBeGreaterThan(60);
    const moved = (n: number) =>
      (Date.parse(during.stops[n].estimatedArrival) - Date.parse(saved.stops[n].estimatedArrival)) / 1000;
    expect([moved(0), moved(1), moved(2), moved(3)]).toEqual([0, second.delay, second.delay, second.delay]);
    expect(third.legDurationMin).toBe(saved.stops[2].legDurationMin);
    expect(during.delay).toBe(second.delay);
    expect(during.totalDistance).toBe(saved.totalDistance);
    await resolve(id);
    const after = await read(saved.id);
    expect(after.stops.map((stop: object) => ({ ...stop, legDurationMin: null }))).toEqual(
      saved.stops.map((stop: object) => ({ ...stop, legDurationMin: null })),
    );
    expect(after).toMatchObject({ delay: 0, drivingMin: saved.drivingMin, estimatedTime: saved.estimatedTime });
  });

  it('incidents reported and ended at the same moment move a route by all of them, and leave nothing behind', async () => {
    const saved = await save();
    const [arrivals, legs] = [
      (route: { stops: { estimatedArrival: string }[] }) => route.stops.map((stop) => stop.estimatedArrival),
      (route: { stops: { legDurationMin: number }[] }) =>
        route.stops.map((stop) => Math.round(stop.legDurationMin * 60)),
    ];
    const sides = [west, { latitude: '40.76', longitude: '-74.00' }, { latitude: '40.73', longitude: '-73.96' }];
    for (let round = 0; round < 3; round++) {
      const made: { id: number }[] = await Promise.all(sides.map((side) => report({ ...side, ...allDay })));
      const during = await read(saved.id);
      expect(during.stops.flatMap((stop: { incidents: number[] }) => stop.incidents).toSorted()).toEqual(
        made.map(({ id }) => id).toSorted(),
      );
      await Promise.all(made.map(({ id }) => resolve(id)));
      const after = await read(saved.id);
      expect([after.delay, after.drivingMin, arrivals(after), legs(after)]).toEqual([
        ...[0, saved.drivingMin, arrivals(saved), legs(saved)],
      ]);
    }
  });

  it('a route saved while an incident counts has its delay from the start', async () => {
    const { id } = await report({ ...west, ...allDay });
    const saved = await save();
    expect(saved.stops[1].incidents).toEqual([id]);
    expect(saved.delay).toBe(saved.stops[1].delay);
  });

  /** Between the last corner and the depot. */
  const south = { latitude: '40.70', longitude: '-73.98', ...allDay };

  it('an incident on the way home is told beside the stops, until it ends', async () => {
    const saved = await save();
    expect(saved.wayHome).toEqual({ incidents: [], delay: 0 });
    const { id } = await report(south);
    const late = await read(saved.id);
    expect(late.wayHome).toEqual({ incidents: [id], delay: late.delay });
    expect(late.delay).toBeGreaterThan(60);
    expect((await save()).wayHome.incidents).toEqual([id]);
    const stopIds = saved.stops.map((stop: { id: number }) => stop.id).toReversed();
    const put = (ids: number[]) => worker.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds: ids } });
    await put(stopIds);
    expect((await read(saved.id)).wayHome).toEqual({ incidents: [], delay: 0 });
    await put(stopIds.toReversed());
    expect((await read(saved.id)).wayHome.incidents).toEqual([id]);
    await resolve(id);
    expect((await read(saved.id)).wayHome).toEqual({ incidents: [], delay: 0 });
  });

  it('an incident on the way back of a route without a depot slows it until it ends, too', async () => {
    const stops: { type: string; id: number }[] = [];
    for (const [latitude, longitude] of [
      ['40.70', '-74.04'],
      ['40.76', '-73.96'],
      ['40.70', '-73.96'],
    ]) {
      const fields = { latitude: latitude ?? '', longitude: longitude ?? '', routeDesignation: '909' };
      stops.push({ type: 'market', id: (await buildMarket(t.deps.db, fields)).id });
    }
    const body = { name: 'No depot', date: '2026-03-12', routeDesignation: '909', stops };
    await t.deps.db.execute(sql`delete from depots`);
    const { id: incident } = await report({ ...south, longitude: '-74.00' });
    const saved = (await manager.call('POST', '/api/routes', { body })).json();
    expect([saved.depot, saved.wayHome]).toEqual([null, undefined]);
    expect(saved.delay).toBeGreaterThan(60);
    await resolve(incident);
    const after = (await manager.call('GET', `/api/routes/${saved.id}`)).json();
    await buildDepot(t.deps.db, { latitude: '40.70', longitude: '-74.00' });
    expect(after.delay).toBe(0);
  });

  it('a route whose depot lies in a jam is timed once, and not anew as long as nothing changes', async () => {
    const jamAtDepot = { latitude: '40.70', longitude: '-74.00', ...allDay, radius: 2.5 };
    const [before, old] = [await save(), await save()];
    await t.deps.db.execute(sql`update routes set home_seconds = null where id = ${old.id}`);
    await report(jamAtDepot);
    const after = await save();
    for (const id of [before.id, after.id, old.id]) {
      // Legs are saved in tenths of a minute.
      await retimeAsTimePasses(t.deps);
      const late = await read(id);
      expect(late.wayHome.delay).toBeGreaterThan(60);
      await retimeAsTimePasses(t.deps);
      expect(await read(id)).toEqual(late);
    }
    expect((await read(after.id)).wayHome).toEqual((await read(before.id)).wayHome);
  });

  it('who is at the last stop still learns what lies on the way home', async () => {
    const saved = await save();
    await worker.call('PATCH', `/api/routes/${saved.id}`, { body: { status: 'in_progress' } });
    for (const stop of saved.stops.slice(0, 3)) {
      await worker.call('PATCH', `/api/route-stops/${stop.id}`, { body: { completed: true } });
    }
    const last = saved.stops[3].id;
    await t.deps.db.execute(sql`update route_stops set actual_arrival = ${t.deps.clock.now()} where id = ${last}`);
    const { id } = await report(south);
    expect((await read(saved.id)).wayHome).toMatchObject({ incidents: [id] });
    await resolve(id);
    expect((await read(saved.id)).delay).toBe(0);
  });

  it('done stops keep their times', async () => {
    const saved = await save();
    await worker.call('PATCH', `/api/routes/${saved.id}`, { body: { status: 'in_progress' } });
    for (const stop of saved.stops.slice(0, 2)) {
      await worker.call('PATCH', `/api/route-stops/${stop.id}`, { body: { completed: true } });
    }
    await report({ ...west, ...allDay });
    const during = await read(saved.id);
    expect(during.stops[1]).toMatchObject({ incidents: [], estimatedArrival: saved.stops[1].estimatedArrival });
    expect(during.delay).toBe(0);
  });

  /** An order that crosses the square: much is gained by any better one. */
  const crossing = () => [corners[1] ?? 0, corners[3] ?? 0, corners[2] ?? 0, corners[0] ?? 0];

  it('offers another order of the rest when it saves more than two minutes, to those who see the route', async () => {
    const saved = await save(crossing());
    expect(await offers()).toEqual([]);
    const { id } = await report({ latitude: '40.73', longitude: '-74.00', ...allDay });
    const [offer] = await offers();
    expect(offer).toMatchObject({ routeId: saved.id, routeDesignation: '101', incidents: [{ id, title: 'Jam' }] });
    expect(offer.gainMin).toBeGreaterThan(2);
    expect(offer.given).toEqual(saved.stops.map((stop: { id: number }) => stop.id));
    expect(offer.order.toSorted()).toEqual(offer.given.toSorted());
    expect(await offers(stranger)).toEqual([]);
  });

  it('tells what an incident costs from what the order costs on clear roads too', async () => {
    await save(crossing());
    await report({ latitude: '40.70', longitude: '-74.04', ...allDay, severity: 'low', radius: 0.2 });
    const [poor] = await offers();
    expect(poor.gainMin).toBeGreaterThan(2);
    expect(poor.trafficMin).toBe(0);
    await report({ latitude: '40.73', longitude: '-74.00', ...allDay });
    const [both] = await offers();
    expect(both.gainMin).toBeGreaterThan(poor.gainMin);
    expect(both.trafficMin).toBeGreaterThan(0);
    expect(Math.abs(both.gainMin - both.trafficMin - poor.gainMin)).toBeLessThanOrEqual(1);
  });

  it('an offer names first what slows the way ahead most, and nothing that is behind the driver', async () => {
    const saved = await save(crossing());
    const minor = { ...allDay, severity: 'low', radius: 0.5 };
    await report({ ...minor, title: 'Behind', latitude: '40.73', longitude: '-74.02' });
    await report({ ...minor, title: 'Minor', latitude: '40.70', longitude: '-74.02' });
    await report({ title: 'Burst main', latitude: '40.73', longitude: '-74.00', ...allDay });
    const titles = async () => (await offers())[0].incidents.map(({ title }: { title: string }) => title);
    expect((await titles())[0]).toBe('Burst main');
    expect((await titles()).toSorted()).toEqual(['Behind', 'Burst main', 'Minor']);
    const [first] = saved.stops;
    await t.deps.db.execute(sql`update route_stops set actual_arrival = ${t.deps.clock.now()} where id = ${first.id}`);
    expect(await titles()).toEqual(['Burst main', 'Minor']);
  });

  it('does not offer what saves nothing', async () => {
    await save(corners);
    await report({ latitude: '40.70', longitude: '-74.04', ...allDay, severity: 'low', radius: 0.2 });
    expect(await offers()).toEqual([]);
  });

  it('the rest is put in another order with one call, and back with another', async () => {
    const saved = await save(crossing());
    await report({ latitude: '40.73', longitude: '-74.00', ...allDay });
    const during = await read(saved.id);
    const [offer] = await offers();
    const put = (stopIds: number[]) => worker.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds } });
    const applied = await put(offer.order);
    expect(applied.json()).toMatchObject({ routeId: saved.id, previous: offer.given, savedMin: offer.gainMin });
    const reordered = await read(saved.id);
    expect(reordered.stops.map((stop: { id: number }) => stop.id)).toEqual(offer.order);
    expect(reordered.stops.map((stop: { stopOrder: number }) => stop.stopOrder)).toEqual([1, 2, 3, 4]);
    expect(reordered.drivingMin).toBeLessThan(during.drivingMin);
    expect(await offers()).toEqual([]);
    expect((await put(applied.json().previous)).statusCode).toBe(200);
    const undone = await read(saved.id);
    expect(undone.stops.map((stop: { id: number }) => stop.id)).toEqual(offer.given);
    expect(undone.stops.map((stop: { delay: number }) => stop.delay)).toEqual(
      during.stops.map((stop: { delay: number }) => stop.delay),
    );
    const audit = await rows<{ action: string }>(
      t.deps.db,
      sql`select action from audit_log where object_type = 'route' and object_id = ${String(saved.id)} and action = 'route.reorder'`,
    );
    expect(audit).toHaveLength(2);
  });

  it('done stops and the one being driven to stay where they are', async () => {
    const saved = await save(crossing());
    const ids = saved.stops.map((stop: { id: number }) => stop.id);
    await worker.call('PATCH', `/api/routes/${saved.id}`, { body: { status: 'in_progress' } });
    await worker.call('PATCH', `/api/route-stops/${ids[0]}`, { body: { completed: true } });
    const put = (stopIds: number[]) => worker.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds } });
    expect((await put([ids[2], ids[1], ids[3]])).statusCode).toBe(409);
    expect((await put([ids[3], ids[2]])).statusCode).toBe(200);
    const after = await read(saved.id);
    expect(after.stops.map((stop: { id: number }) => stop.id)).toEqual([ids[0], ids[1], ids[3], ids[2]]);
  });

  it.each([
    ['a stop that is not of the route', (ids: number[]) => [...ids.slice(1), 999_999], 409],
    ['a stop twice', (ids: number[]) => [ids[0] ?? 0, ...ids.slice(0, 3)], 409],
    ['a stop left out', (ids: number[]) => ids.slice(1), 409],
    ['no stop', () => [], 400],
  ])('an order with %s is refused and changes nothing', async (_title, wrong, code) => {
    const saved = await save();
    const ids = saved.stops.map((stop: { id: number }) => stop.id);
    const reply = await worker.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds: wrong(ids) } });
    expect(reply.statusCode).toBe(code);
    expect((await read(saved.id)).stops).toEqual(saved.stops);
  });

  it('the rest of a route out of scope is unknown', async () => {
    const saved = await save();
    const stopIds = saved.stops.map((stop: { id: number }) => stop.id);
    const reply = await stranger.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds } });
    expect(reply.statusCode).toBe(404);
  });
});
