import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Point } from '../../domain/location.ts';
import { defaultEstimate } from '../../domain/travel-estimate.ts';
import type { Database } from '../db/database.ts';
import { openTestEmbedded } from '../testing/databases/databases.ts';
import { breaker } from './engines/breaker.ts';
import { type Engine, EngineFailed } from './engines/provider.ts';
import { purgeLines } from './lines.ts';
import { type NoWays, noWays } from './no-ways.ts';
import { wayOf } from './way.ts';

const inTown: Point[] = [0, 1, 2].map((at) => ({ lat: 40 + at / 100, lng: -74 }));
const beyond: Point = { lat: 44, lng: -74 };

/** An engine whose map ends at 41 degrees north. */
function engineThat(way: Engine['way']): Engine {
  return {
    source: 'valhalla',
    avoids: true,
    tableLimit: () => 10,
    wayLimit: 20,
    version: async () => 'test',
    table: async () => ({ durations: [], distances: [] }),
    roadKm: async (points) => points.map(() => 0),
    covers: ({ lat }) => lat < 41,
    way,
    close: async () => undefined,
  };
}

const legs: Engine['way'] = async (points) =>
  points.slice(1).map((point, at) => ({ seconds: 60, metres: 900, geometry: [points[at] ?? point, point] }));

let database: Database;
beforeAll(async () => {
  database = await openTestEmbedded();
});
afterAll(() => database.close());
beforeEach(() => database.db.execute(sql`delete from travel_lines`));

const at = new Date('2026-03-12T15:00:00Z');

type More = { version?: string; avoid?: Point[][]; known?: NoWays; now?: Date };
const asked = (points: Point[], way: Engine['way'], more: More = {}) => {
  const { version = 'test', avoid = [], known = noWays(), now = at } = more;
  return wayOf({
    db: database.db,
    at: now,
    ready: { engine: engineThat(way), version, breaker: breaker({ now: () => new Date() }) },
    isSilent: false,
    estimate: defaultEstimate,
    points,
    wish: { profile: 'car', avoid },
    noWays: known,
    failed: () => undefined,
  });
};

it('to a place outside the map is straight there, says why, and does not ask the engine about it', async () => {
  const seen: Point[] = [];
  const found = await asked([...inTown, beyond], (points, wish) => {
    seen.push(...points);
    return legs(points, wish);
  });
  expect(found.source).toBe('mixed');
  expect(found.warnings).toEqual([
    '1 of 3 legs are straight lines: a place is outside the map built here, distances are estimated.',
  ]);
  expect(found.legs.map(({ metres }) => metres === 900)).toEqual([true, true, false]);
  expect(seen).not.toContain(beyond);
});

it('wholly outside the map says so of all lines', async () => {
  const found = await asked([beyond, { ...beyond, lng: -74.1 }], legs);
  expect(found.warnings).toEqual(['Straight lines: a place is outside the map built here, distances are estimated.']);
});

it('tells an engine that did not answer from roads that do not exist', async () => {
  const refusing = (reason: 'down' | 'no-road') =>
    asked(inTown.slice(0, 2), async () => {
      throw new EngineFailed('no', { reason });
    });
  expect((await refusing('down')).warnings[0]).toMatch(/the road engine did not answer/);
  expect((await refusing('no-road')).warnings[0]).toMatch(/no road leads there/);
});

const never: Engine['way'] = async () => {
  throw new EngineFailed('asked');
};

it('is asked for once, and is there while the engine does not answer', async () => {
  const before = await asked(inTown, legs);
  expect(await asked(inTown, never)).toEqual(before);
  // A part of it, but not the way back nor a way on another map.
  expect((await asked(inTown.slice(1), never)).legs).toEqual(before.legs.slice(1));
  expect((await asked(inTown.toReversed(), never)).source).toBe('estimate');
  expect((await asked(inTown, never, { version: 'newer' })).source).toBe('estimate');
});

const closed: Point[][] = [[{ lat: 40, lng: -74 }]];
const closedIgnored = 'Closed roads are not taken into account on all legs.';
/** Twice as long around what is closed. */
const detoured: Engine['way'] = async (points, wish) =>
  (await legs(points, wish)).map((leg) => (wish.avoid.length > 0 ? { ...leg, metres: 1800 } : leg));

it('leads around closed roads, and says so of each leg', async () => {
  const around = await asked(inTown, detoured, { avoid: closed });
  expect(around).toMatchObject({ source: 'valhalla', isAnswered: true, warnings: [] });
  expect(around.legs.map(({ metres, avoided }) => [metres, avoided])).toEqual([
    [1800, true],
    [1800, true],
  ]);
  expect((await asked(inTown, detoured)).legs.some(({ avoided }) => avoided)).toBe(false);
});

it('follows the usual roads where the engine leads around no areas as large as these', async () => {
  const refusing: Engine['way'] = async (points, wish) => {
    if (wish.avoid.length > 0) throw new EngineFailed('too large', { reason: 'refused' });
    return legs(points, wish);
  };
  const way = await asked(inTown, refusing, { avoid: closed });
  expect(way).toMatchObject({ source: 'valhalla', isAnswered: true, warnings: [closedIgnored] });
  expect(way.legs.map(({ metres, avoided }) => [metres, avoided])).toEqual([
    [900, false],
    [900, false],
  ]);
});

it('follows the usual road to a place that nothing leads to around what is closed, and leads around on the rest', async () => {
  const cutOff: Engine['way'] = async (points, wish) => {
    if (wish.avoid.length > 0 && points.at(-1) === inTown[2]) throw new EngineFailed('no', { reason: 'unconnected' });
    return detoured(points, wish);
  };
  const way = await asked(inTown, cutOff, { avoid: closed });
  expect(way).toMatchObject({ source: 'valhalla', isAnswered: true, warnings: [closedIgnored] });
  expect(way.legs.map(({ metres, avoided }) => [metres, avoided])).toEqual([
    [1800, true],
    [900, false],
  ]);
});

it('follows the usual roads as stored while the engine is silent, and says that it may say more', async () => {
  const usual = await asked(inTown, legs);
  const way = await asked(inTown, never, { avoid: closed });
  expect(way).toEqual({ ...usual, isAnswered: false, warnings: [closedIgnored] });
});

it('leads around on the map while one place is outside it', async () => {
  const way = await asked([...inTown, beyond], detoured, { avoid: closed });
  expect(way.legs.map(({ avoided }) => avoided)).toEqual([true, true, false]);
  expect(way).toMatchObject({ source: 'mixed', isAnswered: true });
  expect(way.warnings.at(-1)).toBe(closedIgnored);
});

it('is not kept where it is straight, nor around closed roads, nor a month after it was last asked for', async () => {
  await asked(inTown, never);
  await asked(inTown, legs, { avoid: closed });
  expect((await asked(inTown, never)).source).toBe('estimate');
  const before = await asked(inTown, legs);
  await asked(inTown, detoured, { avoid: closed });
  expect(await asked(inTown, never)).toEqual(before);
  await purgeLines(database.db, new Date(at.getTime() + 29 * 86_400_000));
  expect(await asked(inTown, never)).toEqual(before);
  await purgeLines(database.db, new Date(at.getTime() + 31 * 86_400_000));
  expect((await asked(inTown, never)).source).toBe('estimate');
});

it('is not asked for again where no road leads there, for a day and as long as the map is the same', async () => {
  const known = noWays();
  const seen: Point[][] = [];
  const noRoad: Engine['way'] = async (points, wish) => {
    seen.push([...points]);
    if (points.includes(island)) throw new EngineFailed('no', { reason: 'no-road' });
    return legs(points, wish);
  };
  const island: Point = { lat: 40.5, lng: -73 };
  const route = [...inTown, island, ...inTown];
  const first = await asked(route, noRoad, { known });
  expect(first.warnings).toEqual([
    '2 of 6 legs are straight lines: no road leads there on this map, distances are estimated.',
  ]);
  seen.length = 0;
  expect(await asked(route, noRoad, { known })).toEqual(first);
  expect(seen).toEqual([]);
  // Around what is closed there is none either.
  await asked(route, noRoad, { known, avoid: closed });
  expect(seen.flat()).not.toContain(island);
  await asked(route, noRoad, { known, version: 'newer' });
  expect(seen.flat()).toContain(island);
  seen.length = 0;
  await asked(route, noRoad, { known, version: 'newer', now: new Date(at.getTime() + 25 * 3_600_000) });
  expect(seen.flat()).toContain(island);
});

it('beside a place outside the map is read as it is stored', async () => {
  const route = [...inTown, beyond, ...inTown];
  const before = await asked(route, legs);
  expect(await asked(route, never)).toEqual(before);
});
