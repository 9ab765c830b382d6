import { randomBytes } from 'node:crypto';
import { and, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { AppError, notFound } from '../../domain/errors.ts';
import { type Actor, recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { type Secrets, sha256 } from '../settings/secrets.ts';
import { getMarker, setMarker } from '../settings/service.ts';
import { looksLikeRecoveryCode, takeRecoveryCode } from './recovery.ts';
import { passkeyChallenges, recoveryCodes, secondFactors, signInSteps } from './tables.ts';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

export { addPasskey, registrationOptions, siteOf } from './passkeys.ts';
export { recoveryCodesLeft, renewRecoveryCodes } from './recovery.ts';

const stepLifeMs = 10 * 60_000;
const maxTries = 5;
/** Marker of the operator's wish that managers and administrators prove a second factor. */
export const requiredMarker = 'second-factor-required';

const place = (id: number) => ({ table: 'second_factors', column: 'secret', row: id });
const factorsOf = (userId: number) => and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt));

/** The factors a person has set up, oldest first. */
export function listFactors(db: Db, userId: number) {
  const { id, kind, name, createdAt, lastUsedAt } = secondFactors;
  return db.select({ id, kind, name, createdAt, lastUsedAt }).from(secondFactors).where(factorsOf(userId)).orderBy(id);
}

type Step = { userId: number; deviceId: string; at: Date };

/** The value for the browser's cookie with which this sign-in goes on; its hash is kept. */
export async function openStep(db: Db, { userId, deviceId, at }: Step): Promise<string> {
  const value = randomBytes(32).toString('base64url');
  const expiresAt = new Date(at.getTime() + stepLifeMs);
  await db.insert(signInSteps).values({ challenge: sha256(value), userId, deviceId, expiresAt });
  return value;
}

const live = (value: string, at: Date) => and(eq(signInSteps.challenge, sha256(value)), gt(signInSteps.expiresAt, at));

/** The sign-in that a cookie goes on with, or null. */
export async function findStep(db: Db, value: string | null, at: Date) {
  if (!value) return null;
  const [step] = await db.select().from(signInSteps).where(live(value, at));
  return step ?? null;
}

/** Counts a try; null when there is no such step or it had its tries. Parallel tries get no more than the limit. */
export async function countTry(db: Db, value: string | null, at: Date) {
  if (!value) return null;
  const [step] = await db
    .update(signInSteps)
    .set({ tries: sql`${signInSteps.tries} + 1` })
    .where(and(live(value, at), lt(signInSteps.tries, maxTries)))
    .returning();
  return step ?? null;
}

/** Ends a step; false when another call did so first. */
export async function closeStep(db: Db, challenge: string): Promise<boolean> {
  const closed = await db
    .delete(signInSteps)
    .where(eq(signInSteps.challenge, challenge))
    .returning({ userId: signInSteps.userId });
  return closed.length === 1;
}

type Proof = { userId: number; code: string; at: Date };

/** True for a code of the person's authenticator app, or one of their recovery codes; each works once. */
export async function isCodeOf(db: Db, secrets: Secrets, { userId, code, at }: Proof): Promise<boolean> {
  if (looksLikeRecoveryCode(code)) return takeRecoveryCode(db, userId, code, at);
  const apps = await db
    .select()
    .from(secondFactors)
    .where(and(factorsOf(userId), eq(secondFactors.kind, 'totp')));
  for (const { id, secret } of apps) {
    const step = stepOfCode(await secrets.open(db, place(id), secret ?? ''), code, at);
    if (step !== null && (await takeStep(db, { id, step, at }))) return true;
  }
  return false;
}

async function takeStep(db: Db, { id, step, at }: { id: number; step: number; at: Date }): Promise<boolean> {
  const unused = or(isNull(secondFactors.lastStep), lt(secondFactors.lastStep, step));
  const used = await db
    .update(secondFactors)
    .set({ lastStep: step, lastUsedAt: at })
    .where(and(eq(secondFactors.id, id), unused))
    .returning({ id: secondFactors.id });
  return used.length === 1;
}

type Beginning = { userId: number; email: string; issuer: string; at: Date };

/** A new secret for an authenticator app; it counts from the first right code on. */
export async function beginTotp(db: Db, secrets: Secrets, { userId, email, issuer, at }: Beginning) {
  const secret = newTotpSecret();
  await db.transaction(async (tx) => {
    await tx.delete(secondFactors).where(and(eq(secondFactors.userId, userId), isNull(secondFactors.confirmedAt)));
    const values = { userId, kind: 'totp' as const, name: 'Authenticator app', createdAt: at };
    const [made] = await tx.insert(secondFactors).values(values).returning({ id: secondFactors.id });
    if (!made) throw new Error('nothing inserted');
    const sealed = await secrets.seal(tx, place(made.id), secret);
    await tx.update(secondFactors).set({ secret: sealed }).where(eq(secondFactors.id, made.id));
  });
  return { secret, uri: totpUri(secret, { label: email, issuer }) };
}

/** The first right code sets the app up; throws `invalid-input` for a wrong one. */
export async function confirmTotp(db: Db, secrets: Secrets, { userId, code, at }: Proof): Promise<number> {
  const open = and(eq(secondFactors.userId, userId), isNull(secondFactors.confirmedAt));
  const [begun] = await db.select().from(secondFactors).where(open);
  const step = begun ? stepOfCode(await secrets.open(db, place(begun.id), begun.secret ?? ''), code, at) : null;
  if (!begun || step === null) {
    const sentence = 'This code is not right. Wait for the next one in the app, and check the phone’s clock.';
    throw new AppError('invalid-input', sentence, { fields: { code: sentence } });
  }
  await db
    .update(secondFactors)
    .set({ confirmedAt: at, lastStep: step, lastUsedAt: at })
    .where(eq(secondFactors.id, begun.id));
  return begun.id;
}

/**
 * Removes one factor; the recovery codes go with the last. Throws `not-found` for another person's. To be called in a
 * transaction: until its end nobody else removes a factor of this person, so that what is left may be counted.
 */
export async function removeFactor(tx: Db, userId: number, id: number): Promise<string> {
  await tx.select().from(secondFactors).where(factorsOf(userId)).orderBy(secondFactors.id).for('update');
  const [removed] = await tx
    .delete(secondFactors)
    .where(and(factorsOf(userId), eq(secondFactors.id, id)))
    .returning({ name: secondFactors.name });
  if (!removed) throw notFound('second step');
  if ((await listFactors(tx, userId)).length === 0) await dropFactors(tx, userId);
  return removed.name;
}

/** Takes every factor of a person away, for somebody who lost phone, key and recovery codes. */
export async function resetFactors(db: Db, actor: Actor, userId: number): Promise<void> {
  await dropFactors(db, userId);
  await recordAudit(db, actor, { action: 'auth.second-factor-reset', objectType: 'user', objectId: userId });
}

/** Forgets factors, recovery codes and begun sign-ins. */
export async function dropFactors(db: Db, userId: number): Promise<void> {
  await db.delete(secondFactors).where(eq(secondFactors.userId, userId));
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await db.delete(signInSteps).where(eq(signInSteps.userId, userId));
}

/** Removes begun sign-ins, questions to passkeys and apps that were never finished. */
export async function purgeSteps(db: Db, at: Date): Promise<void> {
  await db.delete(signInSteps).where(lt(signInSteps.expiresAt, at));
  await db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, at));
  const dayAgo = new Date(at.getTime() - 24 * 3_600_000);
  await db.delete(secondFactors).where(and(isNull(secondFactors.confirmedAt), lt(secondFactors.createdAt, dayAgo)));
}

/** Whether managers and administrators must prove a second factor. */
export const isRequired = async (db: Db): Promise<boolean> => (await getMarker(db, requiredMarker)) === '1';

export const setRequired = (db: Db, required: boolean): Promise<void> =>
  setMarker(db, requiredMarker, required ? '1' : null);

/** Of these people, those who have a factor. */
export async function withFactor(db: Db, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const found = await db
    .selectDistinct({ userId: secondFactors.userId })
    .from(secondFactors)
    .where(and(inArray(secondFactors.userId, [...userIds]), isNotNull(secondFactors.confirmedAt)));
  return new Set(found.map(({ userId }) => userId));
}
