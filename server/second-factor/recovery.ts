import { randomInt } from 'node:crypto';
import { and, count, eq, isNull } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { sha256 } from '../settings/secrets.ts';
import { recoveryCodes } from './tables.ts';

/** Without letters and digits that look alike: 5 bits each. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codes = 10;
const groups = 6;
const groupLength = 4;

const plain = (code: string): string => code.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** True for text that may be a recovery code; typed without dashes it is the same. */
export const looksLikeRecoveryCode = (text: string): boolean => plain(text).length === groups * groupLength;

/** Ten new recovery codes; those before are worth nothing any more. Shown once, only their hashes are kept. */
export async function renewRecoveryCodes(db: Db, userId: number): Promise<string[]> {
  const group = (): string => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  const made = Array.from({ length: codes }, () => Array.from({ length: groups }, group).join('-'));
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await db.insert(recoveryCodes).values(made.map((code) => ({ userId, codeHash: sha256(plain(code)) })));
  return made;
}

/** Uses a recovery code up; false when it is not theirs or was used before. */
export async function takeRecoveryCode(db: Db, userId: number, code: string, at: Date): Promise<boolean> {
  const mine = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, sha256(plain(code))));
  const used = await db
    .update(recoveryCodes)
    .set({ usedAt: at })
    .where(and(mine, isNull(recoveryCodes.usedAt)))
    .returning({ userId: recoveryCodes.userId });
  return used.length === 1;
}

/** How many recovery codes a person has left. */
export async function recoveryCodesLeft(db: Db, userId: number): Promise<number> {
  const mine = and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt));
  const [found] = await db.select({ left: count() }).from(recoveryCodes).where(mine);
  return found?.left ?? 0;
}
