import { type SQL, sql } from 'drizzle-orm';
import type { VendorSale } from '../../../domain/integration.ts';
import { rows } from '../../db/database.ts';
import type { Told } from '../batch.ts';
import type { SaleRow } from '../tables.ts';
import { setOutcome } from './outcome.ts';

const keysOf = (sales: readonly SaleRow[]): SQL => {
  const keys = sales.map(({ ledgerSource, ledgerId, ledgerLine }, nth) => ({
    nth,
    ledgerSource,
    ledgerId,
    ledgerLine,
  }));
  return sql`jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
    g(nth int, "ledgerSource" text, "ledgerId" text, "ledgerLine" text)`;
};

const isToldBy = (others: SQL): SQL => sql`v.ledger_source = g."ledgerSource" and v.ledger_id = g."ledgerId"
  and v.ledger_line is not distinct from g."ledgerLine" and ${others}`;

/**
 * Two connections that tell of a pending sale at the same moment would not see each other's copy: whoever tells of one waits for all who
 * tell of the same source, until their transactions end. Asked for first, before anything else is locked.
 */
export async function waitForOthers({ db }: Pick<Told, 'db'>, sales: readonly VendorSale[]): Promise<void> {
  const key = (source: string): SQL => sql`hashtext('told-sale'), hashtext(${source})`;
  const isPending = sales.some(({ status }) => status === 'pending');
  for (const source of [...new Set(sales.map(({ ledger }) => ledger.source))].sort()) {
    const alone = isPending
      ? sql`select pg_advisory_xact_lock(${key(source)})`
      : sql`select pg_advisory_xact_lock_shared(${key(source)})`;
    await db.execute(alone);
  }
}

/** Sales that another connection told before: the ledger knows those only that it has booked. */
export async function toldElsewhere({ db, configId }: Told, unbooked: readonly SaleRow[]): Promise<SaleRow[]> {
  if (unbooked.length === 0) return [];
  const found = await rows<{ nth: number }>(
    db,
    // The limit forces looking each one up, as a planner that knows nothing of the table yet would not.
    sql`select g.nth from ${keysOf(unbooked)}
        cross join lateral (select from vendor_sales v
          where ${isToldBy(sql`v.config_id <> ${configId} and v.outcome not in ('same', 'held_same', 'waiting_same')`)} limit 1) v`,
  );
  return found.flatMap(({ nth }) => unbooked[nth] ?? []);
}

/** A sale that is pending at two connections waits at the one that told it first, until one of them says how it ended. */
export async function keepPendingOnce(told: Told, open: readonly SaleRow[]): Promise<void> {
  const pending = open.filter(({ status }) => status === 'pending');
  await setOutcome(told, await toldElsewhere(told, pending), 'same');
  const over = open.filter(({ status }) => status !== 'pending');
  if (over.length > 0) await endPendingElsewhere(told, over);
}

/** One that is just being told there is left alone: it says itself how it ended. */
async function endPendingElsewhere({ db, configId, at }: Told, over: readonly SaleRow[]): Promise<void> {
  await db.execute(
    sql`update vendor_sales set outcome = 'same', updated_at = ${at.toISOString()} where id in (
          select v.id from ${keysOf(over)} cross join lateral (select v.id from vendor_sales v
            where ${isToldBy(sql`v.config_id <> ${configId} and v.status = 'pending' and v.outcome = 'waiting'`)}
            limit 5 for update skip locked) v)`,
  );
}

/** A sale that two connections have undecided may be decided at either; it counts at the one that told it first. */
export async function countOnce(told: Told, open: readonly SaleRow[], as: 'waiting' | 'held'): Promise<void> {
  const twice = await toldElsewhere(told, open);
  await setOutcome(told, twice, `${as}_same`);
  await setOutcome(
    told,
    open.filter((row) => !twice.includes(row)),
    as,
  );
}

/** What is in the books counts there: a copy that is undecided elsewhere does not count beside it. */
export async function uncountElsewhere({ db, configId, at }: Told, booked: readonly SaleRow[]): Promise<void> {
  if (booked.length === 0) return;
  await db.execute(
    sql`update vendor_sales set outcome = outcome || '_same', updated_at = ${at.toISOString()} where id in (
          select v.id from ${keysOf(booked)} cross join lateral (select v.id from vendor_sales v
            where ${isToldBy(sql`v.config_id <> ${configId} and v.outcome in ('waiting', 'held')`)}
            limit 5 for update skip locked) v)`,
  );
}
