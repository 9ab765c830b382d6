import { and, eq, gt, lt } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { lightspeedSignIns } from './tables.ts';

export type SignIn = typeof lightspeedSignIns.$inferSelect;

export async function insertSignIn(db: Db, signIn: typeof lightspeedSignIns.$inferInsert): Promise<void> {
  await db.insert(lightspeedSignIns).values(signIn);
}

/** Takes it, so that it is good once; only for the session that began it, and not too late. */
export async function takeSignIn(
  db: Db,
  { stateHash, sid, now }: { stateHash: string; sid: string; now: Date },
): Promise<SignIn | null> {
  const mine = and(eq(lightspeedSignIns.stateHash, stateHash), eq(lightspeedSignIns.sid, sid));
  const [taken] = await db
    .delete(lightspeedSignIns)
    .where(and(mine, gt(lightspeedSignIns.expiresAt, now)))
    .returning();
  return taken ?? null;
}

export async function deleteOldSignIns(db: Db, now: Date): Promise<void> {
  await db.delete(lightspeedSignIns).where(lt(lightspeedSignIns.expiresAt, now));
}
