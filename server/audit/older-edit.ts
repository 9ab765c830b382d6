import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import type { Db } from '../db/database.ts';
import { lastEditor } from './service.ts';

/** Refuses an edit of an older state of an object, and names who was quicker. `noun` is what the person calls the object. */
export async function refuseOlderEdit(tx: Db, noun: string, objectType: string, id: number): Promise<never> {
  const who = (await lastEditor(tx, [objectType], id)) ?? 'someone else';
  const sentence = `${noun} changed by ${who} in the meantime. Look at what changed, then save again.`;
  throw new AppError('conflict', sentence, { fields: { version: sentence } });
}

const versionBytes = 6;

/** Tells two states of a small record apart that has no count of its edits: what it says is its version. */
export const contentVersion = (fields: object): number =>
  createHash('sha256').update(JSON.stringify(fields)).digest().readUIntBE(0, versionBytes);
