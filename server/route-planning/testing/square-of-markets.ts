import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { OpenTestDatabase } from '../../testing/databases/databases.ts';
import { buildDepot, buildMarket, buildUser } from '../../testing/factories.ts';
import { oneOfEachRole } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';

const jam = { title: 'Jam', severity: 'critical', type: 'congestion', radius: 1 };

/** A manager and a driver with four markets, and incidents between them. Each test begins without route and incident. */
export function squareOfMarkets(open: OpenTestDatabase) {
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
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    await t.deps.db.execute(sql`delete from traffic_incidents`);
    await t.deps.db.execute(sql`delete from routes`);
  });

  const report = async (fields: object) =>
    (await manager.call('POST', '/api/traffic-incidents', { body: { ...jam, ...fields } })).json();
  const resolve = (id: number) => manager.call('POST', `/api/traffic-incidents/${id}/resolve`);
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
  return {
    get t() {
      return t;
    },
    get manager() {
      return manager;
    },
    get worker() {
      return worker;
    },
    get stranger() {
      return stranger;
    },
    get corners() {
      return corners;
    },
    report,
    resolve,
    save,
    read,
    offers,
  };
}

/** Between the first two corners. */
export const west = { latitude: '40.73', longitude: '-74.04' };
/** Where a planned route of the day is under way. */
export const allDay = { reportedAt: '2026-03-12T09:00:00Z' };
