import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OptimizeResult, ScheduledRoute } from '../../../contract/routes.ts';
import { instantIn } from '../../../domain/time.ts';
import { getOperator } from '../../settings/service.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildDepot, buildMachine, buildMarket, buildSlot } from '../../testing/factories.ts';
import { oneOfEachRole } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';
import { routes } from '../tables.ts';

/** A Friday. */
const date = '2026-03-13';

onEachDatabase('The doors of locations', (open) => {
  let t: TestApp;
  let manager: Person;
  let timeZone: string;

  beforeAll(async () => {
    t = await testApp(open);
    ({ timeZone } = await getOperator(t.deps.db));
    await signInAt(6);
    await buildDepot(t.deps.db, { latitude: '40.70', longitude: '-74.00' });
  });
  afterAll(() => t.close());

  /** So many kilometres, about, to the east of the depot. */
  const market = async (km: number, accessHours: string | null) =>
    (await buildMarket(t.deps.db, { latitude: '40.70', longitude: String(-74 + km * 0.0118), accessHours })).id;
  const optimize = async (body: object): Promise<OptimizeResult> => {
    const options = { seed: 1, timeLimitMs: 100 };
    const reply = await manager.call('POST', '/api/routes/optimize', { body: { date, options, ...body } });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json();
  };
  const routeOf = async (marketIds: readonly number[]): Promise<ScheduledRoute> => {
    const stops = marketIds.map((id) => ({ type: 'market', id }));
    return (await manager.call('POST', '/api/routes', { body: { name: 'Friday', date, stops } })).json();
  };
  const clock = (hours: number): string => instantIn(timeZone, date, hours * 60).toISOString();
  const signInAt = async (hours: number): Promise<void> => {
    t.setNow(new Date(clock(hours)));
    ({ manager } = await oneOfEachRole(t, '101'));
  };
  const idsOf = ({ optimizedOrder }: OptimizeResult): number[] => optimizedOrder.map(({ id }) => id);

  it('are met open, though that is farther to drive than the order given', async () => {
    const [near, far] = [await market(10, '05:00-06:45'), await market(2, null)];
    const plan = await optimize({ marketIds: [far, near] });
    expect(idsOf(plan)).toEqual([near, far]);
    expect(plan.optimizedOrder.map(({ lateMin, waitMin }) => [lateMin, waitMin])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(plan.unassigned).toEqual([]);
  });

  it('that open later are waited for, and the waiting is part of the time', async () => {
    const [first, later] = [await market(2, '05:00-06:45'), await market(3, '08:00-17:00')];
    const plan = await optimize({ marketIds: [first, later] });
    const stop = plan.optimizedOrder[1];
    expect(stop).toMatchObject({ id: later, opensAt: clock(8), closesAt: clock(17), lateMin: 0 });
    const waited = (Date.parse(clock(8)) - Date.parse(stop?.arrivalAt ?? '')) / 60_000;
    expect(waited).toBeGreaterThan(60);
    expect(plan.waitMin).toBe(Math.round(waited));
    expect(plan.estimatedTime).toBe(plan.drivingMin + plan.serviceMin + (plan.waitMin ?? 0));
  });

  it('are not waited for to save a little driving: the plan is done no later than the order given', async () => {
    const north = async (latitude: string, longitude: string) =>
      (await buildMarket(t.deps.db, { latitude, longitude, accessHours: null })).id;
    const around = [await north('40.754', '-73.93'), await north('40.736', '-74.07'), await north('40.772', '-74.00')];
    const [early, noon] = [await market(1, '05:00-06:45'), await market(6, '12:00-13:00')];
    const plan = await optimize({ marketIds: [early, ...around, noon] });
    const [east, west, top] = around;
    expect(idsOf(plan)).toEqual([early, west, top, east, noon]);
    expect(plan.estimatedTime).toBeLessThanOrEqual(plan.givenTime ?? 0);
    expect(plan.totalDistance).toBeLessThan(plan.givenDistance ?? 0);
  });

  it('of the first stop have the driver leave later, not wait', async () => {
    const places = [await market(3, '08:00-17:00'), await market(4, '08:00-17:00')];
    const plan = await optimize({ marketIds: places });
    expect(plan.optimizedOrder[0]).toMatchObject({ arrivalAt: clock(8), waitMin: 0 });
    expect(plan.estimatedTime).toBe(plan.drivingMin + plan.serviceMin);
    const { id, ...route } = await routeOf(places);
    const [first] = route.stops;
    expect(first?.estimatedArrival).toBe(clock(8));
    const leaves = Date.parse(route.plannedStartAt ?? '') + (first?.legDurationMin ?? 0) * 60_000;
    expect(Math.round((leaves - Date.parse(clock(8))) / 60_000)).toBeCloseTo(0);
    expect(route.estimatedTime).toBe((route.drivingMin ?? 0) + (route.serviceMin ?? 0));
    expect((await optimize({ routeId: id })).estimatedTime).toBe(route.estimatedTime);
  });

  it('that are met early in the day are still met when the first plan left later', async () => {
    const [late, early] = [await market(2, '08:00-17:00'), await market(4, '05:00-06:45')];
    const { id } = await routeOf([late, early]);
    const plan = await optimize({ routeId: id });
    expect(idsOf(plan)).toEqual([early, late]);
    expect(plan.warnings).toEqual([]);
  });

  it('that have closed for today leave a chosen location out, and nobody waits for the next morning', async () => {
    const [closed, always] = [await market(2, '08:00-17:00'), await market(3, null)];
    await signInAt(22.5);
    const plan = await optimize({ marketIds: [closed, always] });
    await signInAt(6);
    expect(idsOf(plan)).toEqual([always]);
    expect(plan.unassigned.map(({ id, reason }) => [id, reason])).toEqual([
      [closed, 'Already closed for the day (08:00-17:00).'],
    ]);
    expect(Date.parse(plan.optimizedOrder[0]?.arrivalAt ?? '')).toBeGreaterThan(Date.parse(clock(22.5)));
    expect(plan.waitMin).toBe(0);
  });

  it.each(['planned', 'in_progress'])(
    'that have closed for today are named where a %s route keeps its stops',
    async (status) => {
      const [here, closed, always] = [await market(1, null), await market(2, '08:00-17:00'), await market(3, null)];
      const { id } = await routeOf([here, closed, always]);
      if (status === 'in_progress') await manager.call('PATCH', `/api/routes/${id}`, { body: { status } });
      await signInAt(22.5);
      const plan = await optimize({ routeId: id });
      t.setNow(new Date(clock(6)));
      expect(plan.warnings.join()).toContain('Already closed for the day (08:00-17:00).');
      expect(plan.waitMin).toBe(0);
      expect(plan.estimatedTime).toBeLessThan(180);
    },
  );

  it('of another day are not said to have closed already', async () => {
    const [closed, always] = [await market(2, '03:00-05:00'), await market(3, null)];
    await signInAt(-8);
    const plan = await optimize({ marketIds: [closed, always] });
    await signInAt(6);
    expect(plan.unassigned.map(({ id, reason }) => [id, reason])).toEqual([
      [closed, 'Closes before the driver can leave (03:00-05:00).'],
    ]);
  });

  it('that open in the night are met by a route of the night', async () => {
    const { id } = await routeOf([await market(2, '01:00-05:00')]);
    const evening = new Date(clock(22));
    const begins = { earliestStartAt: evening, plannedStartAt: evening };
    await t.deps.db.update(routes).set(begins).where(eq(routes.id, id));
    const plan = await optimize({ routeId: id });
    expect(plan.optimizedOrder[0]).toMatchObject({ arrivalAt: clock(25), waitMin: 0 });
  });

  it('are met in the evening before they close, not waited for until they open in the morning', async () => {
    const far = [await market(90, null), await market(85, null), await market(80, null)];
    const early = await market(3, '06:00-20:00');
    const { id } = await routeOf([...far, early]);
    const evening = new Date(clock(19));
    const begins = { earliestStartAt: evening, plannedStartAt: evening };
    await t.deps.db.update(routes).set(begins).where(eq(routes.id, id));
    const plan = await optimize({ routeId: id });
    expect(plan.givenTime).toBeGreaterThan(9 * 60);
    expect([idsOf(plan)[0], plan.waitMin]).toEqual([early, 0]);
  });

  it('that stay closed leave a chosen location out, with the hours as the reason', async () => {
    const [open1, closed, early] = [
      await market(1, null),
      await market(2, 'Mo-Th 06:00-18:00'),
      await market(90, '05:00-06:10'),
    ];
    const plan = await optimize({ marketIds: [open1, closed, early] });
    expect(idsOf(plan)).toEqual([open1]);
    expect(plan.unassigned.map(({ id, reason }) => [id, reason])).toEqual([
      [closed, 'Closed on this day (Mo-Th 06:00-18:00).'],
      [early, 'Nobody can be there while it is open (05:00-06:10).'],
    ]);
  });

  it('that stay closed put a stop of a route last and say so, and the stop stays on the route', async () => {
    const [closed, open1] = [await market(1, 'Mo-Th 06:00-18:00'), await market(2, null)];
    const route = await routeOf([closed, open1]);
    const plan = await optimize({ routeId: route.id });
    expect(idsOf(plan)).toEqual([open1, closed]);
    expect(plan.unassigned).toEqual([]);
    expect(plan.warnings.join()).toContain('Closed on this day (Mo-Th 06:00-18:00).');
    const saved: ScheduledRoute = (await manager.call('GET', `/api/routes/${route.id}`)).json();
    expect(saved.stops.map(({ marketId }) => marketId)).toEqual([open1, closed]);
  });

  it('move what comes after them, in the plan and as the day goes', async () => {
    const [begin, late, after] = [await market(1, null), await market(2, '08:00-17:00'), await market(4, null)];
    const { id, stops, ...route } = await routeOf([begin, late, after]);
    const [, first, second] = stops;
    expect(first).toMatchObject({ opensAt: clock(8), closesAt: clock(17) });
    const leaves = Date.parse(clock(8)) + (first?.serviceMin ?? 0) * 60_000;
    const way = (second?.legDurationMin ?? 0) * 60_000;
    const near = (at: string | null | undefined) => Math.round((Date.parse(at ?? '') - leaves - way) / 60_000);
    expect(near(second?.estimatedArrival)).toBeCloseTo(0);
    expect(route.estimatedTime).toBeGreaterThan((route.drivingMin ?? 0) + (route.serviceMin ?? 0) + 60);
    const started = await manager.call('PATCH', `/api/routes/${id}`, { body: { status: 'in_progress' } });
    expect(near(started.json().stops[2].expectedArrival)).toBeCloseTo(0);
  });

  it('are kept to under way too, whatever the millisecond a driver leaves a stop at', async () => {
    const [here, next] = [await market(1, null), await market(3, null)];
    const [far, late] = [await market(6, null), await market(4, '08:00-17:00')];
    const { id, stops } = await routeOf([here, next, far, late]);
    await manager.call('PATCH', `/api/routes/${id}`, { body: { status: 'in_progress' } });
    const actualArrival = new Date(Date.parse(clock(6)) + 1_359).toISOString();
    t.setNow(new Date(Date.parse(actualArrival) + 60_641));
    const body = { completed: true, actualArrival };
    expect((await manager.call('PATCH', `/api/route-stops/${stops[0]?.id}`, { body })).statusCode).toBe(200);
    const plan = await optimize({ routeId: id });
    expect(new Set(idsOf(plan))).toEqual(new Set([far, late]));
    t.setNow(new Date(clock(6)));
  });

  it('leave room for what the chosen vehicle holds: what does not fit is named', async () => {
    const van = await manager.call('POST', '/api/vehicles', { body: { name: 'Small van', capacityTotes: 1 } });
    const machines = [await buildMachine(t.deps.db), await buildMachine(t.deps.db)].map(({ id }) => id);
    for (const id of machines) await buildSlot(t.deps.db, id, { maxQuantity: 30, currentQuantity: 0 });
    const plan = await optimize({ vendingMachineIds: machines, vehicles: [van.json().id] });
    expect(plan.optimizedOrder).toHaveLength(1);
    expect(plan.unassigned.map(({ reason }) => reason)).toEqual(['No vehicle has room left for its 1 tote.']);
    expect((await optimize({ vendingMachineIds: machines })).optimizedOrder).toHaveLength(2);
  });

  it('a plan, a route and a day name each location that was deleted meanwhile', async () => {
    const kept = await market(1, null);
    const gone = { marketIds: [kept, 999_998], vendingMachineIds: [999_999] };
    const stops = [kept, 999_998].map((id) => ({ type: 'market', id }));
    const crews = [{ driverId: 1, vehicleId: null, startMin: 360, endMin: 900 }];
    const replies = await Promise.all([
      manager.call('POST', '/api/routes/optimize', { body: gone }),
      manager.call('POST', '/api/routes', { body: { name: 'R', date: '2026-12-01', stops } }),
      manager.call('POST', '/api/day-plans', { body: { ...gone, date: '2026-12-01', crews, timeLimitMs: 1000 } }),
    ]);
    const named = replies.map((reply) => [reply.statusCode, Object.keys(reply.json().fields ?? {})]);
    expect(named).toEqual([
      [404, ['market:999998', 'vending_machine:999999']],
      [404, ['market:999998']],
      [404, ['market:999998', 'vending_machine:999999']],
    ]);
  });

  it.each([
    ['vehicle', { vehicles: [999_999] }],
    ['depot', { depotId: 999_999 }],
  ])('a %s that does not exist is refused', async (noun, part) => {
    const body = { marketIds: [await market(1, null)], ...part };
    const reply = await manager.call('POST', '/api/routes/optimize', { body });
    expect(reply.statusCode).toBe(404);
    expect(reply.json().detail).toContain(noun);
  });
});
