import { AppError, notFound } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import { endSession, isFresh, sessionsOf, strengthen } from '../auth/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { findUser, listOffice } from '../people/service.ts';
import {
  isRequired,
  listFactors,
  recoveryCodesLeft,
  removeFactor,
  renewRecoveryCodes,
  setRequired,
  withFactor,
} from '../second-factor/service.ts';
import { sha256 } from '../settings/secrets.ts';
import { deviceInWords } from './device-words.ts';

/** A session by a name that opens nothing. */
const shownId = (sid: string): string => sha256(`session ${sid}`).slice(0, 16);

/** Where a person is signed in, and their second factors. */
export async function accountOf(deps: Deps, caller: Caller) {
  const at = deps.clock.now();
  const sessions = await sessionsOf(deps.db, caller.userId, at);
  const factors = await listFactors(deps.db, caller.userId);
  return {
    sessions: sessions.map(({ sid, agent, network, createdAt, lastSeenAt }) => ({
      id: shownId(sid),
      device: deviceInWords(agent),
      place: network ?? null,
      startedAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      isThis: sid === caller.sid,
    })),
    factors: factors.map(({ createdAt, lastUsedAt, ...factor }) => ({
      ...factor,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft: await recoveryCodesLeft(deps.db, caller.userId),
    isRequired: caller.role !== 'field_worker' && (await isRequired(deps.db)),
    phone: await phoneOf(deps.db, caller.userId),
    mayChange: await isFresh(deps, caller),
  };
}

/** The number that codes go to once the person has proven that it is theirs. */
async function phoneOf(db: Db, userId: number) {
  const user = await findUser(db, userId);
  if (!user?.phoneNumber) return null;
  return { number: user.phoneNumber, confirmedAt: user.phoneConfirmedAt?.toISOString() ?? null };
}

/** Signs a person out elsewhere; throws `not-found` for what is not theirs. */
export async function endByShownId(deps: Deps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const found = (await sessionsOf(tx, caller.userId, deps.clock.now())).find(({ sid }) => shownId(sid) === id);
    if (!found) throw notFound('sign-in');
    await endSession(tx, found.sid);
    await recordAudit(tx, caller, { action: 'auth.session-ended', objectType: 'user', objectId: caller.userId });
  });
}

/** What follows a new factor: recovery codes where there are none, and this session counts as strong. */
export async function factorAdded(tx: Db, caller: Caller, kind: string): Promise<{ recoveryCodes: string[] }> {
  if (caller.sid) await strengthen(tx, caller.sid);
  await recordAudit(tx, caller, {
    action: 'auth.second-factor-added',
    objectType: 'user',
    objectId: caller.userId,
    detail: { kind },
  });
  const has = (await recoveryCodesLeft(tx, caller.userId)) > 0;
  return { recoveryCodes: has ? [] : await renewRecoveryCodes(tx, caller.userId) };
}

/** Removes a factor; the last one only where the operator does not ask for it. */
export async function removeOwnFactor(deps: Deps, caller: Caller, id: number): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const name = await removeFactor(tx, caller.userId, id);
    const isNeeded = caller.role !== 'field_worker' && (await isRequired(tx));
    if (isNeeded && (await listFactors(tx, caller.userId)).length === 0) {
      throw new AppError('conflict', 'Your company asks for a second step. Add another one before you remove this.');
    }
    const detail = { name };
    const entry = { action: 'auth.second-factor-removed', objectType: 'user', objectId: caller.userId, detail };
    await recordAudit(tx, caller, entry);
  });
}

/** Tells a person of a change they may not have made themselves. */
export function tell({ mailer }: Deps, { email }: Caller, what: string): void {
  const text = `${what} Was it not you? Then sign in, open Your Account, sign out everywhere else, and tell your administrator.`;
  void mailer.send({ to: email, channel: 'email', subject: 'Your Milkrun sign-in was changed', text, code: null });
}

/** The operator's wish, and who does not meet it yet. */
export async function securityOf(db: Db) {
  const office = await listOffice(db);
  const have = await withFactor(
    db,
    office.map(({ id }) => id),
  );
  const without = office.filter(({ id }) => !have.has(id));
  return {
    secondStepRequired: await isRequired(db),
    without: without.map(({ firstName, lastName, email }) => `${firstName} ${lastName}`.trim() || email),
  };
}

/** Asks managers and administrators for a second factor, or not. Who asks must have one, or would be shut out at once. */
export async function requireSecondFactor(deps: Deps, caller: Caller, required: boolean) {
  if (required && (await listFactors(deps.db, caller.userId)).length === 0) {
    throw new AppError('conflict', 'Set up your own second step under Your Account first, or this would shut you out.');
  }
  await deps.db.transaction(async (tx) => {
    const before = await isRequired(tx);
    await setRequired(tx, required);
    if (required && caller.sid) await strengthen(tx, caller.sid);
    const entry = { action: 'settings.second-factor', detail: { required: [before, required] } };
    if (before !== required) await recordAudit(tx, caller, entry);
  });
  return securityOf(deps.db);
}
