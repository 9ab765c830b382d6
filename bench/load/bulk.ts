import { loadavg } from 'node:os';
import type { Env } from '../../server/env.ts';
import { withLoad } from './load-ground.ts';
import { offer } from './offer.ts';
import { line, lostOf, newTally, write, wrongOf } from './tally.ts';

/** The largest batch there is, as of a phone that was away for days. */
const batchOf = 200;
const eventsPerSecond = 2_000;
const warmUpSeconds = 10;
/** Less than is offered was not taken when a batch waits longer than this at the end. */
const goalMs = 1_000;

/** Batches of phones that come back into coverage together, at a steady pace whether the server keeps up or not. */
export async function bulk(env: Env, { minutes, say }: { minutes: number; say: (line: string) => void }) {
  return withLoad(env, async ({ db, ask, ground }) => {
    const perSecond = eventsPerSecond / batchOf;
    let sent = 0;
    const run = async (seconds: number) => {
      const tally = newTally();
      const begun = performance.now();
      await offer({ perSecond, seconds }, async (late) => {
        const phone = ground.phones[(sent * 7) % ground.phones.length];
        sent += 1;
        if (phone) await write(ask, tally, { phone, size: batchOf, late });
      });
      return { tally, took: (performance.now() - begun) / 1000 };
    };
    await run(warmUpSeconds);
    const { tally, took } = await run(minutes * 60);
    const lost = await lostOf(db, tally.acknowledged);
    const wrong = tally.refused.count() + wrongOf(tally);
    say(
      `Bulk: ${eventsPerSecond} events/s offered for ${minutes} min in batches of ${batchOf}; load of the machine ${loadavg()[0]?.toFixed(2)}`,
    );
    say(line('batches', tally.writes, `goal p99 ${goalMs}`));
    for (const [what, count] of tally.wrong) say(`  ${what}: ${count}`);
    say(
      `  ${(tally.acknowledged.length / took).toFixed(0)} events/s acknowledged, ${lost} lost, ${wrong} batches not answered well (${tally.refused.count()} refused)`,
    );
    const isMet = lost === 0 && wrong === 0 && tally.writes.at(0.99) <= goalMs;
    say(isMet ? '  goals met' : '  GOALS MISSED');
    return isMet;
  });
}
