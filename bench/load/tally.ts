import { sql } from 'drizzle-orm';
import type { Db } from '../../server/db/database.ts';
import { rows } from '../../server/db/database.ts';
import { acknowledgedIn, type Ground, nextRead, type Phone, upload } from './load-ground.ts';
import { type Answer, type caller, type Times, times } from './offer.ts';

/** Ids looked up with one statement. */
const idsAtOnce = 10_000;

export type Tally = {
  writes: Times;
  reads: Times;
  /** Uploads of each minute since the tally began: a wave tells more than a mean. */
  writesByMinute: Times[];
  begun: number;
  /** Reads by what was read, without the ids. */
  readsOf: Map<string, Times>;
  refused: Times;
  /** Refusals that do not say when to come back. */
  mute: number;
  /** Answers that are neither fine nor a refusal, by path and status. */
  wrong: Map<string, number>;
  /** Events that the server said are in its ledger. */
  acknowledged: string[];
};

export const newTally = (): Tally => ({
  ...{ writes: times(), reads: times(), refused: times(), mute: 0 },
  ...{ writesByMinute: [] as Times[], begun: performance.now() },
  ...{ readsOf: new Map<string, Times>(), wrong: new Map<string, number>(), acknowledged: [] as string[] },
});

const note = (tally: Tally, what: string): void => void tally.wrong.set(what, (tally.wrong.get(what) ?? 0) + 1);

export const wrongOf = ({ wrong }: Tally): number => [...wrong.values()].reduce((sum, count) => sum + count, 0);

type Ask = ReturnType<typeof caller>['ask'];

/** Counts an answer; true where it is a fine one. `late`: what the call had waited before it began. */
function count(
  tally: Tally,
  { path, answer, late, fine }: { path: string; answer: Answer; late: number; fine: Times },
) {
  if (answer.status === 200) {
    fine.add(answer.ms + late);
    return true;
  }
  if (answer.status !== 503) note(tally, `${path.split('?', 1)[0]} ${answer.status}`);
  else {
    tally.refused.add(answer.ms);
    const wait = Number(answer.retryAfter);
    if (!(wait >= 1 && wait <= 10)) tally.mute += 1;
  }
  return false;
}

/** An upload of so many events; what it was answered. */
export async function write(
  ask: Ask,
  tally: Tally,
  { phone, size, late }: { phone: Phone; size: number; late: number },
) {
  const { call, ids } = upload(phone, size);
  const answer = await ask(call);
  if (!count(tally, { path: call.path, answer, late, fine: tally.writes })) return answer;
  const minute = Math.floor((performance.now() - tally.begun) / 60_000);
  tally.writesByMinute[minute] ??= times();
  tally.writesByMinute[minute]?.add(answer.ms + late);
  const results = acknowledgedIn(answer.body);
  if (results.length !== ids.length) note(tally, 'events without a result');
  for (const { eventId, status } of results) {
    if (status === 'applied' || status === 'superseded') tally.acknowledged.push(eventId);
    else note(tally, `event ${status}`);
  }
  return answer;
}

export async function read(ask: Ask, tally: Tally, { ground, n, late }: { ground: Ground; n: number; late: number }) {
  const { call, phone } = nextRead(ground, n);
  const answer = await ask(call);
  const isFine = count(tally, { path: call.path, answer, late, fine: tally.reads });
  if (isFine) timesOf(tally, call.path).add(answer.ms + late);
  if (isFine && phone) {
    phone.cursor = (JSON.parse(answer.body) as { cursor: string }).cursor;
  }
  return answer;
}

function timesOf({ readsOf }: Tally, path: string): Times {
  const what = path.replace(/\/\d+/, '/*').replace(/cursor=.*/, 'cursor=*');
  const known = readsOf.get(what) ?? times();
  readsOf.set(what, known);
  return known;
}

const slowestShown = 5;

/** The reads with the longest p99: where to begin when reads are too slow. */
export const slowestReads = ({ readsOf }: Tally): string[] =>
  [...readsOf]
    .sort(([, a], [, b]) => b.at(0.99) - a.at(0.99))
    .slice(0, slowestShown)
    .map(([what, found]) => line(`  ${what}`, found, ''));

/** What was acknowledged and is not in the ledger. */
export async function lostOf(db: Db, ids: readonly string[]): Promise<number> {
  let kept = 0;
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = ids.slice(from, from + idsAtOnce);
    const [found] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from stock_movements where event_id = any(${sql.param(some)}::uuid[])`,
    );
    kept += found?.n ?? 0;
  }
  return ids.length - kept;
}

export const line = (name: string, { count: many, at }: Times, goal: string): string =>
  `  ${name.padEnd(30)} ${String(many()).padStart(8)}   p50 ${at(0.5).toFixed(1).padStart(7)}   p95 ${at(0.95).toFixed(1).padStart(7)}   p99 ${at(0.99).toFixed(1).padStart(7)}   most ${at(1).toFixed(1).padStart(8)} ms   ${goal}`;
