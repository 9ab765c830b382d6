import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DeviceLogin, DeviceType } from '../../contract/devices.ts';
import { deviceType } from '../../contract/devices.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { roleLabel } from '../../domain/permissions.ts';
import { role } from '../../domain/role-schemas.ts';
import { applicationsOf } from '../access/service.ts';
import { recordAudit } from '../audit/service.ts';
import {
  absoluteMs,
  bindDevice,
  cookieJar,
  credentialLifeMs,
  deviceOfSession,
  endSessionsOfDevice,
  enter,
  tieSession,
} from '../auth/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { findUser, type User } from '../people/service.ts';
import { designationsInUse } from '../settings/service.ts';
import { countTry, forgiveTry, readCode, refuseCode, routeOfCode } from './pairing.ts';
import { consumeCode, type Device, endDevice, findActiveDevice, saveDevice } from './queries.ts';

type Asked = {
  deviceId: string;
  deviceName: string;
  deviceType: DeviceType;
  routeDesignation: string;
  location?: { latitude: number; longitude: number } | null | undefined;
  pairingCode?: string | undefined;
};
type Wire = { request: FastifyRequest; reply: FastifyReply };

/** Ties a device to a route: by a code to the worker it was issued for, without one to whoever is signed in on it. */
export async function logIn(deps: Deps, caller: Caller | null, asked: Asked, wire: Wire): Promise<DeviceLogin> {
  if (asked.pairingCode !== undefined) return byCode(deps, { ...asked, pairingCode: asked.pairingCode }, wire);
  if (!caller?.sid) {
    throw new AppError('not-signed-in', 'Enter the pairing code that your route manager issued for this device.');
  }
  return bySession(deps, caller, asked, wire);
}

async function byCode(deps: Deps, asked: Asked & { pairingCode: string }, { request, reply }: Wire) {
  await countTry(deps, request.ip);
  const at = deps.clock.now();
  const jar = cookieJar(deps.env.publicUrl);
  const origin = {
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    oldSession: jar.session(request),
  };
  const { deviceId } = asked;
  const entered = await deps.db.transaction(async (tx) => {
    const code = await readCode(deps, tx, asked.pairingCode);
    if (!code) return null;
    const route = routeOfCode(code);
    if (route !== asked.routeDesignation) throw wrongRoute(`This code is for route ${route}.`);
    if (!(await consumeCode(tx, code.id, { at, deviceId }))) return null;
    // Whoever was signed in on this device before is not any more.
    await endSessionsOfDevice(tx, deviceId);
    const credential = await bindDevice(tx, { deviceId, userId: code.worker.id, userAgent: origin.userAgent, at });
    const session = await enter(tx, code.worker, { deviceId, origin, at });
    const answer = await keep(tx, { deps, asked, user: code.worker, request, how: 'pairing code' });
    return { credential, session, answer };
  });
  if (!entered) throw await refuseCode(deps, request.ip, deviceId);
  await forgiveTry(deps, request.ip);
  jar.setSession(reply, entered.session, absoluteMs);
  jar.setDevice(reply, entered.credential, credentialLifeMs);
  return entered.answer;
}

async function bySession(deps: Deps, caller: Caller, asked: Asked, { request, reply }: Wire) {
  const at = deps.clock.now();
  if (!(await mayRegister(deps.db, caller, asked.routeDesignation))) {
    throw wrongRoute(
      caller.routeDesignation
        ? `You work on route ${caller.routeDesignation}. Choose it.`
        : 'Choose a route that exists.',
    );
  }
  const { credential, answer } = await deps.db.transaction(async (tx) => {
    const user = await findUser(tx, caller.userId);
    if (!user || !caller.sid) throw new AppError('not-signed-in', 'You are not signed in. Sign in to go on.');
    const userAgent = request.headers['user-agent'] ?? null;
    const made = await bindDevice(tx, { deviceId: asked.deviceId, userId: user.id, userAgent, at });
    await tieSession(tx, caller.sid, asked.deviceId);
    return { credential: made, answer: await keep(tx, { deps, asked, user, request, how: 'own session' }) };
  });
  cookieJar(deps.env.publicUrl).setDevice(reply, credential, credentialLifeMs);
  return answer;
}

function wrongRoute(sentence: string): AppError {
  return new AppError('invalid-input', sentence, { fields: { routeDesignation: sentence } });
}

async function mayRegister(db: Db, caller: Caller, route: string): Promise<boolean> {
  return (await registrable(db, caller)).includes(route);
}

/** Routes for which a signed-in person may register the device they hold. */
async function registrable(db: Db, caller: Caller): Promise<string[]> {
  if (caller.role !== 'field_worker') return designationsInUse(db);
  return caller.routeDesignation ? [caller.routeDesignation] : [];
}

type Keeping = { deps: Deps; asked: Asked; user: User; request: FastifyRequest; how: string };

async function keep(tx: Db, { deps, asked, user, request, how }: Keeping): Promise<DeviceLogin> {
  const at = deps.clock.now();
  const { deviceId, deviceName, deviceType: type, routeDesignation } = asked;
  const device = {
    ...{ deviceId, deviceName, deviceType: type, routeDesignation, userId: user.id, isActive: true, lastActivity: at },
    ipAddress: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    location: rounded(asked.location),
  };
  await saveDevice(tx, device, at);
  await recordAudit(
    tx,
    { userId: user.id, address: request.ip },
    {
      action: 'device.login',
      objectType: 'device',
      objectId: deviceId,
      // Not its name, which people call after themselves: the log outlives them.
      detail: { deviceType: type, routeDesignation, by: how },
    },
  );
  await publish(tx, { topic: 'people', routes: [] });
  return answerOf(tx, device, user, at);
}

/** Three decimals, about a hundred metres: where a device was set up, not where somebody stood. */
function rounded(place: Asked['location']): { latitude: number; longitude: number } | null {
  if (!place) return null;
  const cut = (degrees: number): number => Math.round(degrees * 1000) / 1000;
  return { latitude: cut(place.latitude), longitude: cut(place.longitude) };
}

type Shown = Pick<Device, 'deviceId' | 'deviceName' | 'deviceType' | 'routeDesignation'>;

async function answerOf(db: Db, device: Shown, user: User, at: Date): Promise<DeviceLogin> {
  const person = { userId: user.id, role: role.parse(user.role), routeDesignation: user.routeDesignation };
  return {
    success: true,
    user: operatorOf(user),
    deviceSession: {
      deviceId: device.deviceId,
      deviceType: deviceType.parse(device.deviceType),
      deviceName: device.deviceName,
      routeDesignation: device.routeDesignation,
    },
    applications: await applicationsOf(db, person, at),
  };
}

function operatorOf({ firstName, lastName, role: who, routeDesignation }: User) {
  const known = role.parse(who);
  return { firstName, lastName, role: known, roleLabel: roleLabel[known], routeDesignation };
}

/** What the device screen shows of the browser that asks: its device, or who could register it, or nothing. */
export async function stateOf(deps: Deps, caller: Caller | null, mayPair: boolean) {
  const nobody = { login: null, person: null, routeDesignations: [] };
  const user = caller?.sid ? await findUser(deps.db, caller.userId) : null;
  if (!caller?.sid || !user) return nobody;
  const deviceId = await deviceOfSession(deps.db, caller.sid);
  const device = deviceId ? await findActiveDevice(deps.db, deviceId, user.id) : null;
  return {
    login: device ? await answerOf(deps.db, device, user, deps.clock.now()) : null,
    person: { ...operatorOf(user), mayPair },
    routeDesignations: await registrable(deps.db, caller),
  };
}

/**
 * Ends the device's session. Its append-only credential stays: what it has not sent yet must still arrive. A device that is
 * not the caller's own is not told apart from one that does not exist.
 */
export async function logOut(deps: Deps, caller: Caller, deviceId: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const device = await findActiveDevice(tx, deviceId, caller.userId);
    if (!device) throw notFound('device');
    await endDevice(tx, device.id);
    await endSessionsOfDevice(tx, deviceId);
    await recordAudit(tx, caller, { action: 'device.logout', objectType: 'device', objectId: deviceId });
    await publish(tx, { topic: 'people', routes: [] });
  });
}
