import { isIP } from 'node:net';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { and, eq, gt, isNotNull } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { Db } from '../db/database.ts';
import { passkeyChallenges, secondFactors } from './tables.ts';

const challengeLifeMs = 5 * 60_000;

/** The site that passkeys are bound to. */
export type Site = { origin: string; host: string };

/** From PUBLIC_URL, else from the caller's own origin, which the guard has checked. */
export function siteOf(publicUrl: string | null, origin: string | undefined): Site {
  const url = new URL(publicUrl ?? origin ?? 'http://localhost');
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) {
    throw new AppError('conflict', 'A passkey needs a name in the address bar instead of numbers. Use an app instead.');
  }
  return { origin: url.origin, host: url.hostname };
}

type Asking = { askedBy: string; site: Site; at: Date };
type Person = { userId: number; email: string; name: string };

/** What the browser is asked to make a passkey from. */
export async function registrationOptions(db: Db, person: Person, { askedBy, site, at }: Asking) {
  const known = await passkeysOf(db, person.userId);
  const options = await generateRegistrationOptions({
    rpName: 'Milkrun',
    rpID: site.host,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(String(person.userId))),
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId ?? '' })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  await keepChallenge(db, askedBy, options.challenge, at);
  return options;
}

/** What the browser is asked to sign with a passkey of this person. */
export async function authenticationOptions(db: Db, userId: number, { askedBy, site, at }: Asking) {
  const known = await passkeysOf(db, userId);
  const options = await generateAuthenticationOptions({
    rpID: site.host,
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId ?? '',
      ...(transports ? { transports } : {}),
    })),
  });
  await keepChallenge(db, askedBy, options.challenge, at);
  return options;
}

/** Keeps a new passkey; throws `invalid-input` when the answer does not belong to the question. */
export async function addPasskey(
  db: Db,
  userId: number,
  { askedBy, site, at }: Asking,
  given: { name: string; response: RegistrationResponseJSON },
): Promise<number> {
  const expectedChallenge = await takeChallenge(db, askedBy, at);
  const checked = await verifyRegistrationResponse({
    response: given.response,
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
  }).catch(() => null);
  if (!checked?.verified) throw notRecognised();
  const { credential } = checked.registrationInfo;
  const [made] = await db
    .insert(secondFactors)
    .values({
      userId,
      kind: 'passkey',
      name: given.name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: given.response.response.transports ?? null,
      createdAt: at,
      confirmedAt: at,
    })
    .onConflictDoNothing()
    .returning({ id: secondFactors.id });
  if (!made) throw new AppError('conflict', 'This passkey is set up already.');
  return made.id;
}

/** True when the answer is signed by a passkey of this person, over the question that this sign-in was asked. */
export async function isPasskeyOf(
  db: Db,
  userId: number,
  { askedBy, site, at }: Asking,
  response: AuthenticationResponseJSON,
): Promise<boolean> {
  const expectedChallenge = await takeChallenge(db, askedBy, at);
  const key = (await passkeysOf(db, userId)).find(({ credentialId }) => credentialId === response.id);
  if (!key?.publicKey || !key.credentialId) return false;
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: {
      id: key.credentialId,
      publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
      counter: key.counter,
    },
  }).catch(() => null);
  if (!checked?.verified) return false;
  const counter = checked.authenticationInfo.newCounter;
  await db.update(secondFactors).set({ counter, lastUsedAt: at }).where(eq(secondFactors.id, key.id));
  return true;
}

function passkeysOf(db: Db, userId: number) {
  const mine = and(eq(secondFactors.userId, userId), eq(secondFactors.kind, 'passkey'));
  return db
    .select()
    .from(secondFactors)
    .where(and(mine, isNotNull(secondFactors.confirmedAt)));
}

async function keepChallenge(db: Db, askedBy: string, challenge: string, at: Date): Promise<void> {
  const fresh = { challenge, expiresAt: new Date(at.getTime() + challengeLifeMs) };
  await db
    .insert(passkeyChallenges)
    .values({ askedBy, ...fresh })
    .onConflictDoUpdate({ target: passkeyChallenges.askedBy, set: fresh });
}

/** The question asked, which is answered once. */
async function takeChallenge(db: Db, askedBy: string, at: Date): Promise<string> {
  const asked = and(eq(passkeyChallenges.askedBy, askedBy), gt(passkeyChallenges.expiresAt, at));
  const [taken] = await db.delete(passkeyChallenges).where(asked).returning();
  if (!taken) throw notRecognised();
  return taken.challenge;
}

const notRecognised = (): AppError => new AppError('invalid-input', 'This passkey was not recognised. Try again.');
