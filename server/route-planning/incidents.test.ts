import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { retimeAsTimePasses } from '../incidents/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMarket } from '../testing/factories.ts';

import { allDay, squareOfMarkets, west } from './testing/square-of-markets.ts';

onEachDatabase('Incidents and routes', (open) => {
  const square = squareOfMarkets(open);
  const { report, resolve, save, read } = square;

  const plan = async () =>
    (
      await square.manager.call('POST', '/api/routes/optimize', {
        body: { marketIds: square.corners, date: '2026-03-12', options: { seed: 1, timeLimitMs: 100 } },
      })
    ).json();
  const order = (result: { optimizedOrder: { id: number }[] }) => result.optimizedOrder.map((stop) => stop.id);
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
      ids.push((await buildMarket(square.t.deps.db, fields)).id);
    }
    return ids;
  };
  const planOf = async (marketIds: readonly number[]) =>
    (
      await square.manager.call('POST', '/api/routes/optimize', {
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
    const [a = 0, b = 0, c = 0, d = 0] = square.corners;
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
    await retimeAsTimePasses(square.t.deps);
    expect((await read(saved.id)).delay).toBeGreaterThan(60);
    square.t.setNow(new Date('2026-03-12T15:31:00Z'));
    await retimeAsTimePasses(square.t.deps);
    square.t.setNow(new Date('2026-03-12T15:00:00Z'));
    const after = await read(saved.id);
    expect(after.delay).toBe(0);
    expect(after.stops.map((stop: { estimatedArrival: string }) => stop.estimatedArrival)).toEqual(
      saved.stops.map((stop: { estimatedArrival: string }) => stop.estimatedArrival),
    );
  });

  it("an incident without a duration does not slow tomorrow's plan", async () => {
    const tomorrow = { marketIds: square.corners, date: '2026-03-13', options: { seed: 1, timeLimitMs: 100 } };
    const planned = async () => (await square.manager.call('POST', '/api/routes/optimize', { body: tomorrow })).json();
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
    const put = (ids: number[]) =>
      square.worker.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds: ids } });
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
      stops.push({ type: 'market', id: (await buildMarket(square.t.deps.db, fields)).id });
    }
    const body = { name: 'No depot', date: '2026-03-12', routeDesignation: '909', stops };
    await square.t.deps.db.execute(sql`delete from depots`);
    const { id: incident } = await report({ ...south, longitude: '-74.00' });
    const saved = (await square.manager.call('POST', '/api/routes', { body })).json();
    expect([saved.depot, saved.wayHome]).toEqual([null, undefined]);
    expect(saved.delay).toBeGreaterThan(60);
    await resolve(incident);
    const after = (await square.manager.call('GET', `/api/routes/${saved.id}`)).json();
    await buildDepot(square.t.deps.db, { latitude: '40.70', longitude: '-74.00' });
    expect(after.delay).toBe(0);
  });

  it('a route whose depot lies in a jam is timed once, and not anew as long as nothing changes', async () => {
    const jamAtDepot = { latitude: '40.70', longitude: '-74.00', ...allDay, radius: 2.5 };
    const [before, old] = [await save(), await save()];
    await square.t.deps.db.execute(sql`update routes set home_seconds = null where id = ${old.id}`);
    await report(jamAtDepot);
    const after = await save();
    for (const id of [before.id, after.id, old.id]) {
      // Legs are saved in tenths of a minute.
      await retimeAsTimePasses(square.t.deps);
      const late = await read(id);
      expect(late.wayHome.delay).toBeGreaterThan(60);
      await retimeAsTimePasses(square.t.deps);
      expect(await read(id)).toEqual(late);
    }
    expect((await read(after.id)).wayHome).toEqual((await read(before.id)).wayHome);
  });

  it('who is at the last stop still learns what lies on the way home', async () => {
    const saved = await save();
    await square.worker.call('PATCH', `/api/routes/${saved.id}`, { body: { status: 'in_progress' } });
    for (const stop of saved.stops.slice(0, 3)) {
      await square.worker.call('PATCH', `/api/route-stops/${stop.id}`, { body: { completed: true } });
    }
    const last = saved.stops[3].id;
    await square.t.deps.db.execute(
      sql`update route_stops set actual_arrival = ${square.t.deps.clock.now()} where id = ${last}`,
    );
    const { id } = await report(south);
    expect((await read(saved.id)).wayHome).toMatchObject({ incidents: [id] });
    await resolve(id);
    expect((await read(saved.id)).delay).toBe(0);
  });

  it('done stops keep their times', async () => {
    const saved = await save();
    await square.worker.call('PATCH', `/api/routes/${saved.id}`, { body: { status: 'in_progress' } });
    for (const stop of saved.stops.slice(0, 2)) {
      await square.worker.call('PATCH', `/api/route-stops/${stop.id}`, { body: { completed: true } });
    }
    await report({ ...west, ...allDay });
    const during = await read(saved.id);
    expect(during.stops[1]).toMatchObject({ incidents: [], estimatedArrival: saved.stops[1].estimatedArrival });
    expect(during.delay).toBe(0);
  });
});
