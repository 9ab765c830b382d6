import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fewestLegs } from '../../domain/travel-estimate.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMarket, buildRoute, buildStop } from '../testing/factories.ts';
import { osrmServer, type RoadServer } from '../testing/road-servers.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { nobody, type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { writeManifest } from './roads-folder.ts';
import { learnEstimate } from './service.ts';

onEachDatabase('roads', (open) => {
  let test: TestApp;
  let server: RoadServer;
  let people: { manager: Person; worker: Person };
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-roads-'));
  beforeAll(async () => {
    server = await osrmServer();
    test = await testApp(open, { OSRM_URL: server.url, ROADS_DIR: folder });
    people = await oneOfEachRole(test, '101');
  });
  afterAll(async () => {
    await test.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const routeOf = async (designation: string) => {
    const { db } = test.deps;
    const depot = await buildDepot(db);
    const route = await buildRoute(db, { routeDesignation: designation, depotId: depot.id });
    const market = await buildMarket(db, { latitude: '40.80', longitude: '-74.00' });
    await buildStop(db, route.id, { marketId: market.id });
    return route.id;
  };

  it('draw the way of a route from its depot and back', async () => {
    const reply = await people.worker.call('GET', `/api/routes/${await routeOf('101')}/directions`);
    expect(reply.statusCode).toBe(200);
    const { source, legs } = reply.json();
    expect(source).toBe('osrm');
    expect(legs).toHaveLength(2);
    expect(legs[0].geometry[0]).toEqual([-74.05, 40.75]);
  });

  it("hide the way of another designation's route", async () => {
    const reply = await people.worker.call('GET', `/api/routes/${await routeOf('202')}/directions`);
    expect(reply.statusCode).toBe(404);
  });

  it('draw the way between points, and refuse what is none', async () => {
    const good = await people.worker.call('GET', '/api/directions?points=40.7,-74;40.8,-74.1');
    expect(good.json().legs[0]).toMatchObject({ metres: 20_000 });
    for (const points of ['', '40.7,-74', '91,0;1,1', 'a,b;c,d']) {
      const bad = await people.worker.call('GET', `/api/directions?points=${points}`);
      expect(bad.statusCode).toBe(400);
    }
    expect((await nobody(test.app).call('GET', '/api/directions?points=1,1;2,2')).statusCode).toBe(401);
  });

  it('serve street tiles that were built, to people who are signed in', async () => {
    expect((await people.worker.call('GET', '/api/map')).json()).toMatchObject({ tiles: null, source: 'osrm' });
    mkdirSync(path.join(folder, 'map-1/3/2'), { recursive: true });
    writeFileSync(path.join(folder, 'map-1/3/2/1.pbf'), gzipSync('a tile'));
    const map = { file: 'map-1', bounds: [-75, 40, -73, 41] as [number, number, number, number] };
    await writeManifest(folder, { version: '1', builtAt: '', extract: '', engine: null, map });
    const { tiles } = (await people.worker.call('GET', '/api/map')).json();
    const address = (x: number) => tiles.replace('{z}', '3').replace('{x}', String(x)).replace('{y}', '1');
    const tile = await people.worker.call('GET', address(2));
    expect(tile.statusCode).toBe(200);
    expect(gunzipSync(tile.rawPayload).toString()).toBe('a tile');
    expect((await people.worker.call('GET', address(3))).statusCode).toBe(204);
    expect((await people.worker.call('GET', '/api/map/tiles/3/..%2F/1')).statusCode).toBe(400);
    expect((await nobody(test.app).call('GET', address(2))).statusCode).toBe(401);
  });

  it('tell managers what driving is estimated from, learned from completed routes', async () => {
    const { db } = test.deps;
    expect((await people.worker.call('GET', '/api/travel-estimate')).statusCode).toBe(403);
    expect((await people.manager.call('GET', '/api/travel-estimate')).json()).toMatchObject({ learned: null });
    const start = test.deps.clock.now().getTime() - 86_400_000;
    const route = await buildRoute(db, { status: 'completed', completedAt: new Date(start + 40_000_000) });
    const late = { delay: 300, incidents: [1] };
    for (let index = 0; index <= fewestLegs + 1; index += 1) {
      const market = await buildMarket(db, { latitude: '40.7', longitude: String(-74 - index * 0.05) });
      // 20 minutes from arrival to arrival, ten of them service.
      const actualArrival = new Date(start + index * 1_200_000);
      const fields = { stopOrder: index + 1, completed: true, serviceMin: 10, actualArrival };
      // What an incident slowed tells nothing of other days.
      await buildStop(db, route.id, { marketId: market.id, ...fields, ...(index > fewestLegs ? late : {}) });
    }
    await learnEstimate(test.deps);
    const { learned, detourFactor } = (await people.manager.call('GET', '/api/travel-estimate')).json();
    expect(detourFactor).toBe(1.3);
    expect(learned).toMatchObject({ legs: fewestLegs, measuredLegs: 0 });
    expect(learned.errorAfterMin).toBeLessThan(learned.errorBeforeMin + 0.01);
  });

  it('let managers learn at once and go back to the usual figures, and nobody else', async () => {
    for (const [method, path] of [
      ['POST', '/api/travel-estimate/learn'],
      ['DELETE', '/api/travel-estimate'],
    ] as const)
      expect((await people.worker.call(method, path)).statusCode).toBe(403);
    const usual = await people.manager.call('DELETE', '/api/travel-estimate');
    expect(usual.json()).toMatchObject({ learned: null, detourFactor: 1.3, speedsKmh: [30, 45, 80], source: 'osrm' });
    const again = await people.manager.call('POST', '/api/travel-estimate/learn');
    expect(again.json()).toMatchObject({ outcome: 'learned', learned: { legs: fewestLegs } });
    await test.deps.db.execute(sql`delete from routes`);
    expect((await people.manager.call('POST', '/api/travel-estimate/learn')).json().outcome).toBe('too-few');
  });
});
