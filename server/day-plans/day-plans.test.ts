import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DayPlan } from '../../contract/day-plans.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMachine, buildMarket, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const date = '2026-03-13';

onEachDatabase('day plans', (open) => {
  let test: TestApp;
  let manager: Person;
  let drivers: number[];
  let machines: number[];
  beforeAll(async () => {
    test = await testApp(open);
    const { db } = test.deps;
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    drivers = [];
    for (const lastName of ['One', 'Two']) drivers.push((await buildUser(db, { firstName: 'Driver', lastName })).id);
    await buildDepot(db, { latitude: '40.70000000', longitude: '-74.00000000', isDefault: true });
    machines = [];
    // Two groups, west and east of the depot.
    for (let n = 0; n < 8; n++) {
      const longitude = n % 2 ? `-74.2${n}` : `-73.8${n}`;
      machines.push((await buildMachine(db, { latitude: `40.7${n}`, longitude })).id);
    }
  });
  afterAll(() => test.close());

  const crews = () => drivers.map((driverId) => ({ driverId, startMin: 360, endMin: 900 }));
  const create = async (body: object = {}): Promise<DayPlan> => {
    const reply = await manager.call('POST', '/api/day-plans', {
      body: { date, vendingMachineIds: machines, crews: crews(), timeLimitMs: 400, ...body },
    });
    expect(reply.json(), reply.body).toMatchObject({ status: 'solving' });
    return reply.json();
  };
  /** Stopping waits for the search: what it found is there. */
  const settled = async (plan: DayPlan): Promise<DayPlan> => {
    await expect
      .poll(async () => (await manager.call('GET', `/api/day-plans/${plan.id}`)).json().status, { timeout: 30_000 })
      .not.toBe('solving');
    return (await manager.call('GET', `/api/day-plans/${plan.id}`)).json();
  };
  const act = (plan: DayPlan, what: string, body?: object) =>
    manager.call('POST', `/api/day-plans/${plan.id}/${what}`, body ? { body } : {});
  const arrangementOf = (plan: DayPlan) => ({
    routes: plan.routes.map((route) => route.stops.map(({ type, id, locked }) => ({ type, id, locked }))),
    unassigned: plan.unassigned.map(({ type, id }) => ({ type, id })),
  });
  const arrange = (plan: DayPlan, arrangement: object, preview = false) =>
    manager.call('PUT', `/api/day-plans/${plan.id}/arrangement`, {
      body: { version: plan.version, arrangement, preview },
    });

  it('shares the stops between the drivers and says how the search went', async () => {
    const plan = await settled(await create());
    expect(plan.status).toBe('ready');
    expect(plan.totals.stops).toBe(8);
    expect(plan.unassigned).toEqual([]);
    expect(plan.progress.length).toBeGreaterThan(0);
    const costs = plan.progress.map(({ cost }) => cost);
    expect(costs).toEqual([...costs].sort((a, b) => b - a));
    for (const route of plan.routes) expect(route.overShiftMin).toBe(0);
  });

  it('names a start in the sea, of a day as of a route, and what to do', async () => {
    const sea = { name: 'Sea depot', latitude: '38.00000000', longitude: '-60.00000000' };
    const depotId = (await buildDepot(test.deps.db, sea)).id;
    const warnings = [
      'The start, Sea depot, is more than 50 km (31 mi) from every stop. Check its position in Settings, or start from elsewhere.',
    ];
    const [first, second] = crews();
    expect(await create({ crews: [{ ...first, depotId }, second] })).toMatchObject({ warnings });
    const startLocation = { lat: 38, lng: -60 };
    for (const start of [{ depotId }, { depotId, startLocation }]) {
      const body = { vendingMachineIds: machines, ...start };
      const optimized = await manager.call('POST', '/api/routes/optimize', { body });
      expect(optimized.json(), optimized.body).toMatchObject({ warnings, start: { name: 'Sea depot' } });
    }
  });

  it('names the stop that is far from all others, and only while it is on the plan', async () => {
    const sea = { name: 'Machine at sea', latitude: '38.00000000', longitude: '-60.00000000' };
    const lost = (await buildMachine(test.deps.db, sea)).id;
    const warnings = [
      'Machine at sea is more than 50 km (31 mi) from every other stop and the depot. Check its position.',
    ];
    expect(await settled(await create({ vendingMachineIds: [...machines, lost] }))).toMatchObject({ warnings });
    expect(await settled(await create())).toMatchObject({ warnings: [] });
    const optimized = await manager.call('POST', '/api/routes/optimize', {
      body: { vendingMachineIds: [...machines, lost] },
    });
    expect(optimized.json(), optimized.body).toMatchObject({ warnings });
  });

  it('a move says what it costs as a preview, changes nothing then, and can be taken back once made', async () => {
    const plan = await settled(await create());
    const moved = arrangementOf(plan);
    const from = moved.routes.findIndex((stops) => stops.length > 0);
    const [stop] = moved.routes[from]?.splice(0, 1) ?? [];
    if (stop) moved.routes[1 - from]?.push(stop);
    const preview: DayPlan = (await arrange(plan, moved, true)).json();
    expect(preview.totals.drivingMin).not.toBe(plan.totals.drivingMin);
    expect((await settled(plan)).version).toBe(plan.version);
    const made: DayPlan = (await arrange(plan, moved)).json();
    expect(made).toMatchObject({ version: plan.version + 1, mayUndo: true, totals: preview.totals });
    const undone: DayPlan = (await act(plan, 'undo')).json();
    expect(undone.totals).toEqual(plan.totals);
  });

  it('a locked stop stays with its driver when the plan is improved', async () => {
    const plan = await settled(await create());
    const wanted = arrangementOf(plan);
    // Everything to the first driver, one stop locked there although it suits the second.
    const all = wanted.routes.flat();
    wanted.routes = [all.map((stop, index) => ({ ...stop, locked: index === all.length - 1 })), []];
    const kept = all.at(-1);
    const arranged: DayPlan = (await arrange(plan, wanted)).json();
    await act(arranged, 'improve', { timeLimitMs: 300 });
    const better = await settled(arranged);
    expect(better.routes[0]?.stops.find((stop) => stop.locked)?.id).toBe(kept?.id);
    expect(better.totals.drivingMin).toBeLessThanOrEqual(arranged.totals.drivingMin);
  });

  it('saving makes one route for each driver with stops, and only once', async () => {
    const plan = await settled(await create());
    const saved: DayPlan = (await act(plan, 'save')).json();
    expect(saved.status).toBe('saved');
    const withStops = plan.routes.filter((route) => route.stops.length > 0);
    expect(saved.routeIds).toHaveLength(withStops.length);
    const made = (await manager.call('GET', `/api/routes/${saved.routeIds[0]}`)).json();
    expect(made).toMatchObject({ date, status: 'planned', totalStops: withStops[0]?.stops.length });
    expect(made.stops.map((stop: { vendingMachineId: number }) => stop.vendingMachineId)).toEqual(
      withStops[0]?.stops.map((stop) => stop.id),
    );
    expect(made.name).toBe(`${withStops[0]?.driverName}, Mar 13, 2026`);
    // As the plan told it: rounded once, where it is shown.
    const [stored] = await rows<{ km: number }>(
      test.deps.db,
      sql`select total_distance as km from routes where id = ${made.id}`,
    );
    expect(withStops[0]?.totalDistance).toBeCloseTo(stored?.km ?? 0, 2);
    expect((await act(plan, 'save')).statusCode).toBe(409);
  });

  it('stopping keeps what was found', async () => {
    const plan = await create({ timeLimitMs: 60_000 });
    const stopped: DayPlan = (await act(plan, 'stop')).json();
    expect(stopped.status).toBe('ready');
    expect(stopped.totals.stops + stopped.unassigned.length).toBe(8);
  });

  it('says why a stop is left out: closed that day, too far from closing time, too far for any shift', async () => {
    const { db } = test.deps;
    const closed = await buildMarket(db, { accessHours: 'Sa-Su 08:00-12:00' });
    const early = await buildMarket(db, { accessHours: '04:00-05:00' });
    const night = await buildMarket(db, { accessHours: '22:00-23:00' });
    const far = await buildMarket(db, { latitude: '45.0', longitude: '-84.0' });
    const plan = await settled(await create({ marketIds: [closed.id, early.id, night.id, far.id] }));
    const reasons = Object.fromEntries(plan.unassigned.map((place) => [place.id, place.reason]));
    expect(reasons[closed.id]).toContain('Closed on this day');
    expect(reasons[early.id]).toContain('while it is open');
    expect(reasons[night.id]).toBe('Nobody can be there while it is open (22:00-23:00).');
    expect(reasons[far.id]).toMatch(/^The way there and back alone takes \d+h \d+m: longer than any shift\.$/);
  });

  it('says that no time is left where a longer shift, or fewer stops, would leave some', async () => {
    const short = drivers.slice(0, 1).map((driverId) => ({ driverId, startMin: 360, endMin: 480 }));
    const plan = await settled(await create({ crews: short }));
    expect(plan.unassigned.length).toBeGreaterThan(0);
    for (const { reason } of plan.unassigned) expect(reason).toBe('No driver has time left for it in the shift.');
  });

  it('on the day the clocks change the shift still begins at its time on the wall', async () => {
    const plan = await settled(await create({ date: '2026-11-01', crews: [{ startMin: 360, endMin: 900 }] }));
    expect(plan.routes[0]?.shiftStartAt).toBe('2026-11-01T11:00:00.000Z');
  });

  it('a night shift finds open in the morning what opens after midnight', async () => {
    const early = await buildMarket(test.deps.db, { accessHours: '02:00-04:00' });
    const night = [{ startMin: 22 * 60, endMin: 6 * 60 }];
    const plan = await settled(await create({ vendingMachineIds: [], marketIds: [early.id], crews: night }));
    expect(plan.unassigned).toEqual([]);
    expect(plan.routes[0]?.stops[0]).toMatchObject({ lateMin: 0 });
  });

  it('stopped twice, a search still writes over nothing done since', async () => {
    const plan = await create({ timeLimitMs: 60_000 });
    await Promise.all([act(plan, 'stop'), act(plan, 'stop')]);
    const saved: DayPlan = (await act(plan, 'save')).json();
    expect(saved.status).toBe('saved');
    expect((await settled(plan)).status).toBe('saved');
  });

  it.each([
    ['nothing chosen', { vendingMachineIds: [] }, 'Please select at least one market or vending machine to plan.'],
    ['no driver', { crews: [] }, 'Choose at least one driver'],
    ['a day that does not exist', { date: '2026-02-30' }, 'This date does not exist'],
    [
      'an unknown machine',
      { vendingMachineIds: [999_999] },
      'A chosen location does not exist any more. Choose again.',
    ],
    ['an unknown driver', { crews: [{ driverId: 999_999 }] }, 'Driver 1 does not exist any more. Choose again.'],
    [
      'an unknown depot',
      { crews: [{ depotId: 999_999 }] },
      'The depot of Driver 1 does not exist any more. Choose again.',
    ],
    ['a negative time', { crews: [{ startMin: -5 }] }, 'Give a time of the day'],
    ['a shift of no length', { crews: [{ startMin: 600, endMin: 600 }] }, 'A shift cannot end at the minute it starts'],
    ['a driver twice', { crews: [{ driverId: 1 }, { driverId: 1 }] }, 'A driver is there twice. Remove one of them.'],
  ])('%s is refused with a sentence', async (_, body, sentence) => {
    const reply = await manager.call('POST', '/api/day-plans', {
      body: { date, vendingMachineIds: machines, crews: crews(), ...body },
    });
    expect(reply.json().detail).toBe(sentence);
  });

  it('an arrangement that loses or doubles a stop is refused', async () => {
    const plan = await settled(await create());
    const lost = arrangementOf(plan);
    lost.routes[lost.routes.findIndex((stops) => stops.length > 0)]?.pop();
    expect((await arrange(plan, lost)).statusCode).toBe(400);
    const doubled = arrangementOf(plan);
    const [one] = doubled.routes.flat();
    if (one) doubled.unassigned.push({ type: one.type, id: one.id });
    expect((await arrange(plan, doubled)).statusCode).toBe(400);
  });

  it('an incident of the day and the shift slows the drivers who meet it; resolved it no longer does', async () => {
    const report = async (fields: object): Promise<number> => {
      // Over the depot: every driver leaves through it.
      const place = { title: 'Jam', latitude: '40.70', longitude: '-74.00', severity: 'critical', type: 'congestion' };
      const reply = await manager.call('POST', '/api/traffic-incidents', { body: { ...place, radius: 2, ...fields } });
      return reply.json().id;
    };
    const late = { driverId: drivers[1], startMin: 1020, endMin: 1439 };
    const plan = await settled(await create({ crews: [crews()[0], late] }));
    const half = arrangementOf(plan).routes.flat();
    const arranged: DayPlan = (
      await arrange(plan, { routes: [half.slice(0, 4), half.slice(4)], unassigned: arrangementOf(plan).unassigned })
    ).json();
    const read = async (): Promise<DayPlan> => (await manager.call('GET', `/api/day-plans/${plan.id}`)).json();
    expect(arranged.routes.map((route) => route.delayMin)).toEqual([0, 0]);

    const today = await report({});
    expect((await read()).routes).toEqual(arranged.routes);
    const evening = await report({ reportedAt: `${date}T23:00:00Z`, estimatedDuration: 30 });
    const slowed = await read();
    expect(slowed.routes[0]).toEqual(arranged.routes[0]);
    const [before, during] = [arranged.routes[1], slowed.routes[1]];
    const first = during?.stops[0];
    expect(first).toMatchObject({ incidents: [evening] });
    expect(first?.delayMin).toBeGreaterThan(1);
    expect(Date.parse(first?.arrivalAt ?? '') - Date.parse(before?.stops[0]?.arrivalAt ?? '')).toBeGreaterThan(60_000);
    expect(during?.delayMin).toBeGreaterThan(first?.delayMin ?? 0);
    expect(Math.abs((during?.drivingMin ?? 0) - (before?.drivingMin ?? 0) - (during?.delayMin ?? 0))).toBeLessThan(2);

    for (const id of [today, evening]) await manager.call('POST', `/api/traffic-incidents/${id}/resolve`);
    expect((await read()).routes).toEqual(arranged.routes);
  });

  it('a change made on an older state is refused', async () => {
    const plan = await settled(await create());
    await arrange(plan, arrangementOf(plan));
    expect((await arrange(plan, arrangementOf(plan))).statusCode).toBe(409);
  });

  it('a driver may not plan', async () => {
    const driver = await test.as(drivers[0] ?? 0);
    const plan = await settled(await create());
    expect((await driver.call('GET', `/api/day-plans/${plan.id}`)).statusCode).toBe(403);
  });
});
