import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { users } from '../people/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMachine, buildMarket, buildUser } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('The driver, vehicle and depot of a route', (open) => {
  let t: TestApp;
  let manager: Person;
  let driverId: number;
  let market: number;
  let depot: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, workerId: driverId } = await oneOfEachRole(t, '101'));
    depot = (await buildDepot(t.deps.db, {})).id;
    market = (await buildMarket(t.deps.db, {})).id;
  });
  afterAll(() => t.close());

  const create = (crew: object) =>
    manager.call('POST', '/api/routes', {
      body: { name: 'North', date: '2026-03-12', stops: [{ type: 'market', id: market }], ...crew },
    });

  it.each(['driver', 'vehicle', 'depot'])('are refused by name where the %s is unknown', async (noun) => {
    const reply = await create({ [`${noun}Id`]: 999_999 });
    const sentence = `The chosen ${noun} does not exist any more. Choose again.`;
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ detail: sentence, fields: { [`${noun}Id`]: sentence } });
  });

  it('a route that names a place twice is refused and says which', async () => {
    const { id, name } = await buildMarket(t.deps.db, { name: 'North Hall' });
    const twice = [
      { type: 'market', id },
      { type: 'market', id: market },
      { type: 'market', id },
    ];
    const reply = await create({ stops: twice });
    const sentence = `${name} is on this route more than once. Name each location once.`;
    expect(reply.json()).toMatchObject({ status: 400, detail: sentence, fields: { 'stops.2': sentence } });
    const machine = await buildMachine(t.deps.db, { id });
    const made = await create({ stops: [twice[0], { type: 'vending_machine', id: machine.id }] });
    expect([made.statusCode, made.json().totalStops]).toEqual([201, 2]);
  });

  it('are told of a day while there is a route left to drive', async () => {
    const taken = async (date: string) => (await manager.call('GET', `/api/route-choices/taken?date=${date}`)).json();
    const day = '2026-03-14';
    const { id, stops } = (await create({ driverId, date: day })).json();
    await create({ driverId, date: day });
    await create({ date: day });
    expect(await taken(day)).toEqual([{ driverId, routes: 2 }]);
    expect(await taken('2026-03-15')).toEqual([]);
    const skipped = [{ stopId: stops[0].id, reason: 'Closed' }];
    await manager.call('PATCH', `/api/routes/${id}`, { body: { status: 'in_progress' } });
    await manager.call('PATCH', `/api/routes/${id}`, { body: { status: 'completed', skipped } });
    expect(await taken(day)).toEqual([{ driverId, routes: 1 }]);
  });

  it('are told and found by the e-mail address where the driver has no name', async () => {
    const nameless = { email: 'stern@example.test', firstName: '', lastName: '', role: 'field_worker' as const };
    const { id } = await buildUser(t.deps.db, nameless);
    await create({ driverId: id, date: '2026-03-20' });
    await create({ driverId, date: '2026-03-20' });
    const page = await manager.call('GET', '/api/scheduled-routes/page?date=2026-03-20&q=stern');
    expect(page.json().rows).toMatchObject([{ driverId: id, driverName: 'stern@example.test' }]);
  });

  it('are kept where they are known, and a deactivated driver is refused', async () => {
    const { db } = t.deps;
    expect((await create({ driverId, depotId: depot })).json()).toMatchObject({ driverId, depotId: depot });
    await db.update(users).set({ isActive: false }).where(eq(users.id, driverId));
    const reply = await create({ driverId });
    expect(reply.statusCode).toBe(409);
    expect(reply.json().detail).toBe('The chosen driver was deactivated. Choose again.');
  });
});
