import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Point } from '../../domain/location.ts';
import { defaultEstimate } from '../../domain/travel-estimate.ts';
import type { Database } from '../db/database.ts';
import { openTestEmbedded } from '../testing/databases/databases.ts';
import { breaker } from './engines/breaker.ts';
import { type Engine, EngineFailed } from './engines/provider.ts';
import { matrixOf } from './matrix.ts';

const inTown: Point[] = [0, 1, 2].map((at) => ({ lat: 40 + at / 100, lng: -74 }));
const beyond: Point = { lat: 44, lng: -74 };
const closed: Point[][] = [[{ lat: 40, lng: -74 }]];
const closedIgnored = 'Closed roads are not taken into account in all distances and times.';

/** A minute everywhere, two around what is closed. */
const detoured: Engine['table'] = async (from, to, { avoid }) => {
  const cells = from.map(() => to.map(() => (avoid.length > 0 ? 120 : 60)));
  return { durations: cells, distances: cells };
};

/** An engine whose map ends at 41 degrees north. */
const engineThat = (table: Engine['table']): Engine => ({
  source: 'valhalla',
  avoids: true,
  tableLimit: () => 10,
  wayLimit: 20,
  version: async () => 'test',
  table,
  roadKm: async (points) => points.map(() => 0),
  covers: ({ lat }) => lat < 41,
  way: async () => [],
  close: async () => undefined,
});

let database: Database;
beforeAll(async () => {
  database = await openTestEmbedded();
});
afterAll(() => database.close());

const asked = (points: Point[], table = detoured) =>
  matrixOf({
    db: database.db,
    at: new Date('2026-03-12T15:00:00Z'),
    ready: { engine: engineThat(table), version: 'test', breaker: breaker({ now: () => new Date() }) },
    isSilent: false,
    estimate: defaultEstimate,
    points,
    wish: { profile: 'car', avoid: closed },
    mayAsk: true,
    failed: () => undefined,
  });

it('leads around closed roads on the map while one place is outside it', async () => {
  const { durations, ...matrix } = await asked([...inTown, beyond]);
  expect(durations.slice(0, 3).map((row) => row.slice(0, 3))).toEqual([
    [0, 120, 120],
    [120, 0, 120],
    [120, 120, 0],
  ]);
  expect(durations[0]?.[3]).toBeGreaterThan(3_600);
  expect(matrix).toMatchObject({ avoided: true, source: 'mixed', outside: [false, false, false, true] });
  expect(matrix.warnings).toEqual([
    '6 of 12 distances and times are estimated: some places are outside the map built here.',
    closedIgnored,
  ]);
});

it('leads around nothing where one way on the map is missing', async () => {
  let isFirst = true;
  const failing: Engine['table'] = async (from, to, wish) => {
    if (isFirst) {
      isFirst = false;
      throw new EngineFailed('no', { reason: 'refused' });
    }
    return detoured(from, to, wish);
  };
  const matrix = await asked([...inTown, beyond], failing);
  expect(matrix).toMatchObject({ avoided: false, outside: [false, false, false, true] });
  expect(matrix.durations[0]?.slice(0, 3)).toEqual([0, 60, 60]);
});
