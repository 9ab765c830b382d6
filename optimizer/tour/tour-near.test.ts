import { describe, expect, test } from 'vitest';
import { Random } from '../random.ts';
import { fullTree, OneTree } from './spanning-tree.ts';
import { tourNear } from './tour-near.ts';

type Place = readonly [number, number];

function costOf(places: readonly Place[]): Int32Array {
  return Int32Array.from(places.flatMap(([x, y]) => places.map(([u, v]) => Math.round(Math.hypot(x - u, y - v)))));
}

function rowsOf(cost: Int32Array, width: number): number[][] {
  const size = Math.sqrt(cost.length);
  const near = tourNear(cost, size, 100, width);
  return Array.from({ length: size }, (_, node) => [...near.subarray(node * width, (node + 1) * width)]);
}

describe('the nodes worth joining', () => {
  test('of stops on a line lie on both sides', () => {
    // The hole to the left is farther than twelve to the right, so plain nearness would not see it.
    const places = Array.from({ length: 40 }, (_, i): Place => [i < 20 ? i * 10 : 1000 + i * 10, 0]);
    const rows = rowsOf(costOf(places), 8);
    expect(rows[20]?.some((other) => other < 20)).toBe(true);
    expect(rows[19]?.some((other) => other >= 20)).toBe(true);
  });

  test('of clusters lead to other clusters in more than one way', () => {
    const random = new Random(5);
    const corners: Place[] = [
      [0, 0],
      [9000, 0],
      [0, 9000],
      [9000, 9000],
    ];
    const places = Array.from({ length: 200 }, (_, i): Place => {
      const [x, y] = corners[i % 4] ?? [0, 0];
      return [x + random.below(1000), y + random.below(1000)];
    });
    const ways = new Set<string>();
    for (const [node, row] of rowsOf(costOf(places), 8).entries()) {
      for (const other of row) if (other % 4 !== node % 4) ways.add([node, other].sort((a, b) => a - b).join());
    }
    // A tree would have three.
    expect(ways.size).toBeGreaterThan(8);
  });

  test('are others than the node itself, nearest first, and never along a leg that must stay', () => {
    const random = new Random(3);
    const places = Array.from({ length: 50 }, (): Place => [random.below(1000), random.below(1000)]);
    const cost = costOf(places);
    cost[1] = -1e8;
    cost[50] = -1e8;
    for (const [node, row] of rowsOf(cost, 8).entries()) {
      const apart = row.map((other) => cost[node * 50 + other] ?? 0);
      expect(row).not.toContain(node);
      expect(apart).toEqual([...apart].sort((a, b) => a - b));
      expect(apart[0]).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('a spanning tree', () => {
  const places = Array.from({ length: 30 }, (_, i): Place => {
    const angle = (2 * Math.PI * i) / 30;
    return [1e5 * Math.cos(angle), 1e5 * Math.sin(angle)];
  });
  const cost = costOf(places);

  test('over all pairs is as short as it can be', () => {
    const father = fullTree(cost, 30);
    const length = father.reduce((sum, above, node) => sum + (cost[node * 30 + above] ?? 0), 0);
    expect(length).toBe(29 * (cost[1] ?? 0));
  });

  test('with one leg more bounds the tour from below, whatever the weights', () => {
    const rows = places.map((_, node) => places.map((_, other) => other).filter((other) => other !== node));
    const from = Int32Array.from({ length: 31 }, (_, node) => node * 29);
    const legs = rows.flatMap((row, node) => row.map((other) => cost[node * 30 + other] ?? 0));
    const tree = new OneTree({ size: 30, from, to: Int32Array.from(rows.flat()), cost: Float64Array.from(legs) });
    tree.build(new Float64Array(30));
    expect(tree.bound).toBe(30 * (cost[1] ?? 0));
    const random = new Random(1);
    tree.build(Float64Array.from({ length: 30 }, () => random.below(20_000) - 10_000));
    expect(tree.bound).toBeLessThanOrEqual(30 * (cost[1] ?? 0));
  });
});
