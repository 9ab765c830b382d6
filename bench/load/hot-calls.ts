import { sql } from 'drizzle-orm';
import { rows } from '../../server/db/database.ts';
import type { Running } from '../../server/start.ts';
import type { Figures } from '../baseline.ts';
import { quantile } from '../measure.ts';
import { isAskedAlike } from '../office/asked.ts';
import { signedIn } from '../signed-in.ts';
import { bareStatements } from './bare-statements.ts';
import { cpuMsOf, memoryMbOf, type Server, startServerProcess } from './processes.ts';

const rounds = 4;
const callsPerRound = 500;
/** A server runs for weeks: what its compiler does at first is not what a call costs. */
const warmUp = 3_000;
const together = 4;

/** What a call may cost: so many times the bare one, or so much more, whichever is larger. */
const serverGoal = { times: 1.6, moreMs: 0.3 };
const databaseGoal = { times: 1.5, moreMs: 0.15 };

type Sum = { calls: number; cpuMs: number; databaseMs: number; times: number[] };
type Contender = { server: Server; application: string; cookie: string };

/**
 * The calls that screens make on opening, signed in, against a bare server with the same statement, each in a process of its own
 * and in turn: processor time of server and database a call, and how long callers wait.
 */
export async function hotCalls(
  running: Running,
  { part, say }: { part: string; say: (line: string) => void },
): Promise<Figures> {
  const { deps } = running;
  if (deps.env.databaseUrl === null) {
    say('Hot calls need PostgreSQL: add --profile S (or M, L, XL), or --database URL.');
    return {};
  }
  const url = new URL(deps.env.databaseUrl);
  const named = (application: string): string => {
    url.searchParams.set('application_name', application);
    return url.href;
  };
  const cookie = await signedIn(deps);
  const env = {
    MILKRUN_DATA: deps.env.dataFolder,
    MILKRUN_DEMO: '0',
    PORT: '0',
    LOG_LEVEL: 'silent',
    MILKRUN_ROLE: 'web',
  };
  const [bare, ours] = await Promise.all([
    startServerProcess(['dist/server/bare.js'], { DATABASE_URL: named('bare') }),
    startServerProcess(['dist/server/main.js', 'serve'], { ...env, DATABASE_URL: named('milkrun') }),
  ]);
  const contenders: Contender[] = [
    { server: bare, application: 'bare', cookie: '' },
    { server: ours, application: 'milkrun', cookie },
  ];
  const figures: Figures = {};
  say('Hot calls against a bare server with the same statement (CPU a call: server, database)');
  try {
    for (const path of Object.keys(bareStatements).filter((one) => one.includes(part)))
      Object.assign(figures, await oneCall(running, path, contenders, say));
    say(`  memory: bare ${memoryMbOf(bare.pid).toFixed(0)} MB, milkrun ${memoryMbOf(ours.pid).toFixed(0)} MB`);
  } finally {
    await Promise.all([bare.stop(), ours.stop()]);
  }
  return figures;
}

async function oneCall(
  { deps }: Running,
  path: string,
  contenders: readonly Contender[],
  say: (line: string) => void,
): Promise<Figures> {
  const sums: Sum[] = contenders.map(() => ({ calls: 0, cpuMs: 0, databaseMs: 0, times: [] }));
  for (const contender of contenders) await burst(contender, path, warmUp);
  for (let round = 0; round < rounds; round++) {
    for (const [at, contender] of contenders.entries()) {
      const before = {
        server: cpuMsOf(contender.server.pid),
        backends: await backendsOf(deps.db, contender.application),
      };
      const times = await burst(contender, path, callsPerRound);
      const sum = sums[at];
      if (!sum) continue;
      sum.calls += times.length;
      sum.times.push(...times);
      sum.cpuMs += cpuMsOf(contender.server.pid) - before.server;
      // One that was opened meanwhile counts with all it did.
      const backends = await backendsOf(deps.db, contender.application);
      for (const [pid, cpuMs] of backends) sum.databaseMs += cpuMs - (before.backends.get(pid) ?? 0);
    }
  }
  const [bare, ours] = sums;
  if (!bare || !ours) return {};
  const each = ({ cpuMs, calls }: Sum): number => Math.max(0.05, cpuMs / calls);
  const databaseEach = ({ databaseMs, calls }: Sum): number => databaseMs / calls;
  const line = (sum: Sum): string =>
    `${each(sum).toFixed(2)} ms, ${databaseEach(sum).toFixed(2)} ms; p50 ${quantile(sum.times, 0.5).toFixed(1)} p99 ${quantile(sum.times, 0.99).toFixed(1)} ms; ${(1000 / each(sum)).toFixed(0)} calls a CPU second`;
  const ratio = each(ours) / each(bare);
  const goals = [
    ['server', each(ours), Math.max(serverGoal.times * each(bare), each(bare) + serverGoal.moreMs)],
    [
      'database',
      databaseEach(ours),
      Math.max(databaseGoal.times * databaseEach(bare), databaseEach(bare) + databaseGoal.moreMs),
    ],
  ] as const;
  const missed = goals
    .filter(([, is, most]) => is > most)
    .map(([name, is, most]) => `${name} ${is.toFixed(2)} of at most ${most.toFixed(2)} ms`);
  const kept = isAskedAlike(path) ? ' (read once a second for all who ask)' : '';
  say(`  ${path}${kept}\n    bare     ${line(bare)}\n    milkrun  ${line(ours)}   x${ratio.toFixed(2)}`);
  say(`    goal     ${missed.length === 0 ? 'met' : `missed: ${missed.join(', ')}`}`);
  return { [`hot ${path}`]: ratio };
}

/** Several callers at once; the time of each call in milliseconds. */
async function burst({ server, cookie }: Contender, path: string, calls: number): Promise<number[]> {
  const times: number[] = [];
  const caller = async (): Promise<void> => {
    while (times.length < calls) {
      const at = performance.now();
      const reply = await fetch(server.address + path, {
        // Compression is what a caller asks for; the bare server has none.
        headers: { 'accept-encoding': 'identity', ...(cookie ? { cookie } : {}) },
      });
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      await reply.arrayBuffer();
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: together }, caller));
  return times;
}

/** Processor time so far of the database's processes that serve a contender. */
async function backendsOf(db: Running['deps']['db'], application: string): Promise<Map<number, number>> {
  const found = await rows<{ pid: number }>(
    db,
    sql`select pid from pg_stat_activity where application_name = ${application}`,
  );
  return new Map(found.map(({ pid }) => [pid, cpuMsOf(pid)]));
}
