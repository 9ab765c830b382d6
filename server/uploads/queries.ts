import { and, eq, lt } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { importChoices, importUploads } from './tables.ts';

export type Upload = typeof importUploads.$inferSelect;
export type Choice = typeof importChoices.$inferSelect;

export async function insertUpload(db: Db, upload: Omit<Upload, 'id'>): Promise<number> {
  const [made] = await db.insert(importUploads).values(upload).returning({ id: importUploads.id });
  if (!made) throw new Error('an upload was not stored');
  return made.id;
}

export async function findUpload(db: Db, about: Pick<Upload, 'id' | 'uploadedBy'>): Promise<Upload | undefined> {
  const own = and(eq(importUploads.id, about.id), eq(importUploads.uploadedBy, about.uploadedBy));
  const [found] = await db.select().from(importUploads).where(own);
  return found;
}

export async function setKind(db: Db, { id, kind }: Pick<Upload, 'id' | 'kind'>): Promise<void> {
  await db.update(importUploads).set({ kind }).where(eq(importUploads.id, id));
}

export async function deleteUpload(db: Db, id: number): Promise<void> {
  await db.delete(importUploads).where(eq(importUploads.id, id));
}

/** Forgets the uploads before an instant; answers their ids. */
export async function deleteUploadsBefore(db: Db, before: Date): Promise<number[]> {
  const gone = await db
    .delete(importUploads)
    .where(lt(importUploads.uploadedAt, before))
    .returning({ id: importUploads.id });
  return gone.map(({ id }) => id);
}

export async function findChoice(db: Db, about: Pick<Choice, 'kind' | 'header'>): Promise<Choice | undefined> {
  const same = and(eq(importChoices.kind, about.kind), eq(importChoices.header, about.header));
  const [found] = await db.select().from(importChoices).where(same);
  return found;
}

export async function saveChoice(db: Db, choice: Choice): Promise<void> {
  const { map, chosenAt } = choice;
  await db
    .insert(importChoices)
    .values(choice)
    .onConflictDoUpdate({ target: [importChoices.kind, importChoices.header], set: { map, chosenAt } });
}

export async function deleteChoice(db: Db, about: Pick<Choice, 'kind' | 'header'>): Promise<void> {
  await db.delete(importChoices).where(and(eq(importChoices.kind, about.kind), eq(importChoices.header, about.header)));
}
