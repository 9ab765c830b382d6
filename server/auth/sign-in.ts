import { randomUUID } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import { role } from '../../domain/role-schemas.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps, Message } from '../deps.ts';
import { findUser, findUserByContact, noteSeen, type User } from '../people/service.ts';
import { isRequired, listFactors, openStep } from '../second-factor/service.ts';
import { sha256 } from '../settings/secrets.ts';
import { getOperator } from '../settings/service.ts';
import { codeLifeMs, consumeCode, issueCode, tryCode } from './codes.ts';
import type { DeviceCookies } from './cookies.ts';
import { type Contact, masked } from './delivery/contact.ts';
import { bindDevice, isHeldBy } from './devices.ts';
import { countUse, sendLimits, verifyLimits } from './limits.ts';
import { endSession, openSession } from './sessions.ts';

/** Where a call comes from, as the server sees it. */
export type Origin = { ip: string; userAgent: string | null; oldSession: string | null };

/**
 * Makes a code for a contact, known or not. `deliver` sends it, to be called after the reply: neither the answer nor its
 * time tells whether the contact is known. Throws `unavailable`, for every contact alike, while no code can be sent.
 */
export async function startSignIn(deps: Deps, contact: Contact, ip: string) {
  await deps.mailer.check(contact.channel);
  const at = deps.clock.now();
  const { isDemo } = await getOperator(deps.db);
  const issued = await deps.db.transaction(async (tx) => {
    await countUse(tx, sendLimits({ contact, address: ip, isDemo }), { at, noun: 'codes were asked for' });
    const user = await findUserByContact(tx, contact.channel, contact.address);
    const made = await issueCode(tx, deps.secrets, { contact, userId: user?.id ?? null, at });
    return { ...made, isKnown: user !== null };
  });
  const deliver = (): void => {
    if (issued.isKnown) void deps.mailer.send(messageOf(contact, issued.code));
  };
  return { challenge: issued.challenge, deliver };
}

function messageOf({ channel, address }: Contact, code: string): Message {
  const minutes = codeLifeMs / 60_000;
  return {
    to: address,
    channel,
    subject: channel === 'email' ? 'Your Milkrun sign-in code' : null,
    text: `${code} is your Milkrun sign-in code. It works once, for ${minutes} minutes. Did you not ask for it? Then ignore this message.`,
    code,
  };
}

type Attempt = {
  contact: Contact;
  code: string;
  challenge: string | null;
  deviceId: string | null;
  /** What the browser shows of the device it is on. */
  known: string | null;
};

export type Entered = { session: string; device: DeviceCookies };
type SecondStep = { app: boolean; passkey: boolean; pairing: boolean };
/** Either in, or a second step is asked for and `step` is the cookie that the sign-in goes on with. */
type Outcome = Entered | { step: string; asked: SecondStep };

/** Exchanges a code for a session and a device credential; throws `not-signed-in` or `too-many-requests`. */
export async function finishSignIn(deps: Deps, attempt: Attempt, origin: Origin): Promise<Outcome> {
  const at = deps.clock.now();
  const { isDemo } = await getOperator(deps.db);
  await countUse(deps.db, verifyLimits(origin.ip, isDemo), { at, noun: 'codes were tried' });
  const { contact, code, challenge } = attempt;
  const tried = challenge ? await tryCode(deps.db, deps.secrets, { contact, challenge, code, at }) : 'wrong-code';
  if (typeof tried === 'string') throw await refuse(deps, contact, { ip: origin.ip, reason: tried });
  const entered = await deps.db.transaction(async (tx) => {
    const user = tried.userId === null ? null : await findUser(tx, tried.userId);
    if (!user || !(await consumeCode(tx, tried.id, at))) return null;
    const deviceId = attempt.deviceId ?? randomUUID();
    const asked = await secondStepOf(tx, user, attempt, at);
    if (asked) return { step: await openStep(tx, { userId: user.id, deviceId, at }), asked };
    return signIn(tx, user, { deviceId, origin, at, channel: contact.channel, isStrong: false });
  });
  if (!entered) throw await refuse(deps, contact, { ip: origin.ip, reason: 'wrong-code' });
  return entered;
}

/**
 * What is asked for beside the code, or null. Who set an app or a passkey up proves that. Of a field worker the operator may
 * ask that the device is one they hold already; a new one is vouched for by their manager's pairing code.
 */
async function secondStepOf(db: Db, user: User, shown: Pick<Attempt, 'known' | 'deviceId'>, at: Date) {
  const factors = await listFactors(db, user.id);
  if (factors.length > 0) {
    const has = (kind: string): boolean => factors.some((factor) => factor.kind === kind);
    return { app: has('totp'), passkey: has('passkey'), pairing: false };
  }
  if (user.role !== 'field_worker' || !(await isRequired(db))) return null;
  const isHeld = await isHeldBy(db, shown, { userId: user.id, at });
  return isHeld ? null : { app: false, passkey: false, pairing: true };
}

type SignIn = { deviceId: string; origin: Origin; at: Date; channel: string; isStrong: boolean };

/** Lets somebody in who has proven all that is asked of them. */
export async function signIn(db: Db, user: User, { channel, ...entry }: SignIn): Promise<Entered> {
  const { deviceId, origin, at } = entry;
  const device = await bindDevice(db, { deviceId, userId: user.id, userAgent: origin.userAgent, at });
  const session = await enter(db, user, entry);
  await recordAudit(db, actor(origin, user.id), {
    action: 'auth.sign-in',
    objectType: 'user',
    objectId: user.id,
    detail: { channel, deviceId, secondFactor: entry.isStrong },
  });
  return { session, device };
}

type Entry = { deviceId: string | null; origin: Origin; at: Date; isStrong?: boolean };

/** A new session; the one the browser had before ends, so that a planted cookie is never the one signed in. */
export async function enter(db: Db, user: User, { deviceId, origin, at, isStrong = false }: Entry): Promise<string> {
  if (origin.oldSession) await endSession(db, sha256(origin.oldSession));
  await noteSeen(db, user.id, at);
  const who = role.parse(user.role);
  return openSession(db, { userId: user.id, role: who, deviceId, at, from: origin, isStrong });
}

export const actor = (origin: { ip: string }, userId: number | null) => ({ userId, address: origin.ip });

type Refusal = { ip: string; reason: 'wrong-code' | 'too-many-tries' };

async function refuse(deps: Deps, contact: Contact, { ip, reason }: Refusal): Promise<AppError> {
  await recordAudit(deps.db, actor({ ip }, null), {
    action: 'auth.sign-in-failed',
    detail: { channel: contact.channel, contact: masked(contact), reason },
  });
  if (reason === 'wrong-code') return new AppError('not-signed-in', 'Invalid verification code');
  return new AppError('too-many-requests', 'This code was tried too often. Ask for a new code and try again now.', {
    retryAfterSeconds: 1,
  });
}
