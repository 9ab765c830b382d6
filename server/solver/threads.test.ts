import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { FastifyBaseLogger } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check, type Problem } from '../../optimizer/index.ts';
import type { SolverPool } from '../deps.ts';
import { hasThreadPriorities, isOneBehind } from '../testing/thread-priority.ts';
import { fromParcel, toParcel } from './parcel.ts';
import { solverThreads } from './threads.ts';

const log = { error: () => undefined } as unknown as FastifyBaseLogger;
const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-solver-'));
const workerFile = path.join(folder, 'solver-worker.mjs');

function problemOf(stops: number, vehicles: number): Problem {
  const places = Array.from({ length: stops + 1 }, (_, i) => [(i * 37) % 101, (i * 61) % 89] as const);
  const durations = places.map(([x, y]) => places.map(([u, v]) => Math.round(60 * Math.hypot(x - u, y - v))));
  return {
    jobs: Array.from({ length: stops }, (_, i) => ({ id: i + 1, location_index: i + 1, delivery: [1] })),
    vehicles: Array.from({ length: vehicles }, (_, i) => ({
      id: i + 1,
      start_index: 0,
      end_index: 0,
      capacity: [Math.ceil(stops / vehicles) + 2],
    })),
    matrices: { car: { durations } },
  };
}

describe('the threads of the solver', () => {
  let pool: SolverPool;

  beforeAll(async () => {
    const entry = path.join(import.meta.dirname, 'worker.ts');
    await build({ entryPoints: [entry], outfile: workerFile, bundle: true, format: 'esm', platform: 'node' });
    pool = solverThreads(log, pathToFileURL(workerFile));
  });

  afterAll(async () => {
    await pool.close();
    rmSync(folder, { recursive: true });
  });

  test('solve a problem in the time given', async () => {
    const problem = problemOf(12, 2);
    expect(check(problem, await pool.solve(problem, { timeLimitMs: 50 }))).toEqual([]);
  });

  test.runIf(hasThreadPriorities)('go behind what answers people', async () => {
    await pool.solve(problemOf(12, 2), { timeLimitMs: 20 });
    expect(isOneBehind()).toBe(true);
  });

  test('together give the best plan so far when they are cancelled', async () => {
    const problem = problemOf(120, 8);
    const stop = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ cost }: { cost: number }) => {
      seen.push(cost);
      if (seen.length === 2) stop.abort();
    };
    const solution = await pool.solve(problem, { timeLimitMs: 120_000, signal: stop.signal, onProgress });
    expect(check(problem, solution)).toEqual([]);
    expect(solution.summary.unassigned).toBe(0);
    expect(solution.summary.cost).toBeLessThan(seen[0] ?? 0);
    expect(solution.iterations).toBeGreaterThan(0);
  });

  test('refuse a malformed problem and serve the next', async () => {
    const broken = { ...problemOf(60, 2), vehicles: [] };
    await expect(pool.solve(broken, { timeLimitMs: 1000 })).rejects.toMatchObject({ code: 'invalid-input' });
    const problem = problemOf(5, 1);
    expect(check(problem, await pool.solve(problem, { timeLimitMs: 20 }))).toEqual([]);
  });
});

describe('a thread that dies', () => {
  test('rejects its own task and is replaced', async () => {
    const text = `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ request }) => {
        if (request.timeLimitMs === 1) process.exit(1);
        parentPort.postMessage({ answer: 'done' });
      });`;
    const pool = solverThreads(log, new URL(`data:text/javascript,${encodeURIComponent(text)}`));
    const problem = problemOf(3, 1);
    const [died, ...others] = await Promise.allSettled([
      pool.solve(problem, { timeLimitMs: 1 }),
      pool.solve(problem, { timeLimitMs: 2 }),
      pool.solve(problem, { timeLimitMs: 3 }),
      pool.solve(problem, { timeLimitMs: 4 }),
    ]);
    expect(died).toMatchObject({ status: 'rejected', reason: { code: 'internal' } });
    expect(others.map((other) => other.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    await pool.close();
  });
});

describe('a problem on its way to a thread', () => {
  test('arrives as it left, ways that do not exist included', async () => {
    const durations = [
      [0, 5, null],
      [7, 0, 2],
      [1, null, 0],
    ];
    const problem: Problem = {
      ...problemOf(2, 1),
      matrices: { car: { durations, distances: durations, costs: durations } },
    };
    expect(fromParcel(await toParcel(problem))).toEqual(problem);
  });
});
