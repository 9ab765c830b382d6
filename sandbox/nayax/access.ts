import type { SandboxReply, SandboxRequest, World } from '../vendor.ts';

const tokenLivesMs = 24 * 3_600_000;

/** As Lynx refuses: with a sentence where the account lacks the right, without a body where the token is bad. */
export function refusal(status: number, sentence: string): SandboxReply {
  const body = status === 401 ? '' : JSON.stringify({ Message: sentence });
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/**
 * The bearer token: any is good for trying out, but one that begins with `expired`, `revoked` or `wrong` (401) or with
 * `noscope` (403), and an issued one that was never issued or is older than 24 hours.
 */
export function accessProblem(request: SandboxRequest, world: World): SandboxReply | null {
  const token = /^Bearer\s+(\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (!token || /^(?:expired|revoked|wrong)/i.test(token)) return refusal(401, '');
  if (/^noscope/i.test(token)) return refusal(403, 'The token has no scope machines:read.');
  if (!token.startsWith('issued-')) return null;
  const until = world.state.get(`token:${token}`);
  return until instanceof Date && until > world.now() ? null : refusal(401, '');
}

/** `POST /v1/issue-access-token`: a customer's refresh token for an access token of 24 hours. */
export function issueToken(request: SandboxRequest, world: World): SandboxReply {
  const refresh = /^jwt\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!refresh || /^(?:expired|revoked|wrong)/i.test(refresh)) return refusal(401, '');
  const count = Number(world.state.get('issued') ?? 0) + 1;
  world.state.set('issued', count);
  const token = `issued-${count}-${world.now().getTime().toString(36)}`;
  world.state.set(`token:${token}`, new Date(world.now().getTime() + tokenLivesMs));
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ Token: token }) };
}
