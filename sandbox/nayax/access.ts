import type { SandboxReply, SandboxRequest, World } from '../vendor.ts';

const tokenLivesMs = 24 * 3_600_000;

/** As Lynx refuses: with a sentence where the account lacks the right, without a body where the token is bad. */
export function refusal(status: number, sentence: string): SandboxReply {
  const body = status === 401 ? '' : JSON.stringify({ Message: sentence });
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** What a stand-in knows its customer by. */
export type Account = {
  /** The user token. */
  token: string;
  /** Exchanged for access tokens of 24 hours, by customers who manage them themselves. */
  refreshToken: string | null;
};

/**
 * The bearer token: the user token, or an issued one of less than 24 hours. One that begins with `noscope` is known and
 * may read nothing (403); every other is refused (401).
 */
export function accessProblem(request: SandboxRequest, world: World, account: Account): SandboxReply | null {
  const token = /^Bearer\s+(\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (token === account.token) return null;
  if (/^noscope/i.test(token)) return refusal(403, 'The token has no scope machines:read.');
  const until = world.state.get(`token:${token}`);
  return until instanceof Date && until > world.now() ? null : refusal(401, '');
}

/** `POST /v1/issue-access-token`: a customer's refresh token for an access token of 24 hours. */
export function issueToken(request: SandboxRequest, world: World, { refreshToken }: Account): SandboxReply {
  const refresh = /^jwt\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (refreshToken === null || refresh !== refreshToken) return refusal(401, '');
  const count = Number(world.state.get('issued') ?? 0) + 1;
  world.state.set('issued', count);
  const token = `issued-${count}-${world.now().getTime().toString(36)}`;
  world.state.set(`token:${token}`, new Date(world.now().getTime() + tokenLivesMs));
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ Token: token }) };
}
