import { loadavg } from 'node:os';
import type { Db } from '../../server/db/database.ts';
import type { Env } from '../../server/env.ts';
import { type Ground, people, withLoad } from './load-ground.ts';
import { type caller, offer, openStreams } from './offer.ts';
import { cpuMsOf, memoryMbOf } from './processes.ts';
import { line, lostOf, newTally, read, slowestReads, type Tally, write, wrongOf } from './tally.ts';

/** 200 events a second: most of them saved one by one, the rest as a phone sends them that was without a network. */
export const shape = { singles: 120, batches: 8, batchOf: 10, reads: 50 };
export const eventsPerSecond = shape.singles + shape.batches * shape.batchOf;

const goals = { writeMs: 150, readMs: 300, wrongShare: 0.001, growth: 0.05 };
/** Before this the compiler and the caches are still at work. */
const warmUpSeconds = 20;
const lookMs = 5_000;
/** Memory is judged by the last two thirds of a run that is long enough for a heap to find its size. */
const judgedFromMinutes = 10;

type Memory = { atS: number; mb: number };

export async function steady(env: Env, { minutes, say }: { minutes: number; say: (line: string) => void }) {
  return withLoad(env, async ({ db, server, ask, ground }) => {
    say(
      `Steady load for ${minutes} min: ${eventsPerSecond} events/s (${shape.singles} alone, the rest in batches of ${shape.batchOf}), ${shape.reads} reads/s, ${people.office + people.phones} event streams. Load of the machine before: ${loadavg()[0]?.toFixed(2)}`,
    );
    const streams = await openStreams(server.address, [...ground.office, ...ground.phones.map(({ cookie }) => cookie)]);
    await play({ ask, ground, tally: newTally(), seconds: warmUpSeconds, times: 1 });
    const tally = newTally();
    const memory: Memory[] = [];
    const begun = performance.now();
    const cpuBefore = cpuMsOf(server.pid);
    const mine = process.cpuUsage();
    const look = (): void => {
      memory.push({ atS: (performance.now() - begun) / 1000, mb: memoryMbOf(server.pid) });
    };
    look();
    const looking = setInterval(look, lookMs);
    await play({ ask, ground, tally, seconds: minutes * 60, times: 1 });
    clearInterval(looking);
    look();
    const seconds = (performance.now() - begun) / 1000;
    const spent = process.cpuUsage(mine);
    say(
      `  processor: server ${((cpuMsOf(server.pid) - cpuBefore) / 10 / seconds).toFixed(0)} % of a core, callers ${((spent.user + spent.system) / 1e4 / seconds).toFixed(0)} %, load of the machine ${loadavg()[0]?.toFixed(2)}`,
    );
    const open = streams.open();
    say(`  streams: ${open} open, ${streams.broken()} broken off, ${streams.heard()} pieces of news heard`);
    streams.close();
    return judge({ db, tally, memory, open, minutes, say });
  });
}

type Run = { db: Db; tally: Tally; memory: Memory[]; open: number; minutes: number; say: (line: string) => void };

async function judge({ db, tally, memory, open, minutes, say }: Run): Promise<boolean> {
  const { writes, reads, refused } = tally;
  const lost = await lostOf(db, tally.acknowledged);
  const all = writes.count() + reads.count() + refused.count() + wrongOf(tally);
  const wrong = refused.count() + wrongOf(tally);
  say(line('uploads', writes, `goal p99 ${goals.writeMs}`));
  say(`    p99 of each minute: ${tally.writesByMinute.map(({ at }) => at(0.99).toFixed(0)).join(' ')}`);
  say(line('reads', reads, `goal p99 ${goals.readMs}`));
  for (const slow of slowestReads(tally)) say(slow);
  for (const [what, count] of tally.wrong) say(`  ${what}: ${count}`);
  say(`  not answered well ${wrong} of ${all} (${refused.count()} refused), goal below ${goals.wrongShare * 100} %`);
  say(`  acknowledged ${tally.acknowledged.length} events, lost ${lost}, goal 0`);
  const { growth, text } = growthOf(memory);
  const isLong = minutes >= judgedFromMinutes;
  say(
    `  ${text}${isLong ? `, goal below ${goals.growth * 100} %` : `; not judged below ${judgedFromMinutes} minutes`}`,
  );
  const missed = [
    ...(writes.at(0.99) > goals.writeMs ? ['uploads'] : []),
    ...(reads.at(0.99) > goals.readMs ? ['reads'] : []),
    ...(wrong > all * goals.wrongShare ? ['answers'] : []),
    ...(lost > 0 ? ['events lost'] : []),
    ...(isLong && growth > goals.growth ? ['memory'] : []),
    ...(open < people.office + people.phones ? ['streams'] : []),
  ];
  say(missed.length === 0 ? '  goals met' : `  GOALS MISSED: ${missed.join(', ')}`);
  return missed.length === 0;
}

/** From the first tenth of the last two thirds to its last tenth: single looks catch a heap before or after it was cleared. */
function growthOf(memory: readonly Memory[]): { growth: number; text: string } {
  const late = memory.slice(Math.floor(memory.length / 3));
  const tenth = Math.max(1, Math.floor(late.length / 10));
  const mean = (some: readonly Memory[]): number =>
    some.reduce((sum, { mb }) => sum + mb, 0) / Math.max(1, some.length);
  const [first, last] = [mean(late.slice(0, tenth)), mean(late.slice(-tenth))];
  const growth = last / first - 1;
  const at = (share: number): string => (memory[Math.floor(share * (memory.length - 1))]?.mb ?? 0).toFixed(0);
  return {
    growth,
    text: `memory of the server: ${at(0)} MB at first, ${at(0.5)} in the middle, ${at(1)} at the end; slope ${slopeOf(late).toFixed(2)} MB a minute and ${(growth * 100).toFixed(1)} % over the last two thirds`,
  };
}

/** Least squares, in MB a minute. */
function slopeOf(memory: readonly Memory[]): number {
  const n = memory.length;
  const sum = (value: (one: Memory) => number): number => memory.reduce((total, one) => total + value(one), 0);
  const [x, y] = [sum(({ atS }) => atS) / n, sum(({ mb }) => mb) / n];
  const below = sum(({ atS }) => (atS - x) ** 2);
  return below === 0 ? 0 : (60 * sum(({ atS, mb }) => (atS - x) * (mb - y))) / below;
}

type Play = { ask: ReturnType<typeof caller>['ask']; ground: Ground; tally: Tally; seconds: number; times: number };

/** So many times the steady load, whether the server keeps up or not; nobody comes back who was refused. */
export async function play({ ask, ground, tally, seconds, times }: Play): Promise<void> {
  let [written, asked] = [0, 0];
  const send = async (size: number, late: number): Promise<void> => {
    const phone = ground.phones[(written * 7) % ground.phones.length];
    written += 1;
    if (phone) await write(ask, tally, { phone, size, late });
  };
  const look = async (late: number): Promise<void> => {
    asked += 1;
    await read(ask, tally, { ground, n: asked, late });
  };
  await Promise.all([
    offer({ perSecond: times * shape.singles, seconds }, (late) => send(1, late)),
    offer({ perSecond: times * shape.batches, seconds }, (late) => send(shape.batchOf, late)),
    offer({ perSecond: times * shape.reads, seconds }, look),
  ]);
}
