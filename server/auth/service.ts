import type { FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { refuseClosed } from '../access/service.ts';
import type { Actor } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import type { Recognise } from '../http/handle.ts';
import { deactivate } from '../people/service.ts';
import { cookieJar, sessionCookieName } from './cookies.ts';
import { callerOfDevice } from './devices.ts';
import { callerOfSession, endSessionsOf, openSession } from './sessions.ts';

export { codeLifeMs, consumeCode, issueCode, tryCode } from './codes.ts';
export { cookieJar } from './cookies.ts';
export { findUnreached, isSetUp, notSetUpSentence, sendTrial } from './delivery/mailer.ts';
export { deviceOfSession, endSessionsOfDevice, switchOffDevice, tieSession } from './device-access.ts';
export { bindDevice, credentialLifeMs } from './devices.ts';
export { forgetSignIns, signInsOf } from './forget.ts';
export { isFresh, requireFresh } from './fresh.ts';
export { countUse, giveBack, network, phoneCodeLimits, verifyLimits } from './limits.ts';
export { refuseSentBefore } from './once.ts';
export { absoluteMs, endOtherSessions, endSession, sessionsOf, strengthen } from './sessions.ts';
export { ensureSetupCode, setupNotice } from './set-up.ts';
export { actor, enter, type Origin, signIn } from './sign-in.ts';

const callers = new WeakMap<FastifyRequest, Caller>();

/** Who made a request, once it was recognised. */
export function callerOf(request: FastifyRequest): Caller | null {
  return callers.get(request) ?? null;
}

/**
 * Who calls, from the cookies of a request. Without a session the device credential vouches, for calls that a device may
 * make alone; then the server's own record of who holds the device says whose call it is.
 */
export function recogniser(deps: Deps): Recognise {
  const jar = cookieJar(deps.env.publicUrl);
  return async (request, needs) => {
    const call = { at: deps.clock.now(), ip: request.ip };
    const person = await bySession(deps, jar.session(request), call);
    const holder = await byDevice(deps, jar.device(request), call);
    if (!person) return needs === 'device' ? holder : null;
    const caller = { ...person, deviceId: holder?.deviceId ?? null };
    callers.set(request, caller);
    const { method, url = '' } = request.routeOptions;
    if (caller.needsSecondStep && !opensBefore(url)) throw secondStepFirst();
    await refuseClosed(deps.db, caller, { method: String(method), path: url, at: call.at });
    return caller;
  };
}

/** What somebody may call who must set a second factor up first. */
const opensBefore = (path: string): boolean =>
  path === '/api/auth/session' ||
  path === '/api/auth/sign-out' ||
  path === '/api/auth/device' ||
  path.startsWith('/api/account');

const secondStepFirst = (): AppError =>
  new AppError('not-allowed', 'Your company asks for a second step at sign-in. Set it up under Your Account first.');

type CallFrom = { at: Date; ip: string };

async function bySession(deps: Deps, value: string | null, call: CallFrom): Promise<Caller | null> {
  return value ? callerOfSession(deps.db, value, call) : null;
}

async function byDevice(deps: Deps, token: string | null, call: CallFrom): Promise<Caller | null> {
  return token ? callerOfDevice(deps.db, token, call) : null;
}

/** A cookie header of a fresh session, for tests and the tour. */
export async function signInAs(deps: Deps, userId: number): Promise<string> {
  const at = deps.clock.now();
  const value = await openSession(deps.db, { userId, role: 'field_worker', deviceId: null, at });
  return `${sessionCookieName(deps.env.publicUrl)}=${value}`;
}

/** Shuts a person out at once: every session and event stream ends; what their phone still sends goes to review. */
export async function deactivatePerson(deps: Pick<Deps, 'db'>, actor: Actor, userId: number): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await deactivate(tx, actor, userId);
    await endSessionsOf(tx, userId);
  });
}
