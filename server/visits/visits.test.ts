import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Stop } from '../../contract/routes.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildMarket, buildRoute, buildStop } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('Visits of a place that was deleted', (open) => {
  let t: TestApp;
  let manager: Person;
  let admin: Person;
  let worker: Person;
  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, admin, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  const visitAt = (column: 'market_id' | 'vending_machine_id', id: number) =>
    t.deps.db.execute(
      sql`insert into visits (id, ${sql.raw(column)}, device_seq, opened_at, note)
          values (${randomUUID()}, ${id}, 1, ${t.deps.clock.now().toISOString()}, 'Key at the desk')`,
    );
  const noted = async (person: Person, type: string, id: number) => {
    const reply = await person.call('GET', `/api/visits?type=${type}&id=${id}`);
    return reply.statusCode === 200
      ? reply.json().visits.map((visit: { note: string }) => visit.note)
      : reply.statusCode;
  };

  it('stay readable for those who could read them before, and for nobody else', async () => {
    const market = await buildMarket(t.deps.db, { routeDesignation: '101' });
    const machine = await buildMachine(t.deps.db, { routeDesignation: '202' });
    await visitAt('market_id', market.id);
    await visitAt('vending_machine_id', machine.id);
    expect((await admin.call('DELETE', `/api/markets/${market.id}`)).statusCode).toBe(200);
    expect((await admin.call('DELETE', `/api/vending-machines/${machine.id}`)).statusCode).toBe(200);
    expect(await noted(worker, 'market', market.id)).toEqual(['Key at the desk']);
    const ofMarket = await worker.call('GET', `/api/visits?type=market&id=${market.id}&limit=1`);
    expect(ofMarket.json()).toMatchObject({ total: 1, more: false });
    expect(await noted(manager, 'vending_machine', machine.id)).toEqual(['Key at the desk']);
    expect(await noted(worker, 'vending_machine', machine.id)).toBe(404);
    expect(await noted(manager, 'market', 9999)).toBe(404);
  });

  it('its stop says so and can be skipped or completed all the same', async () => {
    const { db } = t.deps;
    const [gone, there] = [await buildMarket(db, { routeDesignation: '101' }), await buildMarket(db)];
    const date = t.deps.clock.now().toISOString().slice(0, 10);
    const route = await buildRoute(db, { date, status: 'in_progress', startedAt: t.deps.clock.now() });
    await buildStop(db, route.id, { stopOrder: 1, marketId: gone.id, locationName: gone.name });
    await buildStop(db, route.id, { stopOrder: 2, marketId: there.id });
    await admin.call('DELETE', `/api/markets/${gone.id}`);
    const stops: Stop[] = (await manager.call('GET', `/api/routes/${route.id}`)).json().stops;
    expect(stops.map((stop) => stop.isDeleted)).toEqual([true, false]);
    const completed = await manager.call('PATCH', `/api/route-stops/${stops[0]?.id}`, { body: { completed: true } });
    expect(completed.json()).toMatchObject({ completed: true, isDeleted: true, locationName: gone.name });
  });
});
