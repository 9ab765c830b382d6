import { sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { dayIn } from '../../domain/time.ts';
import { dayOf } from '../../simulator/calendar.ts';
import { planOperator } from '../../simulator/operator/operator.ts';
import { type ProfileName, profileNames } from '../../simulator/operator/profiles.ts';
import { recordAudit } from '../audit/service.ts';
import { ensureSetupCode, setupNotice } from '../auth/service.ts';
import type { Db } from '../db/database.ts';
import { forgetKept } from '../db/lately.ts';
import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';
import { measureNeed } from '../need/service.ts';
import { getMarker, getOperator, type Operator, saveOperator, setMarker } from '../settings/service.ts';
import { carry } from './carry.ts';
import { lockDemo } from './carry-queries.ts';
import { loadOperator } from './load.ts';
import { isEmpty } from './load-queries.ts';

/** Set when a person starts with own data: this database is never filled with a demo again. */
const endedMarker = 'demo-ended';
/** The instant up to which the demo has been lived. */
const carriedMarker = 'demo-carried-at';

const isProfile = (name: string | null): name is ProfileName => profileNames.some((profile) => profile === name);

/** Whether an empty database is to be filled: a demo is wanted, and none was ended here before. */
async function isToBeFilled(env: Env, db: Db): Promise<boolean> {
  return env.demo && !(await getMarker(db, endedMarker)) && isEmpty(db);
}

/** Whether this database is a demo, or becomes one by this start. */
export async function willBeDemo(env: Env, db: Db): Promise<boolean> {
  return (await getOperator(db)).isDemo || isToBeFilled(env, db);
}

/** Fills an empty database with the small operator, where a demo is wanted and none was ended here before. */
export async function ensureDemo(deps: Deps, say: (line: string) => void): Promise<void> {
  if (!(await isToBeFilled(deps.env, deps.db))) return;
  say('Preparing the demo: a synthetic operator with a year of history. This takes up to a minute, once.');
  const shown = steps(say);
  const loaded = await loadOperator(deps, { profile: 'S', seed: 1, days: null, until: null }, shown).catch(
    filledElsewhere,
  );
  if (!loaded) return say('Another process has filled the demo meanwhile.');
  await measureNeed(deps);
  say(`The demo is there: ${loaded.machines} machines, ${loaded.markets} markets, ${loaded.sales} sales.`);
}

/** Two processes that start at once both see an empty database; the second one is refused and has nothing left to do. */
function filledElsewhere(error: unknown): null {
  if (error instanceof AppError && error.code === 'conflict') return null;
  throw error;
}

/** Says every quarter. */
export function steps(say: (line: string) => void): (done: number, total: number) => void {
  let told = 0;
  return (done, total) => {
    const quarter = Math.floor((4 * done) / total);
    if (quarter > told) say(`${quarter * 25} %`);
    told = quarter;
  };
}

/** Brings the demo to today, once a day: a second time changes nothing. Does nothing outside a demo. */
export async function carryForward(deps: Deps): Promise<void> {
  if (!isDue(await getOperator(deps.db), deps.clock.now())) return;
  await deps.db.transaction(async (tx) => {
    // A day of a large operator takes longer to make up than a transaction may otherwise stand still.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    await lockDemo(tx);
    const operator = await getOperator(tx);
    const now = deps.clock.now();
    if (isDue(operator, now)) await live(tx, operator, now);
  });
}

function isDue(operator: Operator, now: Date): boolean {
  if (!operator.isDemo || !operator.demoUntil) return false;
  return operator.demoUntil < dayIn(operator.timeZone, now);
}

async function live(tx: Db, operator: Operator, now: Date): Promise<void> {
  const { demoProfile, demoSeed, demoUntil, timeZone } = operator;
  if (!isProfile(demoProfile) || demoSeed === null || demoUntil === null) return;
  const carriedAt = await getMarker(tx, carriedMarker);
  const fromMs = carriedAt ? Date.parse(carriedAt) : dayOf(demoUntil).endMs - 1;
  const today = dayIn(timeZone, now);
  await carry(tx, { plan: planOperator(demoProfile, demoSeed), fromMs, nowMs: now.getTime(), today });
  await saveOperator(tx, { demoUntil: today });
  await setMarker(tx, carriedMarker, now.toISOString());
}

/** Empties the database and ends the demo for good; the set-up code for the first administrator goes to `say`. */
export async function endDemo(deps: Deps, say: (line: string) => void): Promise<void> {
  await deps.database.script(
    'drop schema public cascade; drop schema if exists drizzle cascade; create schema public;',
  );
  await deps.database.migrate();
  // What was read a moment ago is of a database that is gone.
  forgetKept(deps.db);
  await deps.db.transaction(async (tx) => {
    await setMarker(tx, endedMarker, '1');
    await recordAudit(tx, null, { action: 'demo.end' });
  });
  const code = await ensureSetupCode(deps);
  say('The demo is over and its data are gone.');
  if (code) say(setupNotice(code, 'the sign-in page'));
}
