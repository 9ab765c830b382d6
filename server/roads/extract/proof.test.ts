import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Point } from '../../../domain/location.ts';
import { solve } from '../../../optimizer/index.ts';
import { embeddedValhalla } from '../engines/embedded.ts';
import { type Engine, usualWish } from '../engines/provider.ts';
import { findEnginePackage } from '../roads-folder.ts';
import { buildRoads } from './build.ts';

const data = process.env.MILKRUN_TEST_DATA;
const engineFolder = process.env.ROADS_DIR ?? path.join(process.env.MILKRUN_DATA ?? './data', 'roads');
const main = findEnginePackage(path.resolve(engineFolder));
const reason = data ? 'the road engine is not installed in ROADS_DIR' : 'MILKRUN_TEST_DATA is not set';
const isReady = data !== undefined && main !== null;
if (!isReady) process.stderr.write(`Skipped: distances on real streets, because ${reason}.\n`);

type Reference = { from: number; to: number; shortest: number; routino: number };

function readReference(file: string): { points: Point[]; pairs: Reference[] } {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  const ids: string[] = [];
  const points: Point[] = [];
  const place = (id: string, lat: string, lng: string): number => {
    if (!ids.includes(id)) {
      ids.push(id);
      points.push({ lat: Number(lat), lng: Number(lng) });
    }
    return ids.indexOf(id);
  };
  const pairs = lines.map((line) => {
    const [a = '', b = '', aLat = '', aLng = '', bLat = '', bLng = '', , shortest, routino] = line.split(',');
    const [from, to] = [place(a, aLat, aLng), place(b, bLat, bLng)];
    return { from, to, shortest: Number(shortest), routino: Number(routino) };
  });
  return { points, pairs };
}

const share = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0;

describe.skipIf(!isReady)('on the streets of Midtown Manhattan', () => {
  let folder = '';
  const { points, pairs } = isReady
    ? readReference(path.join(data, 'roads/manhattan_reference_distances.csv'))
    : { points: [], pairs: [] };
  let engine: Engine;
  const shortest = { ...usualWish, profile: 'shortest' as const };

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'milkrun-roads-'));
    symlinkSync(path.join(path.dirname(main ?? ''), '../..'), path.join(folder, 'node_modules'));
    const outfile = path.join(folder, 'roads-worker.mjs');
    await build({
      entryPoints: [path.join(import.meta.dirname, '../engines/roads-worker.ts')],
      outfile,
      format: 'esm',
    });
    const extract = path.join(data ?? '', 'roads/manhattan_midtown_2025-01-25.osm.pbf');
    const built = await buildRoads({ extract, folder, at: new Date(), say: () => {} });
    expect(built).toMatchObject({ missing: null });
    expect(built.tiles).toBeGreaterThan(10);
    const made = embeddedValhalla(folder, built, pathToFileURL(outfile));
    if (!made) throw new Error('the engine did not start');
    engine = made;
  }, 120_000);
  afterAll(async () => {
    await engine?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('distances are never below the shortest way and agree with another engine', async () => {
    const { distances } = await engine.table(points, points, shortest);
    const over = pairs.map(({ from, to, shortest: least }) => (distances[from]?.[to] ?? 0) / least - 1);
    // Lengths are read up to 0.8 % short of great circles; turn bans make some ways longer.
    expect(share(over, 0)).toBeGreaterThan(-0.01);
    const beside = pairs.map(({ from, to, routino }) => Math.abs((distances[from]?.[to] ?? 0) / routino - 1));
    expect(share(beside, 0.5)).toBeLessThan(0.02);
    expect(share(beside, 0.9)).toBeLessThan(0.03);
  });

  it('the best closed tour is about as long as the known one', async () => {
    const { distances } = await engine.table(points, points, shortest);
    const jobs = points.slice(1).map((_, index) => ({ id: index + 1, location_index: index + 1 }));
    const problem = {
      jobs,
      vehicles: [{ id: 1, start_index: 0, end_index: 0 }],
      matrices: { car: { durations: distances, distances } },
    };
    const { summary } = solve(problem, { seed: 1, iterations: 20_000 });
    // 12,236 m without turn bans, which this engine obeys.
    expect(summary.distance / 12_236).toBeGreaterThan(0.99);
    expect(summary.distance / 12_236).toBeLessThan(1.1);
  });

  it('a closed road makes another way', async () => {
    const [a, b] = [points[4], points[8]];
    if (!a || !b) throw new Error('no points');
    const [open] = await engine.way([a, b], usualWish);
    const middle = open?.geometry[Math.floor(open.geometry.length / 2)] ?? a;
    const d = 0.0004;
    const area = [
      { lat: middle.lat - d, lng: middle.lng - d },
      { lat: middle.lat - d, lng: middle.lng + d },
      { lat: middle.lat + d, lng: middle.lng + d },
      { lat: middle.lat + d, lng: middle.lng - d },
    ];
    const [closed] = await engine.way([a, b], { ...usualWish, avoid: [area] });
    const inside = closed?.geometry.filter(
      ({ lat, lng }) => Math.abs(lat - middle.lat) < d && Math.abs(lng - middle.lng) < d,
    );
    expect(inside).toEqual([]);
    expect(closed?.metres).not.toBe(open?.metres);
    const table = await engine.table([a], [b], { ...usualWish, avoid: [area] });
    const before = await engine.table([a], [b], usualWish);
    // Ways are chosen by cost, in which turns count: the way around need not take longer, but it is another one.
    expect(table.distances[0]?.[0]).not.toBe(before.distances[0]?.[0]);
  });

  it('a place in the block beside a closed circle has no way, and a table without any way is refused once', async () => {
    const [here, ...others] = points;
    if (!here) throw new Error('no points');
    const d = 0.0004;
    // West of the crossing, ten metres away.
    const corner = (up: number, right: number) => ({ lat: here.lat + up * d, lng: here.lng - d - 0.0001 + right * d });
    const avoid = [[corner(-1, -1), corner(-1, 1), corner(1, 1), corner(1, -1)]];
    const closed = { ...usualWish, avoid };
    const { durations } = await engine.table([here, ...others], points, closed);
    expect(durations[0]?.slice(1).every((cell) => cell === null)).toBe(true);
    expect(durations[1]?.slice(2).some((cell) => cell !== null)).toBe(true);
    await expect(engine.table([here], others, closed)).rejects.toMatchObject({ reason: 'no-way' });
    await expect(engine.way([here, ...others], closed)).rejects.toMatchObject({ reason: 'no-way' });
    const at = (lat: number, lng: number): Point => ({ lat, lng });
    const wide = { ...usualWish, avoid: [[at(30, -90), at(50, -90), at(50, -60), at(30, -60)]] };
    await expect(engine.table([here], others, wide)).rejects.toMatchObject({ reason: 'refused' });
  });

  it('a place far from every road is told apart from an engine that failed', async () => {
    const far = { lat: 41.5, lng: -75 };
    await expect(engine.table(points.slice(0, 2), [far], usualWish)).rejects.toMatchObject({ reason: 'no-road' });
    const inTheRiver = { lat: 40.745, lng: -74.028 };
    const [there, across, none] = await engine.roadKm([...points.slice(0, 1), inTheRiver, far], usualWish);
    expect(there).toBeLessThan(0.02);
    expect(across).toBeGreaterThan(1);
    expect(none).toBeNull();
    expect([...points.slice(0, 1), far].map((point) => engine.covers?.(point))).toEqual([true, false]);
  });
});
