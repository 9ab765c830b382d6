import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { requireDataFolder } from '../db/data-folder.ts';
import type { Db } from '../db/database.ts';
import { type KeyRing, keyRing } from './key-ring.ts';
import { installation } from './tables.ts';

/** Keyed hashing and sealing with this installation's key. */
export type Secrets = KeyRing & {
  /** HMAC-SHA-256 in hex, separated by purpose. */
  mac: (purpose: string, text: string) => string;
};

/** Where earlier releases kept the key they had made. */
const keyName = 'secret-key';

type Configured = {
  /** MILKRUN_SECRET_KEY. */
  key: string | null;
  /** The key that was set before, during a change of it. */
  before?: string | null;
  /** Where a key made here is kept: beside the database, never in it, so that a copy of the data opens nothing. */
  file: string;
};

/** The key comes from MILKRUN_SECRET_KEY, else one is made once and kept in a file that only this user may read. */
export async function loadSecrets(db: Db, configured: Configured): Promise<Secrets> {
  const earlier = await earlierKey(db);
  const kept = configured.key ? readKept(configured.file) : keptKey(configured.file, earlier);
  if (!configured.key && earlier) await db.delete(installation).where(eq(installation.name, keyName));
  const masters = [configured.key, configured.before, kept, earlier].filter((key) => key != null);
  return secretsOf(masters);
}

/** From the keys themselves: the one in use first. */
export function secretsOf(masters: readonly string[]): Secrets {
  const [key = ''] = masters;
  return {
    ...keyRing(masters),
    mac: (purpose, text) => createHmac('sha256', key).update(`${purpose}\0${text}`).digest('hex'),
  };
}

async function earlierKey(db: Db): Promise<string | null> {
  const [row] = await db.select().from(installation).where(eq(installation.name, keyName));
  return row?.value ?? null;
}

function keptKey(file: string, earlier: string | null): string {
  requireDataFolder(path.dirname(file));
  try {
    // Of two processes that start at once one writes, the other reads.
    writeFileSync(file, earlier ?? randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

function readKept(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** SHA-256 in hex, for tokens that are random enough to need no key. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
