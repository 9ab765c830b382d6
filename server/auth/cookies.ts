import type { FastifyReply, FastifyRequest } from 'fastify';

/** Where the device credential goes, and nowhere else. */
const devicePath = '/api/sync/events';
const deviceCookie = 'milkrun_device';

const isSecure = (publicUrl: string | null): boolean => publicUrl?.startsWith('https:') ?? false;

/** `__Host-` binds a cookie to this host and to TLS, which plain http on loopback cannot have. */
export function sessionCookieName(publicUrl: string | null): string {
  return isSecure(publicUrl) ? '__Host-milkrun' : 'milkrun_session';
}

function challengeCookieName(publicUrl: string | null): string {
  return isSecure(publicUrl) ? '__Host-milkrun-challenge' : 'milkrun_challenge';
}

/** The sign-in cookies of one installation: reading, setting and removing them. */
export function cookieJar(publicUrl: string | null) {
  const common = { httpOnly: true, sameSite: 'lax' as const, secure: isSecure(publicUrl), path: '/' };
  const session = sessionCookieName(publicUrl);
  const challenge = challengeCookieName(publicUrl);
  const seconds = (ms: number): number => Math.floor(ms / 1000);
  return {
    session: (request: FastifyRequest) => request.cookies[session] ?? null,
    challenge: (request: FastifyRequest) => request.cookies[challenge] ?? null,
    device: (request: FastifyRequest) => request.cookies[deviceCookie] ?? null,
    setSession: (reply: FastifyReply, value: string, lifeMs: number) =>
      reply.setCookie(session, value, { ...common, maxAge: seconds(lifeMs) }),
    setChallenge: (reply: FastifyReply, value: string, lifeMs: number) =>
      reply.setCookie(challenge, value, { ...common, maxAge: seconds(lifeMs) }),
    setDevice: (reply: FastifyReply, value: string, lifeMs: number) =>
      reply.setCookie(deviceCookie, value, { ...common, path: devicePath, maxAge: seconds(lifeMs) }),
    clearSession: (reply: FastifyReply) => reply.clearCookie(session, common),
    clearChallenge: (reply: FastifyReply) => reply.clearCookie(challenge, common),
  };
}
