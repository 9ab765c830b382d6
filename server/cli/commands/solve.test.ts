import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(root, 'node_modules/.milkrun-solve-'));
const program = path.join(folder, 'milkrun.mjs');

beforeAll(async () => {
  const entry = `import { runCommand } from './server/cli/commands.ts';
    const io = { out: (text) => console.log(text), err: (text) => console.error(text) };
    process.exitCode = await runCommand(process.argv.slice(2), io);`;
  await build({
    stdin: { contents: entry, resolveDir: root, loader: 'ts' },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  await build({
    entryPoints: { 'solver-worker': path.join(root, 'server/solver/worker.ts') },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

function fileOf(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const small = JSON.stringify({
  jobs: [
    { id: 4, location_index: 1 },
    { id: 9, location_index: 2, skills: [3] },
  ],
  vehicles: [{ id: 1, start_index: 0, end_index: 0 }],
  matrices: {
    car: {
      durations: [
        [0, 5, 6],
        [5, 0, 7],
        [6, 7, 0],
      ],
    },
  },
});

it('prints one JSON document with the routes, and the answer in the shape of a JSON problem', () => {
  const { status, stdout, stderr } = run('solve', fileOf('small.json', small), '--iterations', '50', '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const answer = JSON.parse(stdout);
  expect(answer).toMatchObject({ cost: 10, routes: [[4]], unassigned: [9], version: expect.any(String) });
  expect(answer.iterations).toBeGreaterThan(0);
  expect(answer.solution).toMatchObject({ code: 0, summary: { cost: 10 }, unassigned: [{ id: 9, reason: 'skill' }] });
  expect(answer.solution.routes[0].steps.map((step: { type: string }) => step.type)).toEqual(['start', 'job', 'end']);
});

it('obeys the limits in the file, and those of the command line first', () => {
  const file = fileOf(
    'limits.json',
    JSON.stringify({ ...JSON.parse(vans(60, 5)), options: { iterations: 40, seed: 3 } }),
  );
  const answerOf = (...args: string[]) => ({ ...JSON.parse(run('solve', ...args, '--json').stdout), seconds: 0 });
  const plain = fileOf('plain.json', vans(60, 5));
  expect(answerOf(file)).toEqual(answerOf(plain, '--iterations', '40', '--seed', '3'));
  expect(answerOf(file, '--iterations', '90')).toEqual(answerOf(plain, '--iterations', '90', '--seed', '3'));
});

/** Stops around a depot, served by vans that take a few of them each. */
function vans(stops: number, count: number): string {
  const places = Array.from({ length: stops + 1 }, (_, i) => [(i * 37) % 101, (i * 61) % 89] as const);
  const durations = places.map(([x, y]) => places.map(([u, v]) => Math.round(60 * Math.hypot(x - u, y - v))));
  const jobs = Array.from({ length: stops }, (_, i) => ({ id: i + 1, location_index: i + 1, delivery: [1] }));
  const capacity = [Math.ceil(stops / count) + 2];
  const vehicles = Array.from({ length: count }, (_, i) => ({ id: i + 1, start_index: 0, end_index: 0, capacity }));
  return JSON.stringify({ jobs, vehicles, matrices: { car: { durations } } });
}

it('searches with every thread, each with a seed of its own where rounds are given, and gives the same again', () => {
  const file = fileOf('vans.json', vans(60, 5));
  const answerOf = (...more: string[]) => {
    const { status, stdout, stderr } = run('solve', file, '--iterations', '400', '--json', ...more);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  const alone = ['1', '2', '3'].map((seed) => answerOf('--seed', seed));
  const together = answerOf('--threads', '3');
  expect(together.cost).toBe(Math.min(...alone.map((one) => one.cost)));
  expect(together.iterations).toBe(alone.reduce((sum, one) => sum + one.iterations, 0));
  expect(Object.keys(together)).toEqual(Object.keys(alone[0]));
  expect({ ...answerOf('--threads', '3'), seconds: 0 }).toEqual({ ...together, seconds: 0 });
}, 120_000);

it('shares the work on a large plan between threads when only a time is given', () => {
  const file = fileOf('many-vans.json', vans(320, 20));
  const { status, stdout } = run('solve', file, '--seconds', '1.5', '--threads', '3', '--json');
  expect(status).toBe(0);
  const { routes, unassigned } = JSON.parse(stdout);
  expect(unassigned).toEqual([]);
  expect(new Set(routes.flat()).size).toBe(320);
}, 120_000);

it('prints a table for people', () => {
  const { status, stdout } = run('solve', fileOf('small.json', small), '--iterations', '50');
  expect(status).toBe(0);
  expect(stdout).toContain('not served: 9 (skill)');
  expect(stdout).toContain('Cost 10, 1 routes');
});

it('refuses a bad file with 1 and one sentence, and wrong options with 2', () => {
  const bad = run('solve', fileOf('bad.json', small.replace('"location_index":1', '"location_index":8')), '--json');
  expect(bad).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('job 4: location_index is 8') });
  expect(run('solve', path.join(tmpdir(), 'no-such-file.vrp'))).toMatchObject({ status: 1, stdout: '' });
  expect(run('solve')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage') });
  expect(run('solve', 'x.vrp', '--seconds', 'soon').status).toBe(2);
  expect(run('solve', 'x.vrp', '--frob').status).toBe(2);
});
