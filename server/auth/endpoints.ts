import { finished } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import * as contract from '../../contract/auth.ts';
import { AppError } from '../../domain/errors.ts';
import { roleLabel } from '../../domain/permissions.ts';
import { screensOf } from '../access/service.ts';
import { recordAudit } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { type Handled, handle } from '../http/handle.ts';
import { findUser } from '../people/service.ts';
import { phoneSealKey } from '../phone-seals/service.ts';
import { getOperator, today } from '../settings/service.ts';
import { codeLifeMs } from './codes.ts';
import { cookieJar } from './cookies.ts';
import { contactOf } from './delivery/contact.ts';
import { listOutbox } from './delivery/outbox.ts';
import { credentialLifeMs } from './devices.ts';
import { absoluteMs, endSession, sessionEnd } from './sessions.ts';
import { needsSetup, setUp } from './set-up.ts';
import { finishSignIn, type Origin, startSignIn } from './sign-in.ts';

export const authEndpoints = (deps: Deps): Handled[] => [
  ...signInEndpoints(deps),
  ...sessionEndpoints(deps),
  ...beginningEndpoints(deps),
];

type Jar = ReturnType<typeof cookieJar>;

function originOf(jar: Jar, request: FastifyRequest): Origin {
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    oldSession: jar.session(request),
  };
}

function signInEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.sendVerification, async ({ body, request, reply }) => {
      const { challenge, deliver } = await startSignIn(deps, contactOf(body), request.ip);
      cookieJar(deps.env.publicUrl).setChallenge(reply, challenge, codeLifeMs);
      finished(reply.raw, deliver);
      return { sent: true as const, expiresInSeconds: codeLifeMs / 1000 };
    }),
    handle(contract.verifyCode, async ({ body, request, reply }) => {
      const jar = cookieJar(deps.env.publicUrl);
      const attempt = {
        contact: contactOf(body),
        code: body.code,
        challenge: jar.challenge(request),
        deviceId: body.deviceId ?? null,
        known: jar.known(request),
      };
      const outcome = await finishSignIn(deps, attempt, originOf(jar, request));
      if ('step' in outcome) {
        jar.setChallenge(reply, outcome.step, codeLifeMs);
        return { success: true as const, secondStep: outcome.asked };
      }
      const { session, device } = outcome;
      jar.setSession(reply, session, absoluteMs);
      jar.setDevice(reply, device, credentialLifeMs);
      jar.clearChallenge(reply);
      return { success: true as const };
    }),
  ];
}

function sessionEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.getSession, ({ caller }) => sessionOf(deps, caller)),
    handle(contract.signOut, async ({ caller, reply }) => {
      await deps.db.transaction(async (tx) => {
        if (caller.sid) await endSession(tx, caller.sid);
        await recordAudit(tx, caller, { action: 'auth.sign-out', objectType: 'user', objectId: caller.userId });
      });
      // The device credential stays: what the phone has not sent yet must still arrive.
      cookieJar(deps.env.publicUrl).clearSession(reply);
      return {};
    }),
  ];
}

async function sessionOf(deps: Deps, caller: Caller) {
  const user = await findUser(deps.db, caller.userId);
  const end = caller.sid ? await sessionEnd(deps.db, caller.sid) : null;
  if (!user || !end) throw new AppError('not-signed-in', 'You are not signed in. Sign in to go on.');
  const operator = await getOperator(deps.db);
  const { name, timeZone, currency, distanceUnit, isDemo } = operator;
  const { lateAfterMin, lowLevelPercent, goodLevelPercent, lowSlotPercent, workStart, workEnd } = operator;
  return {
    person: {
      id: user.id,
      email: user.email,
      firstName: user.firstName,
      lastName: user.lastName,
      role: caller.role,
      roleLabel: roleLabel[caller.role],
      routeDesignation: user.routeDesignation,
    },
    operator: {
      ...{ name, timeZone, currency, distanceUnit, isDemo, today: await today(deps.db, deps.clock) },
      rules: { lateAfterMin, lowLevelPercent, goodLevelPercent, lowSlotPercent, workStart, workEnd },
    },
    map: { styleUrl: deps.env.mapStyleUrl ?? operator.mapStyleUrl, findsAddresses: deps.env.geocoderUrl !== null },
    access: await screensOf(deps.db, caller, deps.clock.now()),
    ...(caller.needsSecondStep ? { secondStepMissing: true } : {}),
    phoneSeal: await phoneSealKey(deps.db, deps.secrets),
    expiresAt: end.toISOString(),
  };
}

function beginningEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.getSignInState, async ({ request }) => {
      const { isDemo } = await getOperator(deps.db);
      const mayBeIn = Boolean(cookieJar(deps.env.publicUrl).session(request));
      return { isDemo, needsSetup: await needsSetup(deps), mayBeIn };
    }),
    handle(contract.setUpFirstAdministrator, async ({ body, request, reply }) => {
      const jar = cookieJar(deps.env.publicUrl);
      jar.setSession(reply, await setUp(deps, body, originOf(jar, request)), absoluteMs);
      return { success: true as const };
    }),
    handle(contract.listDemoOutbox, async () => {
      const { isDemo } = await getOperator(deps.db);
      if (!isDemo) throw new AppError('not-found', 'There is no such call. See /api/docs.');
      return listOutbox(deps.db);
    }),
  ];
}
