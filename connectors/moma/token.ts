import { type TokenSet, type VendorContext, VendorError } from '../connector.ts';
import { setting } from '../lynx/client.ts';
import { isRec, parseJson, text } from '../lynx/read.ts';

/** Where customers who manage tokens themselves exchange their refresh token. */
const issuer = 'https://lynx-api.nayax.com/v1/issue-access-token';
/** The vendor's own base URL, whose tokens the issuer above makes. */
const dataHost = 'lynx.nayax.com';
const livesMs = 24 * 3_600_000;
/** A token with less left than this is renewed before it is used. */
const spareMs = 5 * 60_000;

/**
 * The access token that the refresh token is exchanged for: good for 24 hours, one renewer at a time. `renewed`: the one
 * in use was refused.
 * @throws VendorError 'auth' when the refresh token is refused, 'bad-data' when the answer names no token.
 */
export async function issuedToken(context: VendorContext, refreshToken: string, renewed: boolean): Promise<string> {
  const stored = await context.tokens.read();
  if (stored && !renewed && isGood(stored, context)) return stored.accessToken;
  const fresh = await context.tokens.renew(async (current) => {
    // Somebody else renewed it while this one waited.
    const isNew = current !== null && current.accessToken !== stored?.accessToken;
    if (current && (isNew || !renewed) && isGood(current, context)) return current;
    return exchange(context, refreshToken);
  });
  return fresh.accessToken;
}

function isGood({ expiresAt }: TokenSet, context: VendorContext): boolean {
  return expiresAt !== null && expiresAt.getTime() - context.now().getTime() > spareMs;
}

async function exchange(context: VendorContext, refreshToken: string): Promise<TokenSet> {
  const reply = await context.fetch(issuerOf(context), {
    method: 'POST',
    headers: { authorization: `jwt ${refreshToken}`, accept: 'application/json' },
  });
  if (reply.status === 401 || reply.status === 403 || reply.status === 400) {
    throw new VendorError(
      'moma',
      'auth',
      'MoMa 2.0 refused the API secret. Make a new refresh token in Nayax Core and enter it as the API secret, or leave it empty to use the API key alone.',
    );
  }
  const accessToken = reply.status < 300 ? tokenOf(reply.text()) : null;
  if (!accessToken) throw new VendorError('moma', 'bad-data', 'MoMa 2.0 answered without a token. Try again later.');
  return { accessToken, refreshToken, expiresAt: new Date(context.now().getTime() + livesMs) };
}

function tokenOf(body: string): string | null {
  try {
    const answer = parseJson(body);
    return isRec(answer) ? text(answer, 'Token', 'AccessToken') : null;
  } catch {
    return null;
  }
}

/** At the vendor's own host, the sandbox's, or that of the base URL the person entered. */
function issuerOf({ settings, sandboxUrl }: VendorContext): string {
  const entered = setting(settings, 'baseUrl');
  const host = entered && hostOf(entered);
  if (entered && host !== dataHost) return host ? new URL('/v1/issue-access-token', entered).href : entered;
  return sandboxUrl && !entered ? `${sandboxUrl.replace(/\/+$/, '')}/moma/v1/issue-access-token` : issuer;
}

/** Null for what is no address after all: that is refused where it is called. */
function hostOf(address: string): string | null {
  try {
    return new URL(address).host;
  } catch {
    return null;
  }
}
