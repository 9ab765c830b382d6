import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '../../contract/account.ts';
import { AppError } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import { absoluteMs, actor, cookieJar, countUse, credentialLifeMs, type Origin, signIn } from '../auth/service.ts';
import type { Deps } from '../deps.ts';
import { takePairingCode } from '../devices/service.ts';
import { type Handled, handle } from '../http/handle.ts';
import { findUser } from '../people/service.ts';
import { authenticationOptions, isPasskeyOf, siteOf } from './passkeys.ts';
import { closeStep, countTry, findStep, isCodeOf, listFactors } from './service.ts';

type Step = NonNullable<Awaited<ReturnType<typeof countTry>>>;
type Asked = { request: FastifyRequest; reply: FastifyReply };

/** Beside the tries of one sign-in: whoever reads somebody's mail still has few guesses a day. */
const guesses = (userId: number) => [{ key: `second-step:user:${userId}`, max: 30, windowMs: 24 * 3_600_000 }];

/** The second half of a sign-in that asks for a second factor. */
export const secondFactorEndpoints = (deps: Deps): Handled[] => [
  handle(contract.proveCode, async ({ body, ...asked }) => {
    const step = await begin(deps, asked);
    const at = deps.clock.now();
    const { userId, deviceId } = step;
    const isPairing = (await listFactors(deps.db, userId)).length === 0;
    const isRight = isPairing
      ? await takePairingCode(deps, { code: body.code, userId, deviceId, address: asked.request.ip })
      : await isCodeOf(deps.db, deps.secrets, { userId, code: body.code, at });
    return finish(deps, asked, { step, isRight, how: isPairing ? 'pairing' : 'code' });
  }),
  handle(contract.askForPasskey, async ({ request }) => {
    const at = deps.clock.now();
    const step = await findStep(deps.db, cookieJar(deps.env.publicUrl).challenge(request), at);
    if (!step) throw gone();
    const asking = { askedBy: step.challenge, site: siteOf(deps.env.publicUrl, request.headers.origin), at };
    return { options: { ...(await authenticationOptions(deps.db, step.userId, asking)) } };
  }),
  handle(contract.provePasskey, async ({ body, ...asked }) => {
    const step = await begin(deps, asked);
    const site = siteOf(deps.env.publicUrl, asked.request.headers.origin);
    const asking = { askedBy: step.challenge, site, at: deps.clock.now() };
    const isRight = await isPasskeyOf(deps.db, step.userId, asking, toResponse(body.credential));
    return finish(deps, asked, { step, isRight, how: 'passkey' });
  }),
];

type Response = Parameters<typeof isPasskeyOf>[3];

/** The library's type has no `undefined` among its optional fields; the shape is proven. */
const toResponse = (credential: contract.SignedPasskey): Response => credential as Response;

async function begin(deps: Deps, { request }: Asked): Promise<Step> {
  const at = deps.clock.now();
  const step = await countTry(deps.db, cookieJar(deps.env.publicUrl).challenge(request), at);
  if (!step) throw gone();
  await countUse(deps.db, guesses(step.userId), { at, noun: 'codes were tried' });
  return step;
}

const gone = (): AppError =>
  new AppError(
    'not-signed-in',
    'This sign-in took too long or had too many tries. Ask for a new code and begin again.',
  );

type Finish = { step: Step; isRight: boolean; how: keyof typeof refusals };

const refusals = {
  code: 'Invalid code',
  passkey: 'This passkey was not recognised. Try again.',
  pairing:
    'This pairing code is wrong, was used, or has expired, or is for somebody else. Ask your route manager for a new one.',
};

async function finish(deps: Deps, { request, reply }: Asked, { step, isRight, how }: Finish) {
  const jar = cookieJar(deps.env.publicUrl);
  const origin: Origin = {
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    oldSession: jar.session(request),
  };
  const entered = isRight ? await enter(deps, step, origin) : null;
  if (!entered) {
    const entry = { action: 'auth.second-factor-failed', objectType: 'user', objectId: step.userId, detail: { how } };
    await recordAudit(deps.db, actor(origin, step.userId), entry);
    throw new AppError('not-signed-in', refusals[how]);
  }
  jar.setSession(reply, entered.session, absoluteMs);
  jar.setDevice(reply, entered.device, credentialLifeMs);
  jar.clearChallenge(reply);
  return { success: true as const };
}

function enter(deps: Deps, { userId, deviceId, challenge }: Step, origin: Origin) {
  return deps.db.transaction(async (tx) => {
    const user = await findUser(tx, userId);
    if (!user || !(await closeStep(tx, challenge))) return null;
    return signIn(tx, user, { deviceId, origin, at: deps.clock.now(), channel: 'second-factor', isStrong: true });
  });
}
