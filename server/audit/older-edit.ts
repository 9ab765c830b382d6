import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import type { Db } from '../db/database.ts';
import { lastEditor } from './service.ts';

/** What the second of two people is told; `subject` as in 'This market was'. */
export function olderEdit(subject: string, who: string | null): AppError {
  const sentence = `${subject} changed by ${who ?? 'someone else'} in the meantime. Look at what changed, then save again.`;
  return new AppError('conflict', sentence, { fields: { version: sentence } });
}

/** The version that an edit builds on, null where it does not say, and the one that is there. */
type Versions = { read: number | null; held: number };

/** Refuses an edit of an older state of an object, and names who was quicker. */
export async function requireNewest(
  tx: Db,
  { read, held }: Versions,
  { subject, objectType, id }: { subject: string; objectType: string; id: number },
): Promise<void> {
  if (read !== null && read !== held) throw olderEdit(subject, await lastEditor(tx, [objectType], id));
}

const versionBytes = 6;

/** Tells two states of a small record apart that has no count of its edits: what it says is its version. */
export const contentVersion = (fields: object): number =>
  createHash('sha256').update(JSON.stringify(fields)).digest().readUIntBE(0, versionBytes);
