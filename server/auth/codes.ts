import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { type Secrets, sha256 } from '../settings/secrets.ts';
import type { CodePurpose } from './delivery/contact.ts';
import { loginCodes } from './tables.ts';

/** How long a code lives. */
export const codeLifeMs = 10 * 60_000;
/** Tries a code allows, right or wrong. */
const maxTries = 5;

/** Six digits, every one of the million as likely as any other. */
export function makeCode(): string {
  return randomInt(0, 1_000_000).toString().padStart(6, '0');
}

const hashOf = (secrets: Secrets, salt: string, code: string): string => secrets.mac('login-code', salt + code);

type Issue = { contact: CodePurpose; userId: number | null; at: Date };

/**
 * A new code of a contact, which kills the one before. `challenge` goes to the browser that asked: without it the code
 * is worth nothing. A code for nobody is stored too, so that both take the same work.
 */
export async function issueCode(db: Db, secrets: Secrets, { contact, userId, at }: Issue) {
  const code = makeCode();
  const challenge = randomBytes(16).toString('base64url');
  const salt = randomBytes(16).toString('hex');
  await db
    .update(loginCodes)
    .set({ expiresAt: at })
    .where(and(ofContact(contact), isLive(at)));
  await db.insert(loginCodes).values({
    challenge: sha256(challenge),
    contact: contact.address,
    channel: contact.channel,
    userId,
    salt,
    codeHash: hashOf(secrets, salt, code),
    expiresAt: new Date(at.getTime() + codeLifeMs),
    createdAt: at,
  });
  return { code, challenge };
}

const ofContact = ({ channel, address }: CodePurpose) =>
  and(eq(loginCodes.contact, address), eq(loginCodes.channel, channel));

const isLive = (at: Date) => and(isNull(loginCodes.usedAt), gt(loginCodes.expiresAt, at));

type Try = { contact: CodePurpose; challenge: string; code: string; at: Date };

/** What came of a try: the code's row to be used up, or why not. */
type Tried = { id: number; userId: number | null } | 'wrong-code' | 'too-many-tries';

/** Counts a try and compares. The count is one conditional update, so parallel tries get no more than the limit. */
export async function tryCode(db: Db, secrets: Secrets, { contact, challenge, code, at }: Try): Promise<Tried> {
  const asked = and(eq(loginCodes.challenge, sha256(challenge)), ofContact(contact), isLive(at));
  const [row] = await db
    .update(loginCodes)
    .set({ tries: sql`${loginCodes.tries} + 1` })
    .where(and(asked, lt(loginCodes.tries, maxTries)))
    .returning();
  if (!row) {
    const exhausted = await db.select({ id: loginCodes.id }).from(loginCodes).where(asked);
    return exhausted.length > 0 ? 'too-many-tries' : 'wrong-code';
  }
  const given = Buffer.from(hashOf(secrets, row.salt, code));
  return timingSafeEqual(given, Buffer.from(row.codeHash)) ? { id: row.id, userId: row.userId } : 'wrong-code';
}

/** Uses a code up; false when another call did so first. */
export async function consumeCode(db: Db, id: number, at: Date): Promise<boolean> {
  const used = await db
    .update(loginCodes)
    .set({ usedAt: at })
    .where(and(eq(loginCodes.id, id), isLive(at)))
    .returning({ id: loginCodes.id });
  return used.length === 1;
}
