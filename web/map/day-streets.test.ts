import { expect, test } from 'vitest';
import { keepStreets, mostTiles, tilesAround } from './day-streets.ts';

const cityHall = { lat: 40.7128, lng: -74.006 };

test('the tiles around a stop are those that the map asks for there', () => {
  const tiles = tilesAround([cityHall]);
  expect(tiles).toContainEqual({ z: 14, x: 4823, y: 6160 });
  expect(tiles).toContainEqual({ z: 14, x: 4824, y: 6161 });
  expect(tiles).toContainEqual({ z: 6, x: 18, y: 24 });
  expect(tiles).toHaveLength(9 * 9);
});

test('stops beside each other share tiles, a long day is cut at its closest ones', () => {
  const near = [cityHall, { lat: 40.7129, lng: -74.0061 }];
  expect(tilesAround(near)).toHaveLength(81);
  const far = Array.from({ length: 40 }, (_, n) => ({ lat: 30 + n / 2, lng: -110 + n / 2 }));
  const tiles = tilesAround(far);
  expect(tiles).toHaveLength(mostTiles);
  expect(tiles[0]?.z).toBe(6);
});

test('a stop at the edge of the world asks for no tile beyond it', () => {
  for (const { z, x, y } of tilesAround([{ lat: 85, lng: 179.9999 }])) {
    expect(x).toBeLessThan(2 ** z);
    expect(y).toBeGreaterThanOrEqual(0);
  }
});

test('each tile is fetched once, and none where the server has built no streets', async () => {
  const asked: string[] = [];
  const deps = (template: string | null) => ({
    findTiles: async () => template,
    fetch: async (url: string) => void asked.push(url),
    isWanted: () => true,
  });
  await keepStreets([cityHall], deps(null));
  expect(asked).toEqual([]);
  await keepStreets([cityHall], deps('/api/map/tiles/{z}/{x}/{y}?v=one'));
  await keepStreets([cityHall], deps('/api/map/tiles/{z}/{x}/{y}?v=one'));
  expect(asked).toHaveLength(81);
  expect(asked).toContain('/api/map/tiles/14/4823/6160?v=one');
});

test('it ends when the network does, and goes on from there', async () => {
  const asked: string[] = [];
  let isThere = true;
  const deps = {
    findTiles: async () => '/t/{z}/{x}/{y}?v=two',
    fetch: async (url: string) => {
      asked.push(url);
      isThere = asked.length !== 5;
    },
    isWanted: () => isThere,
  };
  await keepStreets([cityHall], deps);
  expect(asked).toHaveLength(5);
  isThere = true;
  await keepStreets([cityHall], deps);
  expect(new Set(asked).size).toBe(81);
  expect(asked).toHaveLength(81);
});
