import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { check, solve } from '../../optimizer/index.ts';
import { inFileUnits, type ProblemFile, readProblemFile } from '../../server/solve-files/service.ts';

type Known = Record<string, { kind: string; file: string; bks: number }>;
type Gaps = Record<string, number>;

/** Bundled into dist/server, run from the root of the project. */
const baselineFile = 'bench/solver/optimizer-baseline.json';

/** Points of gap over the baseline that count as a regression: a machine under load does fewer rounds. */
const tolerance = { 1: 0.8, 5: 0.5, 30: 0.3 } as const;
type Budget = keyof typeof tolerance;

const budgets: readonly Budget[] = [1, 5];
const fullBudgets: readonly Budget[] = [1, 5, 30];

/** No processor time is asked for twice within this: the question itself took up to a twentieth of a search. */
const askedEveryMs = 2;
let askedAt = Number.NEGATIVE_INFINITY;
let told = 0;

/** Milliseconds of processor time: what else the machine does counts little. */
function cpuMs(): number {
  const wall = performance.now();
  if (wall - askedAt < askedEveryMs) return told;
  askedAt = wall;
  const { user, system } = process.cpuUsage();
  told = (user + system) / 1000;
  return told;
}

function gapOf(file: ProblemFile, bks: number, seconds: number, seed: number): number {
  const solution = solve(file.problem, { timeLimitMs: seconds * 1000, now: cpuMs, seed });
  const broken = check(file.problem, solution);
  if (broken.length) throw new Error(`${file.name}: the checker refuses the plan: ${broken.join('; ')}`);
  const mayLeaveOut = file.problem.jobs.some((job) => job.prize !== undefined);
  if (solution.unassigned.length && !mayLeaveOut) return Number.POSITIVE_INFINITY;
  return (100 * (inFileUnits(solution, file.unit).cost - bks)) / bks;
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.POSITIVE_INFINITY;
}

/** Gap of each other program per instance and budget, from the file beside the instances. */
function peersOf(folder: string): Map<string, string> {
  const rows = readFileSync(path.join(folder, 'peer_results.csv'), 'utf8').trim().split('\n').slice(1);
  return new Map(
    rows.map((row) => {
      const [peer, instance, budget, , gap = ''] = row.split(',');
      return [
        `${peer} ${instance} ${budget}`,
        gap === '' || Number.isNaN(Number(gap)) ? 'none' : Number(gap).toFixed(2),
      ];
    }),
  );
}

function readBaseline(): Gaps {
  return existsSync(baselineFile) ? JSON.parse(readFileSync(baselineFile, 'utf8')) : {};
}

function lineOf(name: string, gaps: Gaps, peers: Map<string, string>, wanted: readonly Budget[]): string {
  const ours = wanted.map((budget) => (gaps[`${name} ${budget}`] ?? Number.NaN).toFixed(2)).join(' / ');
  const others = ['vroom', 'hgs-cvrp', 'hgs-vrptw'].flatMap((peer) => {
    const figures = wanted.map((budget) => peers.get(`${peer} ${name} ${budget}`) ?? '-');
    return figures.every((figure) => figure === '-') ? [] : [`${peer} ${figures.join(' / ')}`];
  });
  return `  ${name.padEnd(14)} ${ours.padEnd(22)} ${others.join('   ')}`;
}

/**
 * Gaps to the best known costs, in percent, per second of processor time, beside those of other programs. Returns whether every
 * instance is as good as in the baseline, which `keep` writes anew.
 */
export function optimizerGaps(options: { full: boolean; keep: boolean; say: (line: string) => void }): boolean {
  const { full, keep, say } = options;
  const folder = path.join(process.env.MILKRUN_TEST_DATA ?? '', 'vrp');
  if (!process.env.MILKRUN_TEST_DATA || !existsSync(path.join(folder, 'bks.json'))) {
    say('SKIPPED: optimizer. Set MILKRUN_TEST_DATA to the folder of real data files (it must hold vrp/bks.json).');
    return true;
  }
  const known: Known = JSON.parse(readFileSync(path.join(folder, 'bks.json'), 'utf8'));
  const peers = peersOf(folder);
  const wanted = full ? fullBudgets : budgets;
  const seeds = full ? [1, 2, 3] : [1];
  const baseline = readBaseline();
  const gaps: Gaps = {};
  const worse: string[] = [];
  say(`Gap to the best known cost in percent at ${wanted.join(' / ')} s of one processor`);
  for (const [name, { file, bks }] of Object.entries(known)) {
    const problem = readProblemFile(path.basename(file), readFileSync(path.join(folder, file), 'utf8'));
    for (const budget of wanted) {
      const gap = median(seeds.map((seed) => gapOf(problem, bks, budget, seed)));
      gaps[`${name} ${budget}`] = Math.round(gap * 1000) / 1000;
      const before = baseline[`${name} ${budget}`];
      if (before !== undefined && gap > before + tolerance[budget])
        worse.push(`${name} at ${budget} s: ${gap.toFixed(2)} %, was ${before.toFixed(2)} %`);
    }
    say(lineOf(name, gaps, peers, wanted));
  }
  if (keep) writeFileSync(baselineFile, `${JSON.stringify({ ...baseline, ...gaps }, null, 2)}\n`);
  for (const line of worse) say(`WORSE: ${line}`);
  return worse.length === 0;
}
