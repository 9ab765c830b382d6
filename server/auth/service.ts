import type { Actor } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import type { Recognise } from '../http/handle.ts';
import { deactivate } from '../people/service.ts';
import { cookieJar, sessionCookieName } from './cookies.ts';
import { callerOfDevice } from './devices.ts';
import { callerOfSession, endSessionsOf, openSession } from './sessions.ts';

export { ensureSetupCode } from './set-up.ts';

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
    if (person) return { ...person, deviceId: holder?.deviceId ?? null };
    return needs === 'device' ? holder : null;
  };
}

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
