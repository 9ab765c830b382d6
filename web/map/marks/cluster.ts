import type { Point } from '../../../domain/location.ts';

/** Width of the world in pixels at zoom 0. */
export const worldPx = 512;
const latLimit = 85.0511;

/** Web Mercator: both axes from 0 to 1, y down. Unit: the width of the world. */
export function toWorld({ lat, lng }: Point): { x: number; y: number } {
  const bounded = Math.max(-latLimit, Math.min(latLimit, lat));
  const sin = Math.sin((bounded * Math.PI) / 180);
  return { x: lng / 360 + 0.5, y: 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI) };
}

export function fromWorld({ x, y }: { x: number; y: number }): Point {
  const lat = (360 / Math.PI) * Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) - 90;
  return { lat, lng: (x - 0.5) * 360 };
}

/** Places nearer to each other than the radius, as indices into the list given, and their mean position. */
export type Cluster = { x: number; y: number; members: number[] };

/**
 * Groups points closer than `radiusPx` at a zoom. The first point of the list founds a group and takes its near
 * neighbours, so that the same list always gives the same groups, wherever the map is dragged. Linear in the points.
 */
export function clusterPoints(points: readonly { x: number; y: number }[], zoom: number, radiusPx: number): Cluster[] {
  const scale = worldPx * 2 ** zoom;
  const radius = radiusPx / scale;
  const grid = new Map<number, number[]>();
  const founders: { x: number; y: number }[] = [];
  const clusters: Cluster[] = [];
  const columns = Math.ceil(1 / radius) + 2;

  points.forEach((point, index) => {
    const column = Math.floor(point.x / radius);
    const row = Math.floor(point.y / radius);
    const near = nearestFounder(point, { grid, founders, columns, radius });
    if (near !== undefined) {
      clusters[near]?.members.push(index);
      return;
    }
    const cell = row * columns + column;
    const here = grid.get(cell);
    if (here) here.push(clusters.length);
    else grid.set(cell, [clusters.length]);
    founders.push(point);
    clusters.push({ x: point.x, y: point.y, members: [index] });
  });
  for (const cluster of clusters) moveToMean(cluster, points);
  return clusters;
}

type Founders = { grid: Map<number, number[]>; founders: { x: number; y: number }[]; columns: number; radius: number };

function nearestFounder(point: { x: number; y: number }, seen: Founders): number | undefined {
  const column = Math.floor(point.x / seen.radius);
  const row = Math.floor(point.y / seen.radius);
  let best: number | undefined;
  let bestDistance = seen.radius ** 2;
  for (let cell = 0; cell < 9; cell++) {
    const key = (row - 1 + Math.floor(cell / 3)) * seen.columns + column - 1 + (cell % 3);
    for (const candidate of seen.grid.get(key) ?? []) {
      const founder = seen.founders[candidate];
      if (!founder) continue;
      const distance = (founder.x - point.x) ** 2 + (founder.y - point.y) ** 2;
      if (distance >= bestDistance) continue;
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function moveToMean(cluster: Cluster, points: readonly { x: number; y: number }[]): void {
  let x = 0;
  let y = 0;
  for (const index of cluster.members) {
    x += points[index]?.x ?? 0;
    y += points[index]?.y ?? 0;
  }
  cluster.x = x / cluster.members.length;
  cluster.y = y / cluster.members.length;
}

/** Pixels to push each of several markers at one spot outwards, so that all can be seen and pressed. */
export function ringOffset(index: number, count: number): [number, number] {
  if (count < 2) return [0, 0];
  const radius = Math.max(14, (count * 24) / (2 * Math.PI));
  const angle = (index / count) * 2 * Math.PI - Math.PI / 2;
  return [Math.round(Math.cos(angle) * radius), Math.round(Math.sin(angle) * radius)];
}

/** A count that fits into a cluster mark: 950, 1.2k, 50k. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 10_000) return `${Math.floor(count / 100) / 10}k`;
  return `${Math.floor(count / 1000)}k`;
}
