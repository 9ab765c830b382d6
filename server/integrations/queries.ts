import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { IntegrationSystem } from '../../domain/integration.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { integrationConfigs } from './tables.ts';

export type ConfigRow = typeof integrationConfigs.$inferSelect;
type NewConfig = typeof integrationConfigs.$inferInsert;

const present = isNull(integrationConfigs.removedAt);

export function findConfigs(db: Db, system: IntegrationSystem | null): Promise<ConfigRow[]> {
  return db
    .select()
    .from(integrationConfigs)
    .where(and(present, system === null ? undefined : eq(integrationConfigs.system, system)))
    .orderBy(asc(integrationConfigs.name), asc(integrationConfigs.id));
}

export async function findConfig(db: Db, id: number): Promise<ConfigRow | undefined> {
  const [found] = await db
    .select()
    .from(integrationConfigs)
    .where(and(present, eq(integrationConfigs.id, id)));
  return found;
}

export async function findConfigLocked(db: Db, id: number): Promise<ConfigRow | undefined> {
  const [found] = await db
    .select()
    .from(integrationConfigs)
    .where(and(present, eq(integrationConfigs.id, id)))
    .for('update');
  return found;
}

export async function findConfigOfAddress(db: Db, system: string, publicId: string): Promise<ConfigRow | undefined> {
  const [found] = await db
    .select()
    .from(integrationConfigs)
    .where(and(present, eq(integrationConfigs.publicId, publicId), eq(integrationConfigs.system, system)));
  return found;
}

export async function insertConfig(db: Db, config: NewConfig): Promise<number | null> {
  const [inserted] = await db.insert(integrationConfigs).values(config).returning({ id: integrationConfigs.id });
  return inserted?.id ?? null;
}

export async function updateConfigFields(db: Db, id: number, fields: Partial<NewConfig>): Promise<void> {
  await db.update(integrationConfigs).set(fields).where(eq(integrationConfigs.id, id));
}

type Sealed = { before: string | null; tokens: string; expireAt: Date | null };

/** Replaces sealed tokens, unless somebody else replaced or erased them since: then false. */
export async function replaceTokens(db: Db, id: number, { before, tokens, expireAt }: Sealed): Promise<boolean> {
  const isAsRead = before === null ? isNull(integrationConfigs.tokens) : eq(integrationConfigs.tokens, before);
  const replaced = await db
    .update(integrationConfigs)
    .set({ tokens, tokensExpireAt: expireAt })
    .where(and(eq(integrationConfigs.id, id), isAsRead))
    .returning({ id: integrationConfigs.id });
  return replaced.length > 0;
}

/** True when nobody else is getting new tokens: the caller may, until the instant given. */
export async function takeRenewal(db: Db, id: number, { now, until }: { now: Date; until: Date }): Promise<boolean> {
  const free = or(isNull(integrationConfigs.renewingUntil), lt(integrationConfigs.renewingUntil, now));
  const taken = await db
    .update(integrationConfigs)
    .set({ renewingUntil: until })
    .where(and(eq(integrationConfigs.id, id), free))
    .returning({ id: integrationConfigs.id });
  return taken.length > 0;
}

/** Gives the turn back, unless it ran out and somebody else has it. */
export async function endRenewal(db: Db, id: number, until: Date): Promise<void> {
  const own = and(eq(integrationConfigs.id, id), eq(integrationConfigs.renewingUntil, until));
  await db.update(integrationConfigs).set({ renewingUntil: null }).where(own);
}

type Rejected = { at: Date; reason: string; count: number };

export async function countRejected(db: Db, id: number, { at, reason, count }: Rejected): Promise<void> {
  await db
    .update(integrationConfigs)
    .set({
      rejectedDeliveries: sql`${integrationConfigs.rejectedDeliveries} + ${count}`,
      lastRejectedAt: at,
      lastRejectedReason: reason,
    })
    .where(eq(integrationConfigs.id, id));
}

export type Freshness = { configId: number; resource: string; lastGoodAt: Date | null; nextDueAt: Date | null };

export async function findFreshness(db: Db): Promise<Freshness[]> {
  const found = await rows<Freshness>(
    db,
    sql`select config_id as "configId", resource, last_good_at as "lastGoodAt", next_due_at as "nextDueAt" from sync_cursors`,
  );
  return found.map((one) => ({ ...one, lastGoodAt: asDate(one.lastGoodAt), nextDueAt: asDate(one.nextDueAt) }));
}

// A raw statement gives instants as text on one database and as text or Date on the other.
const asDate = (value: Date | string | null): Date | null => (value === null ? null : new Date(value));
