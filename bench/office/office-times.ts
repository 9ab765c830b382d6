import { sql } from 'drizzle-orm';
import { firstRow, rows } from '../../server/db/database.ts';
import type { Running } from '../../server/start.ts';
import { type Cpu, cpuMsOf, cpuMsOfThread, type Server, spentSince, startServerProcess } from '../load/processes.ts';
import { quantile } from '../measure.ts';
import { getter, signedIn } from '../signed-in.ts';
import { type Asked, askedOf, type Some } from './asked.ts';

/** Each call is made so many times, in rounds, but for a call that takes longer than all calls may. */
const rounds = 3;
const callsPerRound = 20;
const mostMs = 6_000;
/** What is read once for all who ask within a second is asked so many times besides, each time after that second. */
const anewCalls = 6;
const anewAfterMs = 1_050;
const mostTries = 5;

/** Beside a small operator a call may cost so many times as much; the clock of processes is coarse, so a little more is no miss. */
const cpuGoal = { times: 1.4, moreMs: 0.4 };
const lateGoal = { times: 2, moreMs: 10 };
/** A reply that says so much more, as all routes of a day do, is not compared. */
const sameReply = 1.4;

type Say = (line: string) => void;
/** An operator to compare with, and which of the calls are wanted. */
type Wanted = { small: Running | null; calls: string };

/** An operator with a server in a process of its own, which makes no other work. */
type Operator = { running: Running; server: Server; get: (path: string) => Promise<Buffer>; asked: Asked[] };
type Figures = { first: number; p50: number; p95: number; p99: number; cpuMs: number; kb: number };

/**
 * The calls of the office's screens one at a time, warm, over HTTP, each against its goal; with `--profile XL` at 50,000 machines.
 * Beside a small operator: what each call costs server and database, as a ratio.
 */
export async function officeTimes(running: Running, say: Say, { small, calls }: Wanted): Promise<boolean> {
  const operators = [await operatorOf(running, 'milkrun-large')];
  if (small) operators.push(await operatorOf(small, 'milkrun-small'));
  const [large, other] = operators;
  if (!large) return false;
  say(
    'The calls of the office, one at a time: first, median, 95th and 99th of a hundred, processor of server and database, in ms',
  );
  const wanted = new RegExp(calls);
  const missed: string[] = [];
  try {
    for (const [n, { path, goalMs, isAlike }] of large.asked.entries()) {
      if (!wanted.test(path)) continue;
      const smallPath = other?.asked[n]?.path;
      const contenders = [{ ...large, path }, ...(other && smallPath ? [{ ...other, path: smallPath }] : [])];
      const [figures, beside] = await timesOf(contenders);
      if (!figures) continue;
      const misses = missesOf(figures, beside ?? null, goalMs);
      const against = beside
        ? `  small: ${line(beside)}  x${(figures.cpuMs / Math.max(0.01, beside.cpuMs)).toFixed(1)}`
        : '';
      const anew = isAlike ? await anewOf(contenders) : [];
      if (anew[0] && anew[0].ms > goalMs) misses.push('missed: too late when read anew');
      if (misses.length > 0) missed.push(path);
      const apart = anew.map(({ ms, cpuMs }) => `${ms.toFixed(1)} ms, ${cpuMs.toFixed(1)} ms`).join(' small: ');
      say(`  ${path.padEnd(62)} ${line(figures)}${against}  goal ${goalMs} ${misses.join(', ') || 'met'}`);
      if (isAlike) say(`    read anew, median and processor: ${apart}`);
    }
  } finally {
    await Promise.all(operators.map(({ server }) => server.stop()));
  }
  say(missed.length === 0 ? '  every goal met' : `  missed by ${missed.length}: ${missed.join(' ')}`);
  return missed.length === 0;
}

const line = ({ first, p50, p95, p99, cpuMs, kb }: Figures): string =>
  `${[first, p50, p95, p99, cpuMs].map((ms) => ms.toFixed(ms < 10 ? 1 : 0).padStart(6)).join(' ')} ${kb.toFixed(0).padStart(5)} kB`;

function missesOf(of: Figures, beside: Figures | null, goalMs: number): string[] {
  const misses = of.p95 > goalMs ? ['missed: too late'] : [];
  if (!beside || of.kb > sameReply * beside.kb + 1) return misses;
  if (of.cpuMs > cpuGoal.times * beside.cpuMs + cpuGoal.moreMs)
    misses.push('missed: costs more than at a small operator');
  if (of.p99 > lateGoal.times * beside.p99 + lateGoal.moreMs) misses.push('missed: later than at a small operator');
  return misses;
}

async function operatorOf(running: Running, application: string): Promise<Operator> {
  const { deps } = running;
  if (deps.env.databaseUrl === null) throw new Error('The times of the office need PostgreSQL: add --profile XL.');
  const url = new URL(deps.env.databaseUrl);
  url.searchParams.set('application_name', application);
  const some = await firstRow<Some>(
    deps.db,
    sql`select (select id from markets where deleted_at is null order by id limit 1) as market,
          (select id from vending_machines where deleted_at is null order by id limit 1) as machine,
          (select id from inventory_items where deleted_at is null order by id limit 1) as item, r.id as route, r.date::text as day,
          (select id from products order by id limit 1) as product
        from routes r order by r.date desc, r.id limit 1`,
  );
  if (!some) throw new Error('The times of the office need a filled database: add --profile XL.');
  const server = await startServerProcess(['dist/server/main.js', 'serve'], {
    ...{ MILKRUN_DATA: deps.env.dataFolder, MILKRUN_DEMO: '0', PORT: '0', LOG_LEVEL: 'silent', MILKRUN_ROLE: 'web' },
    DATABASE_URL: url.href,
  });
  return { running, server, get: getter(server.address, await signedIn(deps, 'admin')), asked: askedOf(some) };
}

type Contender = Operator & { path: string };

/** In turn, so that what else the machine does falls on both. */
async function timesOf(contenders: readonly Contender[]): Promise<Figures[]> {
  const sums = contenders.map(() => ({ first: null as number | null, cpuMs: 0, times: [] as number[], kb: 0, ms: 0 }));
  for (let round = 0; round <= rounds; round++) {
    for (const [n, contender] of contenders.entries()) {
      const sum = sums[n];
      if (!sum || sum.ms > mostMs) continue;
      const { made: times, cpuMs } = await counted(contender, async () => {
        const times: number[] = [];
        for (let call = 0; call < callsPerRound; call++) {
          const begun = performance.now();
          sum.kb = (await contender.get(contender.path)).byteLength / 1024;
          times.push(performance.now() - begun);
          sum.first ??= performance.now() - begun;
          sum.ms += performance.now() - begun;
          if (sum.ms > mostMs && times.length + sum.times.length >= 5) break;
        }
        return times;
      });
      // The first round warms up, unless there is time for no other.
      if (round === 0 && sum.ms <= mostMs) continue;
      sum.times.push(...times);
      sum.cpuMs += cpuMs;
    }
  }
  return sums.map(({ first, cpuMs, times, kb }) => ({
    ...{ first: first ?? 0, kb, cpuMs: cpuMs / times.length },
    ...{ p50: quantile(times, 0.5), p95: quantile(times, 0.95), p99: quantile(times, 0.99) },
  }));
}

/** The median and the processor time of calls of which each reads for itself. */
async function anewOf(contenders: readonly Contender[]): Promise<{ ms: number; cpuMs: number }[]> {
  const sums = contenders.map(() => ({ times: [] as number[], cpuMs: 0 }));
  for (let call = 0; call < anewCalls; call++) {
    await forgotten();
    for (const [n, contender] of contenders.entries()) {
      const read = async (): Promise<number> => {
        const begun = performance.now();
        await contender.get(contender.path);
        return performance.now() - begun;
      };
      const { made: ms, cpuMs } = await counted(contender, read, forgotten);
      sums[n]?.times.push(ms);
      if (sums[n]) sums[n].cpuMs += cpuMs;
    }
  }
  return sums.map(({ times, cpuMs }) => ({ ms: quantile(times, 0.5), cpuMs: cpuMs / times.length }));
}

const forgotten = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, anewAfterMs));

/** Work and its processor time; once more where a connection ended meanwhile and took its count along, as an idle one does after a while. */
async function counted<T>(
  contender: Contender,
  work: () => Promise<T>,
  between: () => Promise<void> = async () => {},
): Promise<{ made: T; cpuMs: number }> {
  for (let tries = 0; tries < mostTries; tries++) {
    if (tries > 0) await between();
    const before = await cpuOf(contender);
    const made = await work();
    const cpuMs = spentSince(before, await cpuOf(contender));
    if (cpuMs !== null) return { made, cpuMs };
  }
  throw new Error(`${contender.path}: a connection to the database ended in each of ${mostTries} tries.`);
}

/** Processor time so far of the server and of its connections to the database, where that runs on this machine. */
async function cpuOf({ running, server }: Operator): Promise<Cpu> {
  const found = await rows<{ pid: number }>(
    running.deps.db,
    sql`select pid from pg_stat_activity where backend_type = 'client backend'
        and application_name in ('milkrun-large', 'milkrun-small') and datname = current_database()`,
  );
  const ofConnections = found.map(({ pid }): [number, number] => [pid, cpuMsOfThread(pid)]);
  // One that ended since it was listed has none.
  return new Map([[server.pid, cpuMsOf(server.pid)], ...ofConnections.filter(([, ms]) => ms > 0)]);
}
