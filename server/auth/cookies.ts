import type { FastifyReply, FastifyRequest } from 'fastify';

/** Where the device credential goes, and nowhere else. */
const devicePath = '/api/sync/events';
const deviceCookie = 'milkrun_device';
/** The only one that scripts may read: it says 1 or 0. */
const hintCookie = 'milkrun_in';
/** Strict, because only our own sign-in screen needs it. */
const knownSite = { sameSite: 'strict' as const };

/** What a device keeps: its right to append, and what it shows at a sign-in. */
export type DeviceCookies = { credential: string; known: string };

const isSecure = (publicUrl: string | null): boolean => publicUrl?.startsWith('https:') ?? false;

/** `__Host-` binds a cookie to this host and to TLS, which plain http on loopback cannot have. */
export function sessionCookieName(publicUrl: string | null): string {
  return isSecure(publicUrl) ? '__Host-milkrun' : 'milkrun_session';
}

function knownCookieName(publicUrl: string | null): string {
  return isSecure(publicUrl) ? '__Host-milkrun-known' : 'milkrun_known';
}

function challengeCookieName(publicUrl: string | null): string {
  return isSecure(publicUrl) ? '__Host-milkrun-challenge' : 'milkrun_challenge';
}

/** The sign-in cookies of one installation: reading, setting and removing them. */
export function cookieJar(publicUrl: string | null) {
  const common = { httpOnly: true, sameSite: 'lax' as const, secure: isSecure(publicUrl), path: '/' };
  const session = sessionCookieName(publicUrl);
  const challenge = challengeCookieName(publicUrl);
  const known = knownCookieName(publicUrl);
  const seconds = (ms: number): number => Math.floor(ms / 1000);
  return {
    session: (request: FastifyRequest) => request.cookies[session] ?? null,
    challenge: (request: FastifyRequest) => request.cookies[challenge] ?? null,
    device: (request: FastifyRequest) => request.cookies[deviceCookie] ?? null,
    /** Shows at a sign-in that it comes from a device that somebody holds. */
    known: (request: FastifyRequest) => request.cookies[known] ?? null,
    setSession: (reply: FastifyReply, value: string, lifeMs: number) =>
      reply.setCookie(session, value, { ...common, maxAge: seconds(lifeMs) }),
    setChallenge: (reply: FastifyReply, value: string, lifeMs: number) =>
      reply.setCookie(challenge, value, { ...common, maxAge: seconds(lifeMs) }),
    setDevice: (reply: FastifyReply, { credential, known: value }: DeviceCookies, lifeMs: number) => {
      reply.setCookie(deviceCookie, credential, { ...common, path: devicePath, maxAge: seconds(lifeMs) });
      reply.setCookie(known, value, { ...common, ...knownSite, maxAge: seconds(lifeMs) });
    },
    /** For the page's scripts: whether it is worth asking for what only somebody signed in gets. What they noted stays. */
    hint: (request: FastifyRequest, reply: FastifyReply, lifeMs: number) => {
      const isIn = Boolean(request.cookies[session]);
      const isNoted = request.cookies[hintCookie] !== undefined;
      if (isIn && !isNoted) reply.setCookie(hintCookie, '1', { ...common, httpOnly: false, maxAge: seconds(lifeMs) });
      if (!isIn && isNoted) reply.clearCookie(hintCookie, { ...common, httpOnly: false });
    },
    clearSession: (reply: FastifyReply) => reply.clearCookie(session, common),
    clearChallenge: (reply: FastifyReply) => reply.clearCookie(challenge, common),
  };
}
