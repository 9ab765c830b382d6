import { randomBytes } from 'node:crypto';
import type { SandboxReply, SandboxRequest, World } from '../vendor.ts';
import { issue, refresh } from './tokens.ts';

export const clientId = 'milkrun-sandbox';
export const clientSecret = 'sandbox-client-secret';
export const store = 'milkrun-demo';

/** A code is good once, and for a minute. */
const codeLastsMs = 60_000;

type Code = { redirectUri: string; expiresMs: number };

function codesOf(world: World): Map<string, Code> {
  const known = world.state.get('codes');
  if (known instanceof Map) return known;
  const fresh = new Map<string, Code>();
  world.state.set('codes', fresh);
  return fresh;
}

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): SandboxReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const page = (status: number, inner: string): SandboxReply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Connect (sandbox)</title><style>:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{display:grid;place-items:center;min-height:90vh;margin:0;background:light-dark(#f5f6f8,#131418)}
main{max-width:380px;padding:32px;margin:16px;border:1px solid light-dark(#d8dade,#3a3d44);border-radius:14px;
background:light-dark(#fff,#1d1f24)}h1{font-size:20px;margin:0 0 8px}p,li{color:light-dark(#5c6370,#a3a9b5)}
a{display:block;text-align:center;padding:12px;border-radius:10px;margin-top:12px;text-decoration:none;font-weight:600;
border:1px solid light-dark(#d8dade,#3a3d44);color:inherit}a.allow{background:#1f6f43;color:#fff;border-color:#1f6f43}
</style><main>${inner}</main></html>`,
});

/** GET /connect: who asks, and the two ways back. */
export function connectPage({ query }: SandboxRequest): SandboxReply {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== clientId) {
    return page(400, '<h1>Unknown application</h1><p>No application has this client ID. Go back and check it.</p>');
  }
  if (query.get('response_type') !== 'code' || !/^https?:\/\//.test(redirectUri) || !URL.canParse(redirectUri)) {
    return page(400, '<h1>Bad request</h1><p>response_type must be code, and redirect_uri an address.</p>');
  }
  const decide = (what: string) => `/lightspeed/connect/${what}?${escaped(query.toString())}`;
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  return page(
    200,
    `<h1>Connect ${store}?</h1><p>This is the sandbox: no real store, no real account. The application wants to read:</p>
<ul>${scopes.map((scope) => `<li>${escaped(scope)}</li>`).join('')}</ul>
<a class="allow" href="${decide('allow')}">Allow</a><a href="${decide('deny')}">Deny</a>`,
  );
}

export function decide({ path, query }: SandboxRequest, world: World): SandboxReply {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== clientId || !URL.canParse(redirectUri)) return page(400, '<h1>Bad request</h1>');
  const back = new URL(redirectUri);
  if (path.endsWith('/allow')) {
    const code = randomBytes(16).toString('hex');
    codesOf(world).set(code, { redirectUri, expiresMs: world.now().getTime() + codeLastsMs });
    back.searchParams.set('code', code);
    back.searchParams.set('domain_prefix', store);
  } else {
    back.searchParams.set('error', 'access_denied');
  }
  back.searchParams.set('state', query.get('state') ?? '');
  return { status: 302, headers: { location: back.href } };
}

/** POST /{store}/api/1.0/token: secrets belong in the body. */
export function tokenCall({ query, headers, body }: SandboxRequest, world: World): SandboxReply {
  if (query.size > 0) return json(400, { error: 'invalid_request', error_description: 'Use the body.' });
  if (!(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')) {
    return json(400, { error: 'invalid_request', error_description: 'The body must be form-encoded.' });
  }
  const fields = new URLSearchParams(body.toString());
  if (fields.get('client_id') !== clientId || fields.get('client_secret') !== clientSecret) {
    return json(401, { error: 'invalid_client' });
  }
  const tokens = grant(fields, world);
  return tokens
    ? json(200, { ...tokens, domain_prefix: store, scope: 'products:read sales:read' })
    : json(400, { error: 'invalid_grant' });
}

function grant(fields: URLSearchParams, world: World) {
  if (fields.get('grant_type') === 'refresh_token') return refresh(world, fields.get('refresh_token') ?? '');
  const codes = codesOf(world);
  const given = fields.get('code') ?? '';
  const code = codes.get(given);
  codes.delete(given);
  const isGood = code && code.expiresMs > world.now().getTime() && code.redirectUri === fields.get('redirect_uri');
  return isGood ? issue(world, randomBytes(8).toString('hex'), 1) : null;
}
