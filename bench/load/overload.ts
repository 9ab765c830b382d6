import { loadavg } from 'node:os';
import type { Env } from '../../server/env.ts';
import { type Ground, people, withLoad } from './load-ground.ts';
import { type caller, openStreams } from './offer.ts';
import { eventsPerSecond, play, shape } from './steady.ts';
import { line, lostOf, newTally, read, type Tally, write, wrongOf } from './tally.ts';

const times = 5;
const goals = { acceptedMs: 1_000, refusedMs: 250, share: 0.5, shareObeying: 0.8, backMs: 10_000 };
/** As many callers without a pause as find the server's limit without being turned away. */
const callersAtLimit = 40;
const capacitySeconds = 20;
const calmSeconds = 10;
const calmAgainSeconds = 20;

type Ask = ReturnType<typeof caller>['ask'];
type Ways = { ask: Ask; ground: Ground; say: (line: string) => void };

/**
 * Five times the steady load: first from callers who pay no heed to a refusal, then from our own clients, who wait as long as
 * they are asked to and send together what has gathered meanwhile.
 */
export async function overload(env: Env, { minutes, say }: { minutes: number; say: (line: string) => void }) {
  return withLoad(env, async ({ db, server, ask, ground }) => {
    const streams = await openStreams(server.address, [...ground.office, ...ground.phones.map(({ cookie }) => cookie)]);
    await play({ ask, ground, tally: newTally(), seconds: calmSeconds, times: 1 });
    const capacity = await capacityOf({ ask, ground });
    say(
      `Overload, ${times} times the steady load for ${minutes} min: ${times * eventsPerSecond} events/s, ${times * shape.reads} reads/s, ${people.office + people.phones} streams; capacity ${capacity.calls.toFixed(0)} calls/s with ${capacity.events.toFixed(0)} events/s; load of the machine ${loadavg()[0]?.toFixed(2)}`,
    );
    const rude = newTally();
    const rudeTook = await timed(() => play({ ask, ground, tally: rude, seconds: minutes * 60, times }));
    const rudeShare = (rude.writes.count() + rude.reads.count()) / rudeTook / capacity.calls;
    const first = await toldOf({ ask, ground, say }, { name: 'callers who pay no heed', tally: rude });
    const isFirst = lessThan(say, goals.share, rudeShare, 'calls') && first;
    const kind = newTally();
    const kindTook = await timed(() => obeying({ ask, ground }, kind, minutes * 60));
    const offered = times * eventsPerSecond;
    const kindShare = kind.acknowledged.length / kindTook / Math.min(offered, capacity.events);
    const second = await toldOf({ ask, ground, say }, { name: 'our own clients', tally: kind });
    const isSecond = lessThan(say, goals.shareObeying, kindShare, 'events') && second;
    const lost = await lostOf(db, [...rude.acknowledged, ...kind.acknowledged]);
    const broken = streams.broken();
    say(
      `  acknowledged ${rude.acknowledged.length + kind.acknowledged.length} events, lost ${lost}, goal 0; streams broken off ${broken}`,
    );
    streams.close();
    const isMet = isFirst && isSecond && lost === 0;
    say(isMet ? '  goals met' : '  GOALS MISSED');
    return isMet;
  });
}

const timed = async (work: () => Promise<void>): Promise<number> => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
};

function lessThan(say: Ways['say'], goal: number, share: number, what: string): boolean {
  say(`    goodput ${(100 * share).toFixed(0)} % of the capacity in ${what}, goal ${100 * goal} %`);
  return share >= goal;
}

/** What the server does of the steady mixture when it is asked without a pause. */
async function capacityOf({ ask, ground }: Pick<Ways, 'ask' | 'ground'>): Promise<{ calls: number; events: number }> {
  const tally = newTally();
  const until = performance.now() + capacitySeconds * 1000;
  const all = shape.singles + shape.batches + shape.reads;
  let n = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      n += 1;
      // The kinds in turn, well mixed: 77 is prime to the number of calls a second.
      const kind = (n * 77) % all;
      const phone = ground.phones[(n * 7) % ground.phones.length];
      if (kind < shape.reads || !phone) await read(ask, tally, { ground, n, late: 0 });
      else await write(ask, tally, { phone, size: kind < shape.reads + shape.batches ? shape.batchOf : 1, late: 0 });
    }
  };
  const took = await timed(async () => void (await Promise.all(Array.from({ length: callersAtLimit }, one))));
  return { calls: (tally.writes.count() + tally.reads.count()) / took, events: tally.acknowledged.length / took };
}

/** Says what became of the calls, and how soon a calm load is served as before. */
async function toldOf({ ask, ground, say }: Ways, { name, tally }: { name: string; tally: Tally }): Promise<boolean> {
  const { writes, reads, refused, mute } = tally;
  say(`  ${name}`);
  say(line('  uploads', writes, `goal p99 ${goals.acceptedMs}`));
  say(line('  reads', reads, `goal p99 ${goals.acceptedMs}`));
  say(line('  refused', refused, `goal p99 ${goals.refusedMs}; ${mute} without a time to come back`));
  for (const [what, count] of tally.wrong) say(`    ${what}: ${count}`);
  const backMs = await calmAgain({ ask, ground });
  say(`    served as before ${(backMs / 1000).toFixed(0)} s after it, goal ${goals.backMs / 1000} s`);
  const isServed = writes.at(0.99) <= goals.acceptedMs && reads.at(0.99) <= goals.acceptedMs;
  return (
    isServed && refused.at(0.99) <= goals.refusedMs && mute === 0 && wrongOf(tally) === 0 && backMs <= goals.backMs
  );
}

/** After how many seconds of the steady load one of them passes without a refusal and with its goals met. */
async function calmAgain({ ask, ground }: Pick<Ways, 'ask' | 'ground'>): Promise<number> {
  for (let second = 0; second < calmAgainSeconds; second++) {
    const tally = newTally();
    await play({ ask, ground, tally, seconds: 1, times: 1 });
    if (tally.refused.count() === 0 && tally.writes.at(0.99) <= 150 && tally.reads.at(0.99) <= 300)
      return second * 1000;
  }
  return Number.POSITIVE_INFINITY;
}

/** What gathers on a phone is sent together as soon as the one before is answered and the wait is over; an office screen waits, too. */
async function obeying({ ask, ground }: Pick<Ways, 'ask' | 'ground'>, tally: Tally, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  const perPhone = (times * eventsPerSecond) / ground.phones.length;
  const readers = (times * shape.reads) / 2;
  // A pause that outlasts the load would count as time in which nothing was taken.
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, Math.min(ms, Math.max(0, until - performance.now()))));
  const phones = ground.phones.map(async (phone, n) => {
    await wait((n * 1000) / ground.phones.length);
    let made = performance.now();
    while (performance.now() < until) {
      const size = Math.min(200, Math.floor(((performance.now() - made) / 1000) * perPhone));
      if (size === 0) {
        await wait(200);
        continue;
      }
      const answer = await write(ask, tally, { phone, size, late: 0 });
      if (answer.status === 200) made += (size * 1000) / perPhone;
      else await wait(1000 * Number(answer.retryAfter ?? 1));
    }
  });
  const screens = Array.from({ length: readers }, async (_, n) => {
    await wait((n * 500) / readers);
    for (let asked = n; performance.now() < until; asked += readers) {
      const due = performance.now() + 500;
      const answer = await read(ask, tally, { ground, n: asked, late: 0 });
      await wait(answer.status === 200 ? Math.max(0, due - performance.now()) : 1000 * Number(answer.retryAfter ?? 1));
    }
  });
  await Promise.all([...phones, ...screens]);
}
