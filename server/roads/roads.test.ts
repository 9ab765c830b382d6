import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Point } from '../../domain/location.ts';
import type { Database } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import type { Roads } from '../deps.ts';
import { parseEnv } from '../env.ts';
import { createLog } from '../http/watch/log.ts';
import { onEachDatabase, openTestEmbedded } from '../testing/databases/databases.ts';
import { osrmServer, type RoadServer, valhallaServer, worldTravel } from '../testing/road-servers.ts';
import { purgeCache } from './cache.ts';
import { roadsOf } from './service.ts';

const places = (count: number): Point[] =>
  Array.from({ length: count }, (_, index) => ({ lat: 40 + (index % 7) / 100, lng: -74 + index / 1000 }));

type Setting = { VALHALLA_URL?: string; OSRM_URL?: string };
let now = new Date('2026-03-12T15:00:00Z');
let waits: number[] = [];

function roadsOn(database: Database, setting: Setting): Roads {
  const io = {
    fetch: (...args: Parameters<typeof fetch>) => fetch(...args),
    wait: async (ms: number) => void waits.push(ms),
    random: () => 0.5,
  };
  const deps = {
    env: parseEnv({ MILKRUN_DATA: '/nonexistent', ...setting }),
    db: database.db,
    clock: { now: () => now },
    log: createLog('silent'),
  };
  return roadsOf(deps, { io });
}

const truth = (points: readonly Point[], at: 0 | 1) =>
  points.map((from) => points.map((to) => worldTravel(from, to)?.[at] ?? null));

beforeEach(() => {
  now = new Date('2026-03-12T15:00:00Z');
  waits = [];
});

describe('a road server', () => {
  let database: Database;
  let server: RoadServer;
  beforeEach(async () => {
    database = await openTestEmbedded();
  });
  afterEach(async () => {
    await server.close();
    await database.close();
  });

  it('of Valhalla is asked in blocks of its limit, and directions differ', async () => {
    server = await valhallaServer();
    const points = places(120);
    const matrix = await roadsOn(database, { VALHALLA_URL: server.url }).matrix(points);
    expect(matrix).toMatchObject({
      source: 'valhalla',
      warnings: [],
      durations: truth(points, 0),
      distances: truth(points, 1),
    });
    expect(matrix.durations[0]?.[9]).not.toBe(matrix.durations[9]?.[0]);
    expect(Math.max(...server.tables.flat())).toBe(50);
  });

  it('of OSRM is asked for seconds and metres, and a smaller limit is learned', async () => {
    server = await osrmServer(30);
    const points = places(70);
    const matrix = await roadsOn(database, { OSRM_URL: server.url }).matrix(points);
    expect(matrix).toMatchObject({
      source: 'osrm',
      warnings: [],
      durations: truth(points, 0),
      distances: truth(points, 1),
    });
  });

  it('that has a bad moment is asked again', async () => {
    server = await osrmServer();
    const roads = roadsOn(database, { OSRM_URL: server.url });
    server.next = [null, { status: 503, body: {} }, { status: 429, body: {}, headers: { 'retry-after': '2' } }];
    const matrix = await roads.matrix(places(3));
    expect(matrix.source).toBe('osrm');
    expect(waits).toEqual([300, 2000]);
  });

  it('that fails a block leaves that block to the estimate, and the plan says so', async () => {
    server = await valhallaServer();
    const roads = roadsOn(database, { VALHALLA_URL: server.url });
    const down = { status: 500, body: {} };
    // The two blocks asked for first fail three times each.
    server.next = [null, down, down, down, down, down, down];
    const points = places(60);
    const matrix = await roads.matrix(points);
    expect(matrix.source).toBe('mixed');
    expect(matrix.warnings).toEqual([
      expect.stringMatching(/of 3540 distances and times are estimated: the road engine did not answer\.$/),
    ]);
    const right = truth(points, 0).flat();
    const known = matrix.durations.flat().filter((value, index) => value === right[index]).length;
    expect(known).toBeGreaterThan(60);
    expect(known).toBeLessThan(3600);
  });

  it('that is gone is left alone for a while; everything is estimated at once', async () => {
    server = await osrmServer();
    const roads = roadsOn(database, { OSRM_URL: server.url });
    await roads.matrix(places(2));
    await server.close();
    for (let round = 0; round < 5; round += 1) await roads.matrix(places(3 + round));
    const tries = waits.length;
    const matrix = await roads.matrix(places(12));
    expect(waits.length).toBe(tries);
    expect(matrix.source).toBe('mixed');
    expect(matrix.durations[0]?.[11]).toBeGreaterThan(0);
  });

  it('that never answered is no reason for a quiet estimate: plan and way say so', async () => {
    server = await osrmServer();
    await server.close();
    const roads = roadsOn(database, { OSRM_URL: server.url });
    const matrix = await roads.matrix(places(3));
    expect(matrix.source).toBe('estimate');
    expect(matrix.warnings).toEqual(['Distances and times are estimated: the road engine did not answer.']);
    const way = await roads.route(places(3));
    expect(way.warnings).toEqual(['Straight lines: the road engine did not answer, distances are estimated.']);
    expect((await roads.matrix(places(1))).warnings).toEqual([]);
    expect(await roads.source()).toBe('osrm');
  });

  it('knows places without a way: they are null, never a large number', async () => {
    server = await osrmServer();
    const points = [...places(2), { lat: 60, lng: -74 }];
    const { durations, distances } = await roadsOn(database, { OSRM_URL: server.url }).matrix(points);
    expect(durations[0]?.[2]).toBeNull();
    expect(distances[2]?.[1]).toBeNull();
    expect(durations[0]?.[1]).toBe(220);
  });

  it('that refuses a place far from every road answers for the others', async () => {
    server = await valhallaServer();
    const points = [...places(3), { lat: 40, lng: -175 }];
    const matrix = await roadsOn(database, { VALHALLA_URL: server.url }).matrix(points);
    expect(matrix.warnings).toEqual([]);
    expect(matrix.durations.map((row) => row[3])).toEqual([null, null, null, 0]);
    expect(matrix.durations[2]?.[0]).toBe(truth(points, 0)[2]?.[0]);
  });

  it('that has no road near any place is not asked about none', async () => {
    server = await valhallaServer();
    const points = [175, 176, 177].map((west) => ({ lat: 40, lng: -west }));
    const { durations } = await roadsOn(database, { VALHALLA_URL: server.url }).matrix(points);
    expect(durations[0]).toEqual([0, null, null]);
    expect(server.tables).toEqual([[3, 3]]);
  });

  it('of Valhalla drives around a closed area, and what it says then is not kept', async () => {
    server = await valhallaServer();
    const roads = roadsOn(database, { VALHALLA_URL: server.url });
    const avoid = [
      [
        { lat: 40.02, lng: -74 },
        { lat: 40.03, lng: -74 },
        { lat: 40.02, lng: -73.99 },
      ],
    ];
    const closed = await roads.matrix(places(2), { avoid });
    const open = await roads.matrix(places(2));
    expect(closed.avoided).toBe(true);
    expect(closed.durations[0]?.[1]).toBe((open.durations[0]?.[1] ?? 0) * 2);
  });

  it('of Valhalla is not asked pair by pair where no way leads from any place to any', async () => {
    server = await valhallaServer();
    const here = places(50);
    const beyond = here.map(({ lat, lng }) => ({ lat: lat + 20, lng }));
    const { durations, warnings } = await roadsOn(database, { VALHALLA_URL: server.url }).matrix([...here, ...beyond]);
    expect(
      durations
        .slice(0, 50)
        .flatMap((row) => row.slice(50))
        .every((cell) => cell === null),
    ).toBe(true);
    expect([durations[0]?.[1], warnings]).toEqual([220, []]);
    expect(server.tables).toEqual(Array.from({ length: 4 }, () => [50, 50]));
  });

  it('of Valhalla that fails at closed areas leaves what is stored without them, and the plan says so', async () => {
    server = await valhallaServer();
    const roads = await roadsOn(database, { VALHALLA_URL: server.url });
    const usual = await roads.matrix(places(3));
    const avoid = [places(3).map(({ lat, lng }) => ({ lat: lat + 1, lng }))];
    const refusal = { error_code: 167, error: 'Exceeded maximum circumference for exclude_polygons' };
    server.next = [{ status: 400, body: refusal }];
    const closed = await roads.matrix(places(3), { avoid });
    expect(closed).toEqual({ ...usual, warnings: [expect.stringMatching(/^Closed roads/)] });
    expect((await roads.matrix(places(3), { avoid })).avoided).toBe(true);
  });

  it('of Valhalla that refuses closed areas is asked on for the rest: it is there', async () => {
    server = await valhallaServer();
    const roads = await roadsOn(database, { VALHALLA_URL: server.url });
    const avoid = [places(3).map(({ lat, lng }) => ({ lat: lat + 1, lng }))];
    const refusal = { error_code: 167, error: 'Exceeded maximum circumference for exclude_polygons' };
    await roads.matrix(places(3));
    for (let asked = 0; asked < 5; asked += 1) {
      server.next = [{ status: 400, body: refusal }];
      const way = await roads.route(places(3), { avoid });
      expect(way).toMatchObject({ source: 'valhalla', warnings: [expect.stringMatching(/^Closed roads/)] });
      expect(server.next).toEqual([]);
    }
    expect((await roads.matrix(places(5))).source).toBe('valhalla');
  });

  it('of OSRM cannot drive around, and the plan says so', async () => {
    server = await osrmServer();
    const avoid = [
      [
        { lat: 40, lng: -74 },
        { lat: 40.1, lng: -74 },
        { lat: 40, lng: -73.9 },
      ],
    ];
    const matrix = await roadsOn(database, { OSRM_URL: server.url }).matrix(places(2), { avoid });
    expect(matrix).toMatchObject({ avoided: false, warnings: [expect.stringMatching(/Closed roads/)] });
  });

  it('tells how far places are from the nearest road, and nothing where it has none', async () => {
    const points = [...places(1), { lat: 40, lng: -165 }, { lat: 40, lng: -175 }];
    server = await valhallaServer();
    const [near, far, none] = await roadsOn(database, { VALHALLA_URL: server.url }).roadKm(points);
    expect([near, Number(far).toFixed(1), none]).toEqual([0, '2.2', null]);
    await server.close();
    server = await osrmServer();
    const ofOsrm = await roadsOn(database, { OSRM_URL: server.url }).roadKm(points.slice(0, 2));
    expect(ofOsrm.map((km) => Number(km).toFixed(1))).toEqual(['0.0', '2.2']);
    expect(await roadsOn(database, {}).roadKm(points)).toEqual([null, null, null]);
  });

  it('gives a way along its roads, in pieces it takes, one leg between two places', async () => {
    server = await valhallaServer();
    const points = places(45);
    const way = await roadsOn(database, { VALHALLA_URL: server.url }).route(points);
    expect(way).toMatchObject({ source: 'valhalla', warnings: [] });
    expect(way.legs).toHaveLength(44);
    expect(way.legs[3]?.geometry).toHaveLength(3);
    expect(way.legs[3]?.metres).toBe(worldTravel(points[3] as Point, points[4] as Point)?.[1]);
  });

  it('without a way to one place leaves only the legs around it straight', async () => {
    server = await osrmServer();
    const points = [...places(4), { lat: 60, lng: -74 }, ...places(4)];
    const way = await roadsOn(database, { OSRM_URL: server.url }).route(points);
    expect(way.source).toBe('mixed');
    expect(way.warnings[0]).toMatch(/^2 of 8 legs are straight lines: no road leads there/);
  });
});

it('without a road server everything is an estimate and says so', async () => {
  const database = await openTestEmbedded();
  const roads = roadsOn(database, {});
  const matrix = await roads.matrix(places(3));
  expect(matrix).toMatchObject({ source: 'estimate', warnings: [] });
  expect((await roads.route(places(3))).source).toBe('estimate');
  await database.close();
});

onEachDatabase('answers of a road server are kept', (open) => {
  let database: Database;
  let server: RoadServer;
  let map = 'map-1';
  let roads: Roads;
  beforeEach(async () => {
    database = await open();
    map = 'map-1';
    server = await osrmServer(100, () => map);
    roads = roadsOn(database, { OSRM_URL: server.url });
  });
  afterEach(async () => {
    await server.close();
    await database.close();
  });

  it('and not asked for again', async () => {
    const first = await roads.matrix(places(20));
    server.tables.length = 0;
    expect(await roads.matrix(places(20))).toEqual(first);
    expect(server.tables).toEqual([]);
  });

  it('so that a new place costs its row and its column only', async () => {
    await roads.matrix(places(20));
    server.tables.length = 0;
    const points = places(21);
    expect((await roads.matrix(points)).distances).toEqual(truth(points, 1));
    expect(server.tables.toSorted()).toEqual([
      [1, 21],
      [20, 1],
    ]);
  });

  it('with places that have no way as such', async () => {
    const points = [...places(2), { lat: 60, lng: -74 }];
    await roads.matrix(points);
    server.tables.length = 0;
    expect((await roads.matrix(points)).durations[0]?.[2]).toBeNull();
    expect(server.tables).toEqual([]);
  });

  it('until the map is another one', async () => {
    await roads.matrix(places(4));
    map = 'map-2';
    now = new Date(now.getTime() + 3_600_000);
    server.tables.length = 0;
    await roads.matrix(places(4));
    expect(server.tables).toEqual([[4, 4]]);
  });

  it('and serve within a transaction without asking the server', async () => {
    await roads.matrix(places(4));
    server.tables.length = 0;
    const [known, partly] = await database.db.transaction(async (tx) => [
      await roads.knownMatrix(tx, places(4)),
      await roads.knownMatrix(tx, places(5)),
    ]);
    expect(known?.source).toBe('osrm');
    expect(partly?.source).toBe('mixed');
    expect(server.tables).toEqual([]);
  });

  it('and removed once nobody asked for them in a month', async () => {
    await roads.matrix(places(4));
    const count = async () =>
      (await firstRow<{ count: number }>(database.db, sql`select count(*)::int as count from travel_rows`))?.count;
    await purgeCache(database.db, new Date(now.getTime() + 29 * 86_400_000));
    expect(await count()).toBe(4);
    await purgeCache(database.db, new Date(now.getTime() + 31 * 86_400_000));
    expect(await count()).toBe(0);
  });
});
