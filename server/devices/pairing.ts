import { randomInt } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import { countUse, giveBack, network } from '../auth/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { findUser, type User } from '../people/service.ts';
import { consumeCode, findLiveCode, insertCode } from './queries.ts';

/** How long a pairing code lives: long enough to walk to the tablet. */
export const codeLifeMs = 10 * 60_000;
const digits = 8;
const hourMs = 3_600_000;

/**
 * Tries of wrong pairing codes: a depot pairs as many devices behind one address as it has. All addresses together guess at
 * most 300 of 100 million codes an hour.
 */
const triesOf = (address: string) => [
  { key: `pairing:address:${network(address)}`, max: 20, windowMs: hourMs },
  { key: 'pairing:all', max: 300, windowMs: hourMs },
];

const hashOf = (deps: Deps, code: string): string => deps.secrets.mac('pairing-code', code);

export const nameOf = (user: Pick<User, 'firstName' | 'lastName' | 'email'>): string =>
  `${user.firstName} ${user.lastName}`.trim() || user.email;

/** What a code is for: a route and who drives it, or a person who has no route yet. */
type Wish = { routeDesignation: string | null; userId: number };

/**
 * A code for a device that this field worker will hold. Nobody else can be signed in by one: managers and
 * administrators prove more than eight digits read from a screen.
 */
export async function issueCode(deps: Deps, caller: Caller, wish: Wish) {
  const at = deps.clock.now();
  const expiresAt = new Date(at.getTime() + codeLifeMs);
  const code = randomInt(0, 10 ** digits)
    .toString()
    .padStart(digits, '0');
  const worker = await deps.db.transaction(async (tx) => {
    const found = await findUser(tx, wish.userId);
    const user = found && isWorkerOf(found, wish.routeDesignation) ? found : null;
    if (!user) {
      const route = wish.routeDesignation === null ? 'has no route' : `works on route ${wish.routeDesignation}`;
      const sentence = `Choose a Field Operator who ${route}.`;
      throw new AppError('invalid-input', sentence, { fields: { userId: sentence } });
    }
    const { routeDesignation, userId } = wish;
    const issued = { routeDesignation, userId, issuedBy: caller.userId, createdAt: at, expiresAt };
    await insertCode(tx, { codeHash: hashOf(deps, code), ...issued }, at);
    await recordAudit(tx, caller, {
      action: 'device.issue-code',
      objectType: 'user',
      objectId: userId,
      detail: { routeDesignation },
    });
    return nameOf(user);
  });
  return { code, worker, routeDesignation: wish.routeDesignation, expiresAt: expiresAt.toISOString() };
}

function isWorkerOf(user: User, routeDesignation: string | null): boolean {
  return user.role === 'field_worker' && (user.routeDesignation || null) === routeDesignation;
}

/** What a code stands for; throws when it is wrong, used, expired, or no longer true of the person. */
export async function readCode(deps: Deps, db: Db, code: string) {
  const found = await findLiveCode(db, hashOf(deps, code), deps.clock.now());
  const worker = found ? await findUser(db, found.userId) : null;
  if (!found || !worker || !isWorkerOf(worker, found.routeDesignation)) return null;
  return { id: found.id, routeDesignation: found.routeDesignation, worker, expiresAt: found.expiresAt };
}

type Taking = { code: string; userId: number; deviceId: string; address: string };

/** Uses a code up that was issued for this very person: it vouches for the new device they sign in on. */
export async function takePairingCode(deps: Deps, { code, userId, deviceId, address }: Taking): Promise<boolean> {
  await countTry(deps, address);
  const isTaken = await deps.db.transaction(async (tx) => {
    const found = await readCode(deps, tx, code.replace(/\D/g, ''));
    if (found?.worker.id !== userId) return false;
    return consumeCode(tx, found.id, { at: deps.clock.now(), deviceId });
  });
  if (isTaken) await forgiveTry(deps, address);
  return isTaken;
}

/** The route a device is tied to by a code; a code without one only vouches for a device at a sign-in. */
export function routeOfCode({ routeDesignation }: { routeDesignation: string | null }): string {
  if (routeDesignation !== null) return routeDesignation;
  const sentence = 'This code is for signing in. Sign in with your work email on this device and enter it there.';
  throw new AppError('invalid-input', sentence, { fields: { pairingCode: sentence } });
}

/** Counts a try of an address; call it before the code is looked at, right or wrong, so that tries at once all count. */
export function countTry(deps: Deps, address: string): Promise<void> {
  return countUse(deps.db, triesOf(address), { at: deps.clock.now(), noun: 'pairing codes were tried' });
}

/** The code was right: call it when that is known. */
export function forgiveTry(deps: Deps, address: string): Promise<void> {
  return giveBack(deps.db, triesOf(address));
}

export async function refuseCode(deps: Deps, address: string, deviceId: string | null): Promise<AppError> {
  await recordAudit(
    deps.db,
    { userId: null, address },
    {
      action: 'device.login-failed',
      ...(deviceId ? { objectType: 'device', objectId: deviceId } : {}),
      detail: { reason: 'pairing code' },
    },
  );
  const sentence = 'This pairing code is wrong, was used, or has expired. Ask your route manager for a new one.';
  return new AppError('not-signed-in', sentence, { fields: { pairingCode: sentence } });
}
