import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { vdiDocuments } from './tables.ts';

type NewDocument = typeof vdiDocuments.$inferInsert;

/** The id of a document that is new; null for one whose transaction id is known. */
export async function insertDocument(db: Db, document: NewDocument): Promise<number | null> {
  const [made] = await db
    .insert(vdiDocuments)
    .values(document)
    .onConflictDoNothing()
    .returning({ id: vdiDocuments.id });
  return made?.id ?? null;
}

/** Counts a repetition and says what the first one was. */
export async function countRepeat(db: Db, configId: number, transactionId: string) {
  const [known] = await db
    .update(vdiDocuments)
    .set({ repeats: sql`${vdiDocuments.repeats} + 1` })
    .where(and(eq(vdiDocuments.configId, configId), eq(vdiDocuments.transactionId, transactionId)))
    .returning({ contentHash: vdiDocuments.contentHash, rejected: vdiDocuments.rejected });
  return known;
}

export async function updateDocument(db: Db, id: number, fields: Partial<NewDocument>): Promise<void> {
  await db.update(vdiDocuments).set(fields).where(eq(vdiDocuments.id, id));
}

export async function emptyBodies(db: Db, before: Date): Promise<void> {
  await db
    .update(vdiDocuments)
    .set({ body: null })
    .where(and(lt(vdiDocuments.receivedAt, before), isNotNull(vdiDocuments.body)));
}
