import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RouteReportPage } from '../../contract/reports.ts';
import { routeStops, routes } from '../route-planning/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMarket, buildRoute, buildStop, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const instant = (day: number, minute = 0): Date => new Date(Date.UTC(2026, 2, day, 16, minute));

onEachDatabase('days of routes that are known', (open) => {
  let test: TestApp;
  let manager: Person;
  let routeId = 0;
  let stopId = 0;

  beforeAll(async () => {
    test = await testApp(open);
    const { db } = test.deps;
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    const market = await buildMarket(db, { name: 'Plaza', routeDesignation: '101' });
    for (const day of [9, 10]) {
      const route = await buildRoute(db, { date: `2026-03-${String(day).padStart(2, '0')}`, totalDistance: 16.09344 });
      const planned = { marketId: market.id, estimatedArrival: instant(day), legDistanceKm: 5 };
      const stop = await buildStop(db, route.id, planned);
      [routeId, stopId] = [route.id, stop.id];
    }
  });
  afterAll(() => test.close());

  async function told() {
    const reply = await manager.call('GET', '/api/reports/route/page?range=quarter');
    const { stops, days }: RouteReportPage = reply.json();
    return { ...stops, days: days.map(({ day, routes: count }) => `${day}: ${count}`) };
  }

  it('are told anew when a stop is visited, the rule for late stops changes, a route moves or goes', async () => {
    const { db } = test.deps;
    const both = ['2026-03-09: 1', '2026-03-10: 1'];
    expect(await told()).toEqual({ planned: 2, visited: 0, skipped: 0, late: 0, days: both });

    const visit = { completed: true, actualArrival: instant(10, 20) };
    await db.update(routeStops).set(visit).where(eq(routeStops.id, stopId));
    expect(await told()).toEqual({ planned: 2, visited: 1, skipped: 0, late: 1, days: both });

    await db.execute(sql`update operator set late_after_min = 25`);
    expect(await told()).toMatchObject({ visited: 1, late: 0 });

    await db.update(routes).set({ date: '2026-03-09' }).where(eq(routes.id, routeId));
    expect(await told()).toMatchObject({ visited: 1, days: ['2026-03-09: 2'] });

    await db.delete(routes).where(eq(routes.id, routeId));
    expect(await told()).toEqual({ planned: 1, visited: 0, skipped: 0, late: 0, days: ['2026-03-09: 1'] });
  });
});
