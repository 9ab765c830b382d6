import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Stop } from '../../../contract/routes.ts';
import { users } from '../../people/tables.ts';
import { atOnce } from '../../testing/at-once.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildDepot, buildMarket, buildRoute, buildStop } from '../../testing/factories.ts';
import { oneOfEachRole } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';
import type { routeStops } from '../tables.ts';
import { applyProgress } from './progress.ts';

type Fields = Partial<typeof routeStops.$inferInsert>;

onEachDatabase('A route under way', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;
  let workerId: number;
  let depotId: number;
  /** Markets on a line to the east: the order of their numbers is the shortest way. */
  let markets: number[];
  /** An hour and a half before the tests' noon, when the route left. */
  const at = (minutes: number): Date => new Date(t.deps.clock.now().getTime() + minutes * 60_000);

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker, workerId } = await oneOfEachRole(t, '101'));
    depotId = (await buildDepot(t.deps.db, { latitude: '40.70', longitude: '-74.00' })).id;
    markets = [];
    for (let n = 1; n <= 6; n += 1) {
      markets.push((await buildMarket(t.deps.db, { latitude: '40.70', longitude: String(-74 + n * 0.03) })).id);
    }
  });
  afterAll(() => t.close());
  beforeEach(() => t.deps.db.execute(sql`delete from routes`));

  /** A route through the markets of these numbers, an hour late by its plan; fields by position. */
  const underWay = async (numbers: readonly number[], fields: Record<number, Fields> = {}) => {
    const date = t.deps.clock.now().toISOString().slice(0, 10);
    const startedAt = at(-90);
    const route = await buildRoute(t.deps.db, { date, status: 'in_progress', startedAt, depotId });
    for (const [index, number] of numbers.entries()) {
      const estimatedArrival = at(-120 + index * 30);
      const planned = { stopOrder: index + 1, marketId: markets[number - 1] ?? 0, estimatedArrival, serviceMin: 20 };
      const expectedArrival = at(index * 30);
      await buildStop(t.deps.db, route.id, { ...planned, expectedArrival, legDurationMin: 10, ...fields[index] });
    }
    return route.id;
  };
  const done = (minutesAgo: number): Fields => ({ completed: true, actualArrival: at(-minutesAgo) });
  const stopsOf = async (id: number): Promise<Stop[]> =>
    (await manager.call('GET', `/api/routes/${id}`)).json().stops.toSorted((a: Stop, b: Stop) => a.id - b.id);
  const optimize = (routeId: number) =>
    manager.call('POST', '/api/routes/optimize', { body: { routeId, options: { seed: 1, timeLimitMs: 100 } } });
  const numbersOf = (stops: readonly Stop[]): number[] =>
    stops.toSorted((a, b) => a.stopOrder - b.stopOrder).map(({ marketId }) => markets.indexOf(marketId ?? 0) + 1);
  const planOf = ({ stopOrder, estimatedArrival, serviceMin, legDurationMin }: Stop) => ({
    stopOrder,
    estimatedArrival,
    serviceMin,
    legDurationMin,
  });

  it('is not said to start from afar at its depot: it goes on from where its driver is', async () => {
    const sea = { name: 'Sea depot', latitude: '36.00000000', longitude: '-60.00000000' };
    const id = await underWay([1, 3, 2, 4], { 0: done(60), 1: { actualArrival: at(-5) } });
    const depot = await buildDepot(t.deps.db, sea);
    await t.deps.db.execute(sql`update routes set depot_id = ${depot.id}`);
    const reply = (await optimize(id)).json();
    expect(reply.optimizedOrder).toHaveLength(2);
    expect(reply.warnings.join()).not.toContain('The start');
  });

  it('is completed by hand with reasons for what is left; those that the driver gave stay', async () => {
    const id = await underWay([1, 2, 3], { 0: done(60), 1: { skippedReason: 'Gate locked' } });
    const [, , last] = await stopsOf(id);
    const complete = (skipped: object[]) =>
      manager.call('PATCH', `/api/routes/${id}`, { body: { status: 'completed', skipped } });
    expect((await complete([])).json()).toMatchObject({
      status: 400,
      fields: { [`stop.${last?.id}`]: 'Give a reason' },
    });
    expect((await complete([{ stopId: last?.id, reason: 'No time' }])).statusCode).toBe(200);
    expect((await stopsOf(id)).map(({ skippedReason }) => skippedReason)).toEqual([null, 'Gate locked', 'No time']);
  });

  it('names the stops that lack a reason apart, also where a name holds a comma', async () => {
    const id = await underWay([1, 2]);
    const names = (await stopsOf(id)).map(({ locationName }) => locationName);
    const reply = await manager.call('PATCH', `/api/routes/${id}`, { body: { status: 'completed', skipped: [] } });
    expect(reply.json().detail).toBe(`Give a reason for each stop left out: ${names.join('; ')}.`);
  });

  it('is not completed with a reason for a stop of another route; one for a stop that is done changes nothing', async () => {
    const id = await underWay([1, 2], { 0: done(60) });
    const [mine, last] = await stopsOf(id);
    const [other] = await stopsOf(await underWay([3]));
    const complete = (stopId: number | undefined) => {
      const skipped = [stopId, last?.id].map((one) => ({ stopId: one, reason: 'No time' }));
      return manager.call('PATCH', `/api/routes/${id}`, { body: { status: 'completed', skipped } });
    };
    const sentence = `Stop ${other?.id} is not on this route. Give reasons for stops of this route only.`;
    expect((await complete(other?.id)).json()).toMatchObject({
      status: 400,
      detail: sentence,
      fields: { [`stop.${other?.id}`]: sentence },
    });
    expect((await manager.call('GET', `/api/routes/${id}`)).json().status).toBe('in_progress');
    expect((await complete(mine?.id)).statusCode).toBe(200);
    expect((await stopsOf(id)).map(({ skippedReason }) => skippedReason)).toEqual([null, 'No time']);
  });

  it('a stop left out that is served after all is no longer left out', async () => {
    const id = await underWay([1, 2], { 0: { skippedReason: 'Gate locked' } });
    const [first] = await stopsOf(id);
    const reply = await manager.call('PATCH', `/api/route-stops/${first?.id}`, { body: { completed: true } });
    expect(reply.json()).toMatchObject({ completed: true, skippedReason: null });
    const open = { body: { completed: false } };
    expect((await manager.call('PATCH', `/api/route-stops/${first?.id}`, open)).statusCode).toBe(409);
    expect((await manager.call('PATCH', '/api/route-stops/999999', open)).statusCode).toBe(404);
  });

  it('a stop that its phone says is reached just while the office completes it keeps when it was reached', async () => {
    const id = await underWay([1, 2]);
    const [first] = await stopsOf(id);
    const stopId = first?.id ?? 0;
    const said = {
      eventId: randomUUID(),
      schemaVersion: 1,
      occurredAtClient: at(-30).toISOString(),
      deviceSeq: 1,
      lastServerTime: null,
    };
    const event = { ...said, type: 'stop-arrived' as const, routeId: id, stopId };
    const author = { userId: workerId, role: 'route_manager' };
    const arrive = () => t.deps.db.transaction((tx) => applyProgress(tx, { event, at: at(-30), author }));
    const complete = () => manager.call('PATCH', `/api/route-stops/${stopId}`, { body: { completed: true } });
    await atOnce<unknown>(t, 'route_stops', [arrive, complete]);
    const [done] = await stopsOf(id);
    expect(done).toMatchObject({ completed: true, actualArrival: at(-30).toISOString() });
  });

  it('is among the routes of its day, and past ones come in pages, the newest day first', async () => {
    const day = (ago: number): string =>
      at(-ago * 1440)
        .toISOString()
        .slice(0, 10);
    const ids: number[] = [];
    for (const ago of [3, 1, 2, 1, 0]) ids.push((await buildRoute(t.deps.db, { date: day(ago) })).id);
    ids.push((await buildRoute(t.deps.db, { date: day(0), status: 'completed' })).id);
    const page = async (query: string) => (await manager.call('GET', `/api/routes/page?${query}`)).json();
    const idsOf = ({ rows }: { rows: { id: number }[] }): number[] => rows.map(({ id }) => ids.indexOf(id));
    const first = await page('past=true&limit=3');
    const second = await page(`past=true&limit=3&page=${first.next}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual([5, 3, 1, 2, 0]);
    expect([first.total, second.from, second.next]).toEqual([5, 4, null]);
    expect(idsOf(await page(`from=${day(2)}&to=${day(1)}&sort=date&limit=1`))).toEqual([2]);
    expect((await page('')).total).toBe(6);
  });

  it('comes with its stops in pages of its day, open ones first, found by words of its name, designation or driver', async () => {
    const { db } = t.deps;
    const [sam] = await db
      .insert(users)
      .values({ email: 'sam@example.org', role: 'field_worker', firstName: 'Sámuel', lastName: 'Oak' })
      .returning();
    for (const name of ['Delta', 'Alpha', 'Charlie', 'Bravo']) await buildRoute(db, { name, routeDesignation: '101' });
    const { id } = await buildRoute(db, { name: 'Echo', routeDesignation: '909', driverId: sam?.id ?? null });
    await buildStop(db, id, { stopOrder: 1, marketId: markets[0] ?? 0 });
    await buildRoute(db, { name: 'Another day', date: '2026-03-13' });
    const page = async (query: string) => (await manager.call('GET', `/api/scheduled-routes/page?${query}`)).json();
    const namesOf = ({ rows }: { rows: { name: string }[] }): string[] => rows.map(({ name }) => name);
    const first = await page('limit=3');
    const second = await page(`limit=3&page=${first.next}`);
    expect([namesOf(first), namesOf(second)]).toEqual([
      ['Alpha', 'Bravo', 'Charlie'],
      ['Delta', 'Echo'],
    ]);
    expect([first.total, second.from, second.next]).toEqual([5, 4, null]);
    expect(second.rows[1]).toEqual((await manager.call('GET', `/api/routes/${id}`)).json());
    expect(second.rows[1].stops).toHaveLength(1);
    expect(namesOf(await page('q=samuel+909'))).toEqual(['Echo']);
    expect(namesOf(await page('q=alph'))).toEqual(['Alpha']);
    await buildRoute(db, { name: 'Aaron', status: 'completed' });
    await buildRoute(db, { name: 'Zeta', status: 'in_progress' });
    const all = await page('');
    expect(namesOf(all)).toEqual(['Zeta', 'Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo', 'Aaron']);
    expect(await page('q=zulu')).toMatchObject({ rows: [], total: 0 });
    expect(namesOf(await page('date=2026-03-13'))).toEqual(['Another day']);
    expect((await worker.call('GET', '/api/scheduled-routes/page')).json().total).toBe(4);
  });

  it('calls a stop as its location is called by now, also where the stop is late', async () => {
    const id = await underWay([1, 2]);
    const url = `/api/markets/${markets[0]}`;
    const { name } = (await manager.call('GET', url)).json();
    const rename = (to: string) => manager.call('PUT', url, { body: { name: to } });
    await rename('Renamed Hall');
    const day = t.deps.clock.now().toISOString().slice(0, 10);
    const [route] = (await manager.call('GET', `/api/scheduled-routes?date=${day}`)).json();
    expect(route.stops.map((stop: Stop) => stop.locationName)).toContain('Renamed Hall');
    const needs = (await manager.call('GET', '/api/dashboard/exceptions')).json();
    expect(JSON.stringify(needs)).toContain('Renamed Hall');
    await rename(name);
    expect((await stopsOf(id)).map((stop) => stop.locationName)).toContain(name);
  });

  it('keeps number and planned time of what is done, left out and being served when the rest is put in order', async () => {
    const fields = { 0: done(80), 1: { skippedReason: 'Closed' }, 2: { actualArrival: at(-5) } };
    const id = await underWay([1, 2, 3, 6, 4, 5], fields);
    const before = await stopsOf(id);
    const reply = await optimize(id);
    expect(reply.statusCode, reply.body).toBe(200);
    const after = await stopsOf(id);
    expect(after.slice(0, 3).map(planOf)).toEqual(before.slice(0, 3).map(planOf));
    expect(new Set(after.map((stop) => stop.stopOrder)).size).toBe(6);
    expect(
      after
        .toSorted((a, b) => a.stopOrder - b.stopOrder)
        .map(({ id: one }) => one)
        .slice(0, 3),
    ).toEqual(before.slice(0, 3).map(({ id: one }) => one));
    const rest = numbersOf(after).slice(3);
    expect([
      [4, 5, 6],
      [6, 5, 4],
    ]).toContainEqual(rest);
    const [next] = after.filter((stop) => stop.stopOrder === 4);
    // The driver came five minutes ago and stays for twenty.
    expect(Date.parse(next?.estimatedArrival ?? '')).toBeGreaterThan(at(15).getTime());
    for (const stop of after.slice(3)) expect(stop.expectedArrival).toBe(stop.estimatedArrival);
  });

  it('keeps the stop that is driven to, though stops were done out of order', async () => {
    const id = await underWay([2, 1, 5, 6, 4, 3], { 2: done(40) });
    const before = await stopsOf(id);
    await optimize(id);
    const after = await stopsOf(id);
    for (const index of [0, 2]) {
      const [was, is] = [before[index], after[index]];
      expect(was && is && planOf(is)).toEqual(was && planOf(was));
    }
    expect(after.map((stop) => stop.stopOrder).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('with nothing left but the current stop stays as it is, and so does one of which every stop is done', async () => {
    const id = await underWay([1, 2], { 0: done(30) });
    const before = await stopsOf(id);
    const reply = await optimize(id);
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json().optimizedOrder).toEqual([]);
    expect(await stopsOf(id)).toEqual(before);
    const whole = await underWay([1, 2], { 0: done(30), 1: done(10) });
    const refused = await optimize(whole);
    expect([refused.statusCode, refused.json().detail]).toEqual([409, 'Every stop of this route is done.']);
  });

  it('expects the driver later at every stop behind an incident, but not where the driver is', async () => {
    const id = await underWay([1, 2, 3, 4], { 0: { actualArrival: at(-5) } });
    await t.deps.db.execute(sql`update route_stops set leg_distance_km = 3 where route_id = ${id}`);
    const before = await stopsOf(id);
    const jam = { title: 'Jam', severity: 'critical', type: 'congestion', radius: 1 };
    const place = { latitude: '40.70', longitude: '-73.925' };
    const made = await manager.call('POST', '/api/traffic-incidents', { body: { ...jam, ...place } });
    expect(made.statusCode, made.body).toBe(201);
    const after = await stopsOf(id);
    const late = after.map((stop, index) => {
      const was = before[index];
      const ms = (is: string | null | undefined, than: string | null | undefined) =>
        Date.parse(is ?? '') - Date.parse(than ?? '');
      return [ms(stop.expectedArrival, was?.expectedArrival), ms(stop.estimatedArrival, was?.estimatedArrival)];
    });
    expect(late[0]).toEqual([0, 0]);
    expect(late[1]).toEqual([0, 0]);
    expect(late[2]?.[0]).toBeGreaterThan(60_000);
    for (const [expected, planned] of late) expect(expected).toBe(planned);
    expect(late[3]).toEqual(late[2]);
  });

  it('expects stops in their new order when the rest is put in order by hand', async () => {
    const id = await underWay([1, 2, 3, 4], { 0: { actualArrival: at(-5) } });
    const stops = await stopsOf(id);
    const stopIds = stops
      .slice(1)
      .map((stop) => stop.id)
      .toReversed();
    const reply = await manager.call('PUT', `/api/routes/${id}/rest-order`, { body: { stopIds } });
    expect(reply.statusCode, reply.body).toBe(200);
    const after = await stopsOf(id);
    const expected = stopIds.map((one) => after.find((stop) => stop.id === one)?.expectedArrival ?? '');
    expect(expected).toEqual(expected.toSorted());
    expect(Date.parse(expected[0] ?? '')).toBeGreaterThan(at(15).getTime());
  });
});
