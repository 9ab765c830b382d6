import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { retimeAsTimePasses } from '../incidents/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMarket } from '../testing/factories.ts';
import { type RoadServer, valhallaServer } from '../testing/road-servers.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('Incidents where the course of the road is known', (open) => {
  let t: TestApp;
  let roads: RoadServer;
  let manager: Person;
  let market: number;

  beforeAll(async () => {
    roads = await valhallaServer();
    t = await testApp(open, { VALHALLA_URL: roads.url });
    ({ manager } = await oneOfEachRole(t, '101'));
    await buildDepot(t.deps.db, { latitude: '40.70', longitude: '-74.00' });
    market = (await buildMarket(t.deps.db, { latitude: '40.76', longitude: '-73.94', routeDesignation: '101' })).id;
  });
  afterAll(async () => {
    await t.close();
    await roads.close();
  });
  beforeEach(async () => {
    for (const table of ['traffic_incidents', 'routes', 'travel_lines'])
      await t.deps.db.execute(sql.raw(`delete from ${table}`));
  });

  const report = (latitude: string, longitude: string, more: object = {}) =>
    manager.call('POST', '/api/traffic-incidents', {
      body: {
        title: 'Jam',
        severity: 'critical',
        type: 'congestion',
        radius: 1,
        latitude,
        longitude,
        reportedAt: '2026-03-12T09:00:00Z',
        ...more,
      },
    });
  /** The road leads there along the south and up the east, and back along the north and down the west. */
  const onTheWay = ['40.70', '-73.94'] as const;
  const halfwayAcross = ['40.73', '-73.97'] as const;
  const save = async () =>
    (
      await manager.call('POST', '/api/routes', {
        body: { name: 'Round', date: '2026-03-12', routeDesignation: '101', stops: [{ type: 'market', id: market }] },
      })
    ).json();
  const read = async (id: number) => (await manager.call('GET', `/api/routes/${id}`)).json();
  const lookAtTheWay = (id: number) => manager.call('GET', `/api/routes/${id}/directions`);

  it('a saved route loses time to what lies on its road, and none to what lies beside it', async () => {
    const saved = await save();
    await lookAtTheWay(saved.id);
    await report(...halfwayAcross);
    expect((await read(saved.id)).delay).toBe(0);
    await report(...onTheWay);
    const late = await read(saved.id);
    expect(late.delay).toBeGreaterThan(60);
    expect(late.stops[0].incidents).toHaveLength(1);
    expect((await save()).delay).toBe(late.delay);
  });

  it('where the road is not known yet, the straight line counts until it is', async () => {
    const saved = await save();
    await report(...halfwayAcross);
    expect((await read(saved.id)).delay).toBeGreaterThan(60);
    await lookAtTheWay(saved.id);
    await report('40.10', '-74.80');
    expect((await read(saved.id)).delay).toBe(0);
  });

  it('a plan looks along the roads of the order it found', async () => {
    const plan = async () =>
      (
        await manager.call('POST', '/api/routes/optimize', {
          body: { marketIds: [market], date: '2026-03-12', options: { seed: 1, timeLimitMs: 50 } },
        })
      ).json();
    await report(...halfwayAcross);
    expect((await plan()).delay).toBe(0);
    await report(...onTheWay);
    expect((await plan()).delay).toBeGreaterThan(60);
  });

  it('a route around a closed road says which and what it takes, whatever else happens', async () => {
    const open = await save();
    const closure = await report(...halfwayAcross, { type: 'closure' });
    const around = await save();
    expect(around.stops[0].incidents).toEqual([closure.json().id]);
    expect(around.stops[0].delay).toBe(Math.round(open.stops[0].legDurationMin * 60));
    expect(around.wayHome).toEqual({ incidents: [closure.json().id], delay: around.delay - around.stops[0].delay });
    expect(around.drivingMin).toBe(open.drivingMin * 2);
    expect(around.stops[0].legDistanceKm).toBe(open.stops[0].legDistanceKm * 2);
    await report('40.10', '-74.80');
    expect(await read(around.id)).toEqual(around);
    await manager.call('POST', `/api/traffic-incidents/${closure.json().id}/resolve`, { body: {} });
    const after = await read(around.id);
    expect([after.delay, after.drivingMin, after.stops[0].incidents]).toEqual([0, open.drivingMin, []]);
    expect([after.totalDistance, after.stops[0].legDistanceKm]).toEqual([
      open.totalDistance,
      open.stops[0].legDistanceKm,
    ]);
  });

  it('a route that was planned before a road was closed learns from the engine what the way around takes', async () => {
    const saved = await save();
    const closure = await report(...halfwayAcross, { type: 'closure' });
    const guessed = await read(saved.id);
    await retimeAsTimePasses(t.deps);
    const known = await read(saved.id);
    const usual = Math.round(saved.stops[0].legDurationMin * 60);
    expect(guessed.stops[0].delay).not.toBe(usual);
    expect([known.stops[0].delay, known.stops[0].incidents]).toEqual([usual, [closure.json().id]]);
    expect(known.drivingMin).toBe(saved.drivingMin * 2);
    expect(known.stops[0].legDistanceKm).toBe(saved.stops[0].legDistanceKm * 2);
    expect(known.totalDistance).toBeCloseTo(saved.totalDistance * 2, 0);
    await report('40.10', '-74.80');
    expect(await read(saved.id)).toEqual(known);
    await manager.call('POST', `/api/traffic-incidents/${closure.json().id}/resolve`, { body: {} });
    const { drivingMin, totalDistance, stops } = await read(saved.id);
    expect([drivingMin, totalDistance]).toEqual([saved.drivingMin, saved.totalDistance]);
    expect(stops[0].legDistanceKm).toBe(saved.stops[0].legDistanceKm);
  });

  it('another order of the rest is stored as it was offered: with the ways around closed roads', async () => {
    const far = await buildMarket(t.deps.db, { latitude: '40.71', longitude: '-73.92', routeDesignation: '101' });
    const near = await buildMarket(t.deps.db, { latitude: '40.715', longitude: '-73.99', routeDesignation: '101' });
    const stops = [far.id, near.id, market].map((id) => ({ type: 'market', id }));
    const route = { name: 'Round', date: '2026-03-12', routeDesignation: '101', stops };
    const saved = (await manager.call('POST', '/api/routes', { body: route })).json();
    const closure = await report('40.735', '-73.965', { type: 'closure', radius: 0.5 });
    const [offer] = (await manager.call('GET', '/api/routes/rest-offers')).json();
    const put = await manager.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds: offer.order } });
    expect(put.json().savedMin).toBe(offer.gainMin);
    const stored = await read(saved.id);
    // The way around takes twice as long here: half of each leg, kept in tenths of a minute, is lost to it.
    for (const { legDurationMin, delay } of stored.stops) expect(Math.abs(delay - legDurationMin * 30)).toBeLessThan(3);
    expect(stored.stops[0].incidents).toEqual([closure.json().id]);
    await retimeAsTimePasses(t.deps);
    expect(await read(saved.id)).toEqual(stored);
  });

  it('a way around that takes no longer stays so, whatever else happens', async () => {
    roads.detour = 1;
    const saved = await save();
    await report(...onTheWay, { type: 'closure' });
    await retimeAsTimePasses(t.deps);
    roads.detour = 2;
    expect((await read(saved.id)).delay).toBe(0);
    await report('40.10', '-74.80');
    expect((await read(saved.id)).delay).toBe(0);
  });

  it('a jam on the way around a closed road adds to it, and less when it is smaller', async () => {
    await lookAtTheWay((await save()).id);
    await report(...halfwayAcross, { type: 'closure' });
    const around = await save();
    const jam = await report(...onTheWay);
    const late = await read(around.id);
    expect(late.stops[0].delay).toBeGreaterThan(around.stops[0].delay + 60);
    await manager.call('PATCH', `/api/traffic-incidents/${jam.json().id}`, { body: { radius: 0.001 } });
    expect((await read(around.id)).stops[0].delay).toBeLessThan(late.stops[0].delay);
  });

  const resolve = (incident: { json: () => { id: number } }) =>
    manager.call('POST', `/api/traffic-incidents/${incident.json().id}/resolve`, { body: {} });

  it('what the engine said of a way around stays while jams come and go beside it', async () => {
    const saved = await save();
    const closure = await report(...halfwayAcross, { type: 'closure' });
    await retimeAsTimePasses(t.deps);
    const known = await read(saved.id);
    const jam = await report(...onTheWay);
    expect((await read(saved.id)).stops[0].delay).toBeGreaterThan(known.stops[0].delay + 60);
    await resolve(jam);
    expect(await read(saved.id)).toEqual(known);
    await manager.call('PATCH', `/api/traffic-incidents/${closure.json().id}`, { body: { title: 'Burst pipe' } });
    expect(await read(saved.id)).toEqual(known);
  });

  it('a jam costs where the way around leads, and nothing where it no longer does', async () => {
    roads.detourTurns = true;
    const saved = await save();
    await lookAtTheWay(saved.id);
    await report(...halfwayAcross, { type: 'closure', radius: 0.9 });
    await retimeAsTimePasses(t.deps);
    const known = await read(saved.id);
    const jam = await report(...onTheWay);
    // The way there leads through the other corner now, and the way home through this one.
    expect((await read(saved.id)).stops[0]).toEqual(known.stops[0]);
    await resolve(jam);
    await report('40.76', '-74.00');
    expect((await read(saved.id)).stops[0].delay).toBeGreaterThan(known.stops[0].delay + 60);
    roads.detourTurns = false;
  });

  const closedQuestions = () => roads.bodies.filter((body) => body.includes('exclude_polygons')).length;
  const refusal = { error_code: 167, error: 'Exceeded maximum circumference for exclude_polygons' };

  it('what the engine said of a way around is asked for once, and again on another map', async () => {
    const saved = await save();
    await report(...halfwayAcross, { type: 'closure' });
    await retimeAsTimePasses(t.deps);
    const known = await read(saved.id);
    const asked = closedQuestions();
    await retimeAsTimePasses(t.deps);
    expect(closedQuestions()).toBe(asked);
    roads.map += 1;
    roads.detour = 3;
    t.setNow(new Date('2026-03-12T15:11:00Z'));
    await retimeAsTimePasses(t.deps);
    roads.detour = 2;
    t.setNow(new Date('2026-03-12T15:00:00Z'));
    expect((await read(saved.id)).stops[0].delay).toBe(known.stops[0].delay * 2);
  });

  it('an engine that refused to lead around is not asked again, and one that was silent is', async () => {
    const saved = await save();
    await report(...halfwayAcross, { type: 'closure', radius: 0.8 });
    const before = closedQuestions();
    roads.next = Array.from({ length: 3 }, () => ({ status: 503, body: {} }));
    await retimeAsTimePasses(t.deps);
    roads.next = [{ status: 400, body: refusal }];
    await retimeAsTimePasses(t.deps);
    const asked = closedQuestions();
    expect(asked).toBeGreaterThan(before + 3);
    const guessed = await read(saved.id);
    await retimeAsTimePasses(t.deps);
    expect(closedQuestions()).toBe(asked);
    expect(await read(saved.id)).toEqual(guessed);
  });

  it('a plan counts on no road that it has not looked along', async () => {
    const spots = [0, 1, 2, 3, 4, 5].map((n) => ({ latitude: `40.${71 + ((n * 5) % 7)}`, longitude: `-73.${99 - n}` }));
    const ids: number[] = [];
    for (const spot of spots) ids.push((await buildMarket(t.deps.db, { ...spot, routeDesignation: '101' })).id);
    await report('40.72', '-73.97');
    const body = { marketIds: ids, date: '2026-03-12', options: { seed: 1, timeLimitMs: 50 } };
    const planned = (await manager.call('POST', '/api/routes/optimize', { body })).json();
    const stops = planned.optimizedOrder.map(({ type, id }: { type: string; id: number }) => ({ type, id }));
    const route = { name: 'Round', date: '2026-03-12', routeDesignation: '101', stops };
    const saved = (await manager.call('POST', '/api/routes', { body: route })).json();
    await lookAtTheWay(saved.id);
    await report('40.10', '-74.80');
    // Its legs are kept in tenths of a minute.
    expect(Math.abs((await read(saved.id)).delay - planned.delay)).toBeLessThan(10);
  });

  it('the way on the map leads around what is closed while the rest is driven, as the times do', async () => {
    const saved = await save();
    const asked = roads.bodies.length;
    const isLedAround = () => roads.bodies.slice(asked).join().includes('exclude_polygons');
    await report(...halfwayAcross, { type: 'closure', reportedAt: '2026-03-12T22:00:00Z' });
    await lookAtTheWay(saved.id);
    expect(isLedAround()).toBe(false);
    await report(...halfwayAcross, { type: 'closure', estimatedDuration: 90 });
    await t.deps.db.execute(sql`update routes set status = 'in_progress', started_at = '2026-03-12T10:00:00Z'`);
    await lookAtTheWay(saved.id);
    expect(isLedAround()).toBe(false);
    await report(...halfwayAcross, { type: 'closure' });
    await lookAtTheWay(saved.id);
    expect(isLedAround()).toBe(true);
  });

  it('a stop in the block beside what is closed stays in every plan, and keeps its kilometres in another order', async () => {
    const near = await buildMarket(t.deps.db, { latitude: '40.73', longitude: '-73.96', routeDesignation: '101' });
    const stops = [near.id, market].map((id) => ({ type: 'market', id }));
    const route = { name: 'Round', date: '2026-03-12', routeDesignation: '101', stops };
    const saved = (await manager.call('POST', '/api/routes', { body: route })).json();
    const closure = await report('40.73', '-73.9545', { type: 'closure', radius: 0.4 });
    const body = { marketIds: [near.id, market], date: '2026-03-12', options: { seed: 1, timeLimitMs: 50 } };
    const planned = (await manager.call('POST', '/api/routes/optimize', { body })).json();
    expect([planned.optimizedOrder.length, planned.unassigned]).toEqual([2, []]);
    expect(planned.warnings).toEqual([expect.stringMatching(/^4 of 6 distances and times lead through closed roads/)]);
    const ids = saved.stops.map(({ id }: { id: number }) => id);
    const put = await manager.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds: ids } });
    expect(put.statusCode, put.body).toBe(200);
    const during = await read(saved.id);
    const [first, second] = during.stops;
    expect([first.incidents, second.incidents]).toEqual([[closure.json().id], [closure.json().id]]);
    expect(Math.min(first.delay, second.delay)).toBeGreaterThanOrEqual(60);
    await retimeAsTimePasses(t.deps);
    expect(await read(saved.id)).toEqual(during);
    await resolve(closure);
    const after = await read(saved.id);
    const kms = (one: typeof saved) => one.stops.map((stop: { legDistanceKm: number }) => stop.legDistanceKm);
    expect([kms(after), after.totalDistance, after.delay]).toEqual([kms(saved), saved.totalDistance, 0]);
  });

  it('a stop that no road leads to has no kilometres in another order either, rather than none of them', async () => {
    const beyond = await buildMarket(t.deps.db, { latitude: '50.5', longitude: '-73.96', routeDesignation: '101' });
    const stops = [market, beyond.id].map((id) => ({ type: 'market', id }));
    const route = { name: 'Round', date: '2026-03-12', routeDesignation: '101', stops };
    const saved = (await manager.call('POST', '/api/routes', { body: route })).json();
    const ids = saved.stops.map(({ id }: { id: number }) => id).toReversed();
    await manager.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds: ids } });
    const ways = (await read(saved.id)).stops.map((stop: Record<string, number>) => [
      stop.legDistanceKm,
      stop.legDurationMin,
    ]);
    expect([saved.stops[1].legDistanceKm, ways]).toEqual([
      null,
      [
        [null, null],
        [null, null],
      ],
    ]);
  });

  it('a way around that is longer and no slower counts its kilometres while the road is closed', async () => {
    const open = await save();
    await lookAtTheWay(open.id);
    roads.detourSlows = false;
    const closure = await report(...halfwayAcross, { type: 'closure', radius: 0.7 });
    await retimeAsTimePasses(t.deps);
    const around = await save();
    const [longer, usual] = [await read(open.id), open.stops[0].legDistanceKm];
    expect([longer.stops[0].legDistanceKm, around.stops[0].legDistanceKm]).toEqual([usual * 2, usual * 2]);
    expect([longer.delay, around.delay]).toEqual([0, 0]);
    await retimeAsTimePasses(t.deps);
    expect((await read(around.id)).stops[0].legDistanceKm).toBe(usual * 2);
    await resolve(closure);
    roads.detourSlows = true;
    for (const { id } of [open, around]) {
      const { stops, totalDistance } = await read(id);
      expect([stops[0].legDistanceKm, totalDistance]).toEqual([usual, open.totalDistance]);
    }
  });

  it('the way around in a route of an earlier release, which did not keep its length, is not counted twice', async () => {
    const open = await save();
    const closure = await report(...halfwayAcross, { type: 'closure' });
    const around = await save();
    for (const table of ['routes', 'route_stops']) await t.deps.db.execute(sql.raw(`update ${table} set detour_m = 0`));
    await retimeAsTimePasses(t.deps);
    expect(await read(around.id)).toEqual(around);
    await resolve(closure);
    const { stops, totalDistance } = await read(around.id);
    expect([stops[0].legDistanceKm, totalDistance]).toEqual([open.stops[0].legDistanceKm, open.totalDistance]);
  });

  it('a closed road far from every stop is asked about nowhere', async () => {
    await report('43.10', '-77.80', { type: 'closure' });
    const asked = roads.bodies.length;
    await save();
    expect(roads.bodies.slice(asked).join()).not.toContain('exclude_polygons');
  });
});
