import { inOneLongTransaction } from '../db/statements/unhurried.ts';
import type { Deps } from '../deps.ts';
import { findSomeWrongBalances } from '../inventory/service.ts';
import { amounts } from './amounts-check.ts';
import { audit } from './audit-check.ts';
import type { Check, Finding, Patient } from './finding.ts';
import {
  balances,
  counts,
  dailySums,
  daySums,
  foreignUnits,
  keys,
  paymentSums,
  refunds,
  review,
  slotless,
  sums,
} from './ledger-checks.ts';
import { messages } from './messages-check.ts';
import { signIn } from './sign-in-check.ts';
import { backups, clock, database, databaseMemory, deadRows, disk, limits, months, settings } from './system-checks.ts';

/** Every check, in the order in which people read them; the clock before those that take long. */
const checks: readonly Check[] = [
  clock,
  database,
  deadRows,
  databaseMemory,
  limits,
  // Before the sums: where one amount is none, sum and rows agree in being none.
  ...[keys, amounts, balances, sums, counts, refunds, foreignUnits, slotless, daySums, dailySums, paymentSums].map(
    unhurried,
  ),
  audit,
  review,
  settings,
  messages,
  signIn,
  disk,
  backups,
  months,
];

export type Diagnosis = Finding & { name: string };

/** Reads ledger and sales from end to end, which takes longer than any call may. */
function unhurried({ name, look, repair }: Check): Check {
  const atLength =
    <T>(work: (patient: Patient) => Promise<T>) =>
    (patient: Patient): Promise<T> =>
      inOneLongTransaction(patient.database.db, (db) => work({ ...patient, database: { ...patient.database, db } }));
  return { name, look: atLength(look), ...(repair ? { repair: atLength(repair) } : {}) };
}

/** Looks at everything; a check that fails is a finding, not an end. */
export async function diagnose(patient: Patient): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  for (const { name, look } of checks) found.push({ name, ...(await attempt(() => look(patient))) });
  return found;
}

/** As `diagnose`, after a repair: the message that went out to see whether any does is not sent a second time. */
export async function diagnoseAgain(patient: Patient, before: readonly Diagnosis[]): Promise<Diagnosis[]> {
  const found = await diagnose({ ...patient, sendTo: undefined });
  const sent = patient.sendTo ? before.find(({ name }) => name === messages.name) : undefined;
  return found.map((one) => (one.name === sent?.name ? sent : one));
}

/** Repairs what is broken and can be repaired without losing anything; one sentence each. */
export async function repair(patient: Patient, found: readonly Diagnosis[]): Promise<string[]> {
  const done: string[] = [];
  for (const check of checks) {
    const state = found.find((one) => one.name === check.name)?.state;
    if (state === 'broken' && check.repair) done.push(await check.repair(patient));
  }
  return done;
}

async function attempt(look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return { state: 'broken', message: `Could not be checked: ${error instanceof Error ? error.message : error}` };
  }
}

/** One item in so many is compared with the ledger each night. */
const sampled = 100;

/** Compares some balances with the ledger while the server runs, and says loudly when one differs. */
export async function watchLedger({ db, log }: Deps): Promise<void> {
  const wrong = await findSomeWrongBalances(db, { every: sampled, limit: 20 });
  if (wrong.length > 0) log.error({ wrong }, 'balances differ from the ledger: run milkrun doctor');
}
