import { describe, expect, it } from 'vitest';
import { clusterPoints, fromWorld, ringOffset, shortCount, toWorld } from './cluster.ts';

function scatter(count: number): { x: number; y: number }[] {
  let seed = 11;
  const next = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  return Array.from({ length: count }, () => ({ x: next(), y: next() }));
}

describe('clustering of locations', () => {
  it('keeps every location in exactly one cluster', () => {
    const members = clusterPoints(scatter(2000), 4, 46).flatMap((cluster) => cluster.members);
    expect(members.sort((a, b) => a - b)).toEqual(Array.from({ length: 2000 }, (_, index) => index));
  });

  it('merges neighbours within the radius and leaves others apart', () => {
    const pixel = 1 / (512 * 2 ** 10);
    const points = [
      { x: 0.3, y: 0.4 },
      { x: 0.3 + 30 * pixel, y: 0.4 },
      { x: 0.3 + 60 * pixel, y: 0.4 },
    ];
    expect(clusterPoints(points, 10, 46).map((cluster) => cluster.members)).toEqual([[0, 1], [2]]);
  });

  it('puts a cluster at the mean of its members', () => {
    const [only] = clusterPoints(
      [
        { x: 0.5, y: 0.5 },
        { x: 0.50001, y: 0.50002 },
      ],
      2,
      46,
    );
    expect(only?.x).toBeCloseTo(0.500005, 8);
    expect(only?.y).toBeCloseTo(0.50001, 8);
  });

  it('makes fewer clusters the further away the map is looked at', () => {
    const points = scatter(1000);
    const counts = [1, 3, 5, 8].map((zoom) => clusterPoints(points, zoom, 46).length);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  it('loses none of 50,000 locations', () => {
    const clusters = clusterPoints(scatter(50_000), 6, 46);
    expect(clusters.reduce((sum, cluster) => sum + cluster.members.length, 0)).toBe(50_000);
  });
});

describe('positions on the map', () => {
  it('come back unchanged from world coordinates', () => {
    const back = fromWorld(toWorld({ lat: 40.7359, lng: -74.1724 }));
    expect(back.lat).toBeCloseTo(40.7359, 9);
    expect(back.lng).toBeCloseTo(-74.1724, 9);
  });

  it('leave a lone marker where it is and spread several at one spot', () => {
    expect(ringOffset(0, 1)).toEqual([0, 0]);
    const ring = [0, 1, 2].map((index) => ringOffset(index, 3).join());
    expect(new Set(ring).size).toBe(3);
  });

  it('write counts so that they fit into a cluster', () => {
    expect([7, 999, 1000, 1290, 50_000].map(shortCount)).toEqual(['7', '999', '1k', '1.2k', '50k']);
  });
});
