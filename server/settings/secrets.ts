import { createHash, createHmac, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { installation } from './tables.ts';

/** Keyed hashing with this installation's key. */
export type Secrets = {
  /** HMAC-SHA-256 in hex, separated by purpose. */
  mac: (purpose: string, text: string) => string;
};

const keyName = 'secret-key';

/** The key comes from MILKRUN_SECRET_KEY, else one is made once and kept with the installation. */
export async function loadSecrets(db: Db, configured: string | null): Promise<Secrets> {
  const key = configured ?? (await storedKey(db));
  return { mac: (purpose, text) => createHmac('sha256', key).update(`${purpose}\0${text}`).digest('hex') };
}

async function storedKey(db: Db): Promise<string> {
  const made = randomBytes(32).toString('base64url');
  await db.insert(installation).values({ name: keyName, value: made }).onConflictDoNothing();
  const [row] = await db.select().from(installation).where(eq(installation.name, keyName));
  return row?.value ?? made;
}

/** SHA-256 in hex, for tokens that are random enough to need no key. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
