import type { Point } from '../../domain/location.ts';
import type { TravelEstimate } from '../../domain/travel-estimate.ts';
import type { Db } from '../db/database.ts';
import { askGaps } from './blocks.ts';
import { type CacheKey, readCache, writeCache } from './cache.ts';
import type { Breaker } from './engines/breaker.ts';
import { estimateInSlices } from './engines/estimate.ts';
import type { Engine, TravelMatrix, Wish } from './engines/provider.ts';
import { emptyGrid, type Gap, type Grid, gapsOf, type Spot, spotKey, spotOf } from './grid.ts';

/** An engine with the version of its map and what is known of its health. */
export type Ready = { engine: Engine; version: string; breaker: Breaker };

/** What its stored answers are found by. */
export const keyOf = ({ version }: Ready, { profile }: Wish, at: Date): CacheKey => ({ profile, version, at });

type Asked = {
  db: Db;
  /** Null: no engine is set, or it does not answer. */
  ready: Ready | null;
  /** An engine is set and says nothing, not even which map it has. */
  isSilent: boolean;
  estimate: TravelEstimate;
  points: readonly Point[];
  wish: Wish;
  at: Date;
  /** False: nothing is asked that is not stored. */
  mayAsk: boolean;
  failed: (error: unknown) => void;
};

/**
 * Travel between all points: what is stored, then what the engine answers, then the estimate for what is left. Where it does
 * not answer all of the ways around closed areas on its map, the usual ways: they are stored perhaps, and a mixture of both
 * misleads.
 */
export async function matrixOf(asked: Asked): Promise<TravelMatrix> {
  if (!asked.ready) {
    const table = await estimateInSlices(asked.points, asked.estimate);
    const version = `estimate-${Object.values(asked.estimate).flat().join('-')}`;
    return {
      ...table,
      source: 'estimate',
      version,
      avoided: false,
      outside: asked.points.map(() => false),
      warnings: warningsOf(asked, { all: 0, open: 0, outside: 0 }),
    };
  }
  const { spots, points, place } = distinct(asked.points);
  const grid = emptyGrid(spots.length);
  await fill({ ...asked, points }, asked.ready, { spots, grid });
  const open = gapsOf(grid).reduce((sum, gap) => sum + countOpen(grid, gap), 0);
  const { wish } = asked;
  const { engine } = asked.ready;
  const outside = outsideOf(grid, engine, points);
  if (open > outside && wish.avoid.length > 0 && engine.avoids) {
    const usual = await matrixOf({ ...asked, wish: { ...wish, avoid: [] } });
    return { ...usual, warnings: [...usual.warnings, closedIgnored] };
  }
  const all = spots.length * (spots.length - 1);
  const rough = open > 0 ? await estimateInSlices(points, asked.estimate) : null;
  const expand = (kind: 'durations' | 'distances') =>
    place.map((row) =>
      place.map((column) => {
        const known = grid[kind][row]?.[column];
        return known === undefined ? (rough?.[kind][row]?.[column] ?? null) : known;
      }),
    );
  return {
    durations: expand('durations'),
    distances: expand('distances'),
    source: sourceOf(asked.ready, open, all),
    version: asked.ready.version,
    avoided: wish.avoid.length > 0 && engine.avoids,
    outside: asked.points.map((point) => engine.covers?.(point) === false),
    warnings: warningsOf(asked, { all, open, outside }),
  };
}

function distinct(all: readonly Point[]) {
  const indexOf = new Map<number, number>();
  const spots: Spot[] = [];
  const points: Point[] = [];
  const place = all.map((point) => {
    const spot = spotOf(point);
    const key = spotKey(spot);
    const known = indexOf.get(key);
    if (known !== undefined) return known;
    indexOf.set(key, spots.length);
    spots.push(spot);
    points.push(point);
    return spots.length - 1;
  });
  return { spots, points, place };
}

type Content = { spots: Spot[]; grid: Grid };

async function fill(asked: Asked, ready: Ready, { spots, grid }: Content): Promise<void> {
  const { db, wish, points, failed } = asked;
  // Closed roads come and go: what is true beside them is neither read nor stored.
  const isLasting = wish.avoid.length === 0 || !ready.engine.avoids;
  const key = keyOf(ready, wish, asked.at);
  if (isLasting) await readCache(db, key, spots, grid);
  const gaps = gapsOf(grid).map((gap) => within(gap, ready.engine, points));
  if (gaps.length === 0 || !asked.mayAsk) return;
  const missing = missingOf(grid);
  const { engine, breaker } = ready;
  await askGaps({ engine, breaker, points, wish, grid, failed }, gaps);
  if (isLasting) await writeCache(db, key, spots, { grid, fresh: missing });
}

/** The part of a gap that lies on the engine's map. */
function within(gap: Gap, { covers }: Engine, points: readonly Point[]): Gap {
  if (!covers) return gap;
  const isCovered = (index: number): boolean => {
    const point = points[index];
    return point !== undefined && covers(point);
  };
  return { rows: gap.rows.filter(isCovered), columns: gap.columns.filter(isCovered) };
}

function missingOf({ durations }: Grid) {
  return durations.flatMap((cells, row) => {
    const columns = cells.flatMap((cell, column) => (cell === undefined ? [column] : []));
    return columns.length ? [{ row, columns }] : [];
  });
}

function countOpen({ durations }: Grid, { rows, columns }: Gap): number {
  let count = 0;
  for (const row of rows) for (const column of columns) if (durations[row]?.[column] === undefined) count += 1;
  return count;
}

/** Open cells whose ends do not both lie on the engine's map. */
function outsideOf(grid: Grid, { covers }: Engine, points: readonly Point[]): number {
  if (!covers) return 0;
  const isCovered = points.map(covers);
  const open = missingOf(grid).flatMap(({ row, columns }) => columns.map((column) => [row, column] as const));
  return open.filter(([row, column]) => row !== column && !(isCovered[row] && isCovered[column])).length;
}

function sourceOf(ready: Ready, open: number, all: number): TravelMatrix['source'] {
  if (open === all && all > 0) return 'estimate';
  return open > 0 ? 'mixed' : ready.engine.source;
}

type Counts = { all: number; open: number; outside: number };

const closedIgnored = 'Closed roads are not taken into account in all distances and times.';

function warningsOf({ ready, isSilent, wish }: Asked, { all, open, outside }: Counts): string[] {
  const warnings: string[] = [];
  const share = (count: number): string =>
    count === all ? 'Distances and times' : `${count} of ${all} distances and times`;
  if (ready && outside > 0) {
    warnings.push(`${share(outside)} are estimated: some places are outside the map built here.`);
  }
  if (isSilent || (ready && open > outside)) {
    warnings.push(`${share(open - outside)} are estimated: the road engine did not answer.`);
  }
  if (wish.avoid.length > 0 && (!ready?.engine.avoids || outside > 0)) warnings.push(closedIgnored);
  return warnings;
}
