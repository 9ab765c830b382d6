import { createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { boundTo, isSealedEvent, type SealKeyName, sealKeyName, sealKeyPurpose } from '../../domain/phone-seal.ts';
import type { Db } from '../db/database.ts';
import { decrypt, keyBytes, SealError } from '../settings/envelope.ts';
import type { Secrets } from '../settings/secrets.ts';
import { phoneSealKeys } from './tables.ts';

const curve = 'prime256v1';

type Row = typeof phoneSealKeys.$inferSelect;

/** The public key that phones seal for. One whose private half does not open here (a restored backup) is never handed out. */
export async function phoneSealKey(db: Db, secrets: Secrets): Promise<{ id: string; publicKey: string }> {
  const kept = await db.select().from(phoneSealKeys).orderBy(desc(phoneSealKeys.createdAt), phoneSealKeys.id);
  for (const row of kept) if (await privateHalf(db, secrets, row)) return { id: row.id, publicKey: row.publicKey };
  return makeKey(db, secrets);
}

async function makeKey(db: Db, secrets: Secrets): Promise<{ id: string; publicKey: string }> {
  const id = randomBytes(6).toString('hex');
  const pair = createECDH(curve);
  pair.generateKeys();
  const publicKey = pair.getPublicKey('base64url');
  const privateKey = await secrets.seal(db, placeOf(id), pair.getPrivateKey('base64url'));
  await db.insert(phoneSealKeys).values({ id, publicKey, privateKey });
  return { id, publicKey };
}

const placeOf = (id: string) => ({ table: 'phone_seal_keys', column: 'private_key', row: id });

async function privateHalf(db: Db, secrets: Secrets, row: Row): Promise<Buffer | null> {
  try {
    return Buffer.from(await secrets.open(db, placeOf(row.id), row.privateKey), 'base64url');
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** The keys a person may have: those of their own sign-outs, null for every other name. */
export async function keysFor(db: Db, secrets: Secrets, asked: { userId: number; names: readonly string[] }) {
  const find = finder(db, secrets);
  const keys: (string | null)[] = [];
  for (const text of asked.names) {
    const isOwn = sealKeyName(text)?.userId === asked.userId;
    keys.push(isOwn ? ((await find(text))?.key.toString('base64url') ?? null) : null);
  }
  return keys;
}

type Found = { key: Buffer; name: SealKeyName };

/** Finds keys by their names, each once. */
function finder(db: Db, secrets: Secrets): (text: string) => Promise<Found | null> {
  const known = new Map<string, Promise<Found | null>>();
  return (text) => {
    const found = known.get(text) ?? agree(db, secrets, text);
    known.set(text, found);
    return found;
  };
}

async function agree(db: Db, secrets: Secrets, text: string): Promise<Found | null> {
  const name = sealKeyName(text);
  if (!name) return null;
  const [row] = await db.select().from(phoneSealKeys).where(eq(phoneSealKeys.id, name.keyId));
  const secret = row ? await privateHalf(db, secrets, row) : null;
  const shared = secret && sharedWith(secret, name.point);
  return shared && { name, key: Buffer.from(hkdfSync('sha256', shared, '', sealKeyPurpose(text), keyBytes)) };
}

/** Null for bytes that are no point of the curve: they come from outside. */
function sharedWith(secret: Buffer, point: string): Buffer | null {
  const pair = createECDH(curve);
  pair.setPrivateKey(secret);
  try {
    return pair.computeSecret(point, 'base64url');
  } catch {
    return null;
  }
}

/** An event as it was made. `sealedFor` names who left it behind; `isShut` when it does not open here. */
export type Opened = { event: { eventId: string }; sealedFor: number | null; isShut: boolean };

/** Opens what phones deliver for people who signed out; every other event passes as it came. */
export async function openSealedEvents(db: Db, secrets: Secrets, events: readonly { eventId: string }[]) {
  const find = finder(db, secrets);
  const opened: Opened[] = [];
  for (const event of events) opened.push(await openOne(find, event));
  return opened;
}

async function openOne(find: ReturnType<typeof finder>, event: { eventId: string }): Promise<Opened> {
  if (!isSealedEvent(event)) return { event, sealedFor: null, isShut: false };
  const found = await find(event.sealedWith);
  const inside = found && textOf(found.key, event.sealed, boundTo('event', event.eventId));
  if (!found || !inside) return { event, sealedFor: null, isShut: true };
  return { event: { ...inside, eventId: event.eventId }, sealedFor: found.name.userId, isShut: false };
}

function textOf(key: Buffer, sealed: string, bound: string): object | null {
  try {
    const content: unknown = JSON.parse(decrypt(key, sealed, bound).toString());
    const event = typeof content === 'object' && content !== null && 'event' in content ? content.event : null;
    return typeof event === 'object' ? event : null;
  } catch (error) {
    if (error instanceof SealError || error instanceof SyntaxError) return null;
    throw error;
  }
}
