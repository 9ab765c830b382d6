import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { insertRows } from '../db/statements/insert-rows.ts';
import { personName } from '../db/statements/person-name.ts';
import { auditLog } from './tables.ts';

export { breakInWords, purgeAuditLog, verifyChain } from './chain.ts';

type Entry = {
  action: string;
  objectType?: string;
  objectId?: number | string;
  /** Changed fields, before and after; never secrets, codes or notes. */
  detail?: Record<string, unknown>;
};

/** Who did it and from where; a person not signed in has no id, the program itself is null. */
export type Actor = { userId: number | null; address: string } | null;

/** One line of the audit log, in the transaction of the write it tells of. */
export function recordAudit(db: Db, caller: Actor, entry: Entry): Promise<void> {
  return recordAudits(db, caller, [entry]);
}

/** A line each, in their order. */
export function recordAudits(db: Db, caller: Actor, entries: readonly Entry[]): Promise<void> {
  return recordAuditsOf(
    db,
    entries.map((entry) => ({ caller, entry })),
  );
}

/** A line each, in their order, of several who were served together. */
export async function recordAuditsOf(db: Db, lines: readonly { caller: Actor; entry: Entry }[]): Promise<void> {
  if (lines.length === 0) return;
  const told = lines.map(({ caller, entry }) => ({
    actorId: caller?.userId ?? null,
    action: entry.action,
    objectType: entry.objectType ?? null,
    objectId: entry.objectId === undefined ? null : String(entry.objectId),
    detail: entry.detail ?? null,
    address: caller?.address ?? null,
  }));
  await db.execute(insertRows(auditLog, told));
}

/** The fields that differ, as [before, after]. */
export function changedFields(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(after)) {
    if (value !== undefined && before[name] !== value) changed[name] = [before[name] ?? null, value];
  }
  return changed;
}

/** Name of who last wrote something about an object; null where it was the program, or nobody. */
export async function lastEditor(db: Db, objectTypes: readonly string[], objectId: number): Promise<string | null> {
  const types = sql.join(
    objectTypes.map((type) => sql`${type}`),
    sql`, `,
  );
  const found = await firstRow<{ name: string | null }>(
    db,
    sql`select ${personName('u')} as name
        from audit_log a left join users u on u.id = a.actor_id
        where a.object_type in (${types}) and a.object_id = ${String(objectId)} order by a.id desc limit 1`,
  );
  return found?.name ?? null;
}
