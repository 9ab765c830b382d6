import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';

/** Lines recomputed at a time: a log of any length takes little memory. */
const batch = 20_000;

type Head = { seq: number; hash: string };

/** The first line that is not as it was written, counted along the chain from 1. */
export type Break = {
  seq: number;
  auditId: number | null;
  reason: 'changed' | 'removed' | 'link-removed' | 'unchained' | 'unvouched';
};

/** `lines` are there now; `purged` were removed before them because they were past their time. */
export type ChainState = { lines: number; purged: number; head: string | null; broken: Break | null };

/**
 * Recomputes every hash of the audit log from the first line, or from the checkpoint where lines past their time ended.
 * Finds a line that was changed or removed by hand, a link that was, a line that was added past the chain, and a checkpoint
 * of which the log knows nothing; says which comes first.
 */
export async function verifyChain(db: Db): Promise<ChainState> {
  const { isVouched, ...start } = await startOf(db);
  let head: Head = start;
  const state = (broken: Break | null): ChainState => ({
    lines: head.seq - start.seq,
    purged: start.seq,
    head: head.hash || null,
    broken,
  });
  if (!isVouched) return state({ seq: start.seq, auditId: null, reason: 'unvouched' });
  for (;;) {
    const next = await step(db, { head, start });
    if (next.broken) return state(next.broken);
    if (!next.head) break;
    head = next.head;
  }
  return state(await firstUnchained(db, head.seq));
}

/** Where the chain begins. A purge writes a line about itself, so a checkpoint without that line was made by hand. */
async function startOf(db: Db): Promise<Head & { isVouched: boolean }> {
  const found = await firstRow<{ seq: number | string; hash: string; isVouched: boolean }>(
    db,
    sql`select p.seq, p.hash, exists (
          select from audit_log a where a.action = 'audit.purge'
          and a.detail->>'seq' = p.seq::text and a.detail->>'hash' = p.hash) as "isVouched"
        from audit_checkpoints p order by p.seq desc limit 1`,
  );
  return found ? { ...found, seq: Number(found.seq) } : { seq: 0, hash: '', isVouched: true };
}

/** Lines removed in one transaction: while it lasts, nobody else's line can be written. */
const purgedAtOnce = 5_000;

/** Removes lines older than two years from the beginning of the log; the database sees to it that nothing else goes. */
export async function purgeAuditLog({ db }: { db: Db }): Promise<void> {
  for (;;) {
    const gone = await firstRow<{ n: number | string }>(db, sql`select purge_audit_log(${purgedAtOnce}) as n`);
    if (Number(gone?.n ?? 0) < purgedAtOnce) return;
  }
}

type Found = {
  seq: number | string | null;
  auditId: number | null;
  isThere: boolean;
  lastSeq: number | string | null;
  lastHash: string | null;
};

type Next = { head: Head | null; broken: Break | null };

/** Checks one batch after a link that is known to be right. */
async function step(db: Db, { head: after, start }: { head: Head; start: Head }): Promise<Next> {
  const found = await firstRow<Found>(
    db,
    sql`with links as (
          select c.seq, c.audit_id, c.hash, a.id is not null as is_there,
                 c.seq - ${after.seq}::bigint as place, row_number() over (order by c.seq) as expected,
                 case when a.id is null then null
                      else audit_hash(c.seq, coalesce(lag(c.hash) over (order by c.seq), ${after.hash}), a) end as true_hash
          from (select * from audit_chain where seq > ${after.seq}::bigint order by seq limit ${batch}) c
          left join audit_log a on a.id = c.audit_id
        ), wrong as (
          select * from links where not is_there or place <> expected or true_hash <> hash order by seq limit 1
        ), last as (select seq, hash from links order by seq desc limit 1)
        select w.seq, w.audit_id as "auditId", coalesce(w.is_there, true) as "isThere", l.seq as "lastSeq", l.hash as "lastHash"
        from last l left join wrong w on true`,
  );
  if (!found || found.lastSeq === null) return { head: null, broken: null };
  if (found.seq === null) return { head: { seq: Number(found.lastSeq), hash: found.lastHash ?? '' }, broken: null };
  return { head: null, broken: await explain(db, found, start) };
}

async function explain(db: Db, { seq, auditId, isThere }: Found, start: Head): Promise<Break> {
  const at = Number(seq);
  if (!isThere) return { seq: at, auditId, reason: 'removed' };
  const before = await firstRow<{ there: boolean }>(
    db,
    sql`select ${at} = ${start.seq + 1} or exists (select from audit_chain where seq = ${at - 1}::bigint) as there`,
  );
  return before?.there
    ? { seq: at, auditId, reason: 'changed' }
    : { seq: at - 1, auditId: null, reason: 'link-removed' };
}

async function firstUnchained(db: Db, lines: number): Promise<Break | null> {
  const found = await firstRow<{ id: number | null }>(
    db,
    sql`select min(a.id) as id from audit_log a where not exists (select from audit_chain c where c.audit_id = a.id)`,
  );
  return found?.id ? { seq: lines + 1, auditId: found.id, reason: 'unchained' } : null;
}

/** What is wrong with the chain, in words. */
export function breakInWords({ seq, auditId, reason }: Break): string {
  const line = auditId === null ? `Line ${seq}` : `Line ${seq} (audit_log id ${auditId})`;
  if (reason === 'unvouched') return `Lines up to ${seq} were removed past the log.`;
  const what = {
    changed: 'is not as it was written',
    removed: 'was removed',
    'link-removed': 'and its link were removed',
    unchained: 'was added past the chain',
  }[reason];
  return `${line} ${what}.`;
}
