import { expect, it } from 'vitest';
import { breaker } from './engines/breaker.ts';
import { type Engine, usualWish } from './engines/provider.ts';
import { offRoad } from './off-road.ts';

const nothing = { durations: [], distances: [] };
const asked: number[] = [];
/** An engine whose map ends at 41 degrees north, and whose roads lie along the 40th. */
const engine: Engine = {
  source: 'valhalla',
  avoids: true,
  tableLimit: () => 10,
  wayLimit: 2,
  version: async () => 'test',
  table: async () => nothing,
  roadKm: async (points) => {
    asked.push(points.length);
    return points.map(({ lat }) => Math.round((lat - 40) * 111));
  },
  covers: ({ lat }) => lat < 41,
  way: async () => [],
  close: async () => undefined,
};

it('is told of each place once, as many at a time as the engine takes, and never of what its map has not', async () => {
  const away = offRoad();
  const at = [40, 40.1, 40.2, 40.1, 44].map((lat) => ({ lat, lng: -74 }));
  const how = {
    ready: { engine, version: 'test', breaker: breaker({ now: () => new Date() }) },
    wish: usualWish,
    failed: () => undefined,
  };
  expect(await away(at, how)).toEqual([0, 11, 22, 11, 'outside']);
  expect(await away(at, how)).toEqual([0, 11, 22, 11, 'outside']);
  expect(asked).toEqual([2, 1]);
  expect(await away(at, { ...how, ready: null })).toEqual([null, null, null, null, null]);
});
