import {
  type OAuth,
  type Renewal,
  type TokenSet,
  type VendorContext,
  VendorError,
  type VendorFetch,
  type VendorReply,
} from '../connector.ts';
import { system } from './manifest.ts';
import { isRec, number, text } from './read.ts';
import { apiBase, isPrefix, storeOrigin } from './store.ts';

/** A token with less than this left is renewed before it is used. */
const renewAheadMs = 5 * 60_000;
/** So long the store may go on taking a token whose renewal was lost on its way, before a person has to connect again. */
const lostRenewalMs = 30 * 60_000;

/**
 * The code flow of X-Series. The refresh token rotates: each renewal brings a new one and ends the one before, so both
 * are stored before either is used, and one renewer works at a time (`Tokens.renew`).
 */
export const oauth: OAuth = {
  connectUrl: (settings, { state, redirectUri, sandboxUrl }) => {
    const base = sandboxUrl
      ? `${sandboxUrl.replace(/\/$/, '')}/lightspeed/connect`
      : 'https://secure.retail.lightspeed.app/connect';
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: String(settings.clientId ?? ''),
      redirect_uri: redirectUri,
      state,
      scope: scopes(settings.customerDetails === true),
    });
    return `${base}?${query}`;
  },
  exchange: async (query, redirectUri, context) => {
    const { code, domain_prefix: prefix = '' } = query;
    if (query.error || !code) throw notAllowed();
    const known = context.settings.domainPrefix;
    if (!isPrefix(prefix)) throw strangeStore();
    if (typeof known === 'string' && known !== '' && known !== prefix) throw anotherStore(known, prefix);
    const reply = await postToken(context.fetch, storeOrigin(prefix, context.sandboxUrl), {
      code,
      client_id: String(context.settings.clientId ?? ''),
      client_secret: String(context.settings.clientSecret ?? ''),
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
    });
    if (reply.status < 200 || reply.status > 299) throw refusedExchange();
    const tokens = readTokens(reply, context.now());
    return { tokens, settings: { ...context.settings, domainPrefix: prefix } };
  },
};

function scopes(withCustomers: boolean): string {
  const wanted = ['outlets:read', 'products:read', 'inventory:read', 'sales:read', 'webhooks'];
  return [...wanted, ...(withCustomers ? ['customers:read'] : [])].join(' ');
}

/** Tokens that still last a while; renewed first where they do not. */
export async function freshTokens(context: VendorContext): Promise<TokenSet> {
  const stored = await context.tokens.read();
  if (!stored) throw new VendorError(system, 'reconnect', 'Lightspeed is not connected yet: press Connect.');
  return lasts(stored, context) ? stored : context.tokens.renew(renewal(context, null));
}

/** After a 401: another may have renewed meanwhile, then theirs are used. */
export function renewAfterRefusal(context: VendorContext, refused: TokenSet): Promise<TokenSet> {
  return context.tokens.renew(renewal(context, refused));
}

function lasts({ expiresAt }: TokenSet, context: VendorContext): boolean {
  return expiresAt === null || expiresAt.getTime() - context.now().getTime() >= renewAheadMs;
}

/**
 * A renewal ends the token it is asked for with. Where its answer is lost, the store may have a new token that nobody
 * knows: that one is asked for is stored first, so that a refusal after it, even of another run, is not taken for the
 * shop keeper's.
 */
function renewal(context: VendorContext, refused: TokenSet | null): Renewal {
  return async (current, keep) => {
    if (!current?.refreshToken) throw revoked();
    const isNew = refused ? current.accessToken !== refused.accessToken : lasts(current, context);
    if (isNew) return current;
    const { unansweredSince = null } = current;
    await keep({ ...current, unansweredSince: unansweredSince ?? context.now() });
    const reply = await postToken(context.fetch, apiBase(context), {
      refresh_token: current.refreshToken,
      client_id: String(context.settings.clientId ?? ''),
      client_secret: String(context.settings.clientSecret ?? ''),
      grant_type: 'refresh_token',
    });
    const isRefused = reply.status === 400 || reply.status === 401;
    if (isRefused && (unansweredSince || reply.isRepeat)) {
      throw lostRenewal(context.now().getTime() - (unansweredSince ?? context.now()).getTime());
    }
    // An answer: nothing is open any more.
    if (reply.status < 200 || reply.status > 299) await keep(current);
    if (isRefused) throw revoked();
    const tokens = renewedTokens(reply, context.now());
    // Older stores send no new one: then the old one goes on.
    return { ...tokens, refreshToken: tokens.refreshToken ?? current.refreshToken };
  };
}

/** An answer that cannot be read is as good as none, and passes. */
function renewedTokens(reply: VendorReply, now: Date): TokenSet {
  if (reply.status < 200 || reply.status > 299) {
    throw new VendorError(
      system,
      'down',
      `Lightspeed did not renew the connection (${reply.status}). It is tried again by itself; if it stays so, reconnect.`,
    );
  }
  try {
    return readTokens(reply, now);
  } catch (cause) {
    const sentence =
      'Lightspeed renewed the connection with an answer that cannot be read. It is tried again by itself.';
    throw new VendorError(system, 'down', sentence, cause);
  }
}

function lostRenewal(lostMs: number): VendorError {
  const happened =
    'An answer of Lightspeed that renews the connection was lost on its way, and the token from before is refused';
  return lostMs < lostRenewalMs
    ? new VendorError(
        system,
        'down',
        `${happened}. It is tried again by itself for half an hour; Reconnect puts it right at once.`,
      )
    : new VendorError(system, 'reconnect', `${happened}: reconnect. Syncs go on where they stopped, no sale is lost.`);
}

/** All values go in the body: the vendor refuses secrets in the address. */
function postToken(fetch: VendorFetch, origin: string, fields: Record<string, string>): Promise<VendorReply> {
  return fetch(`${origin}/api/1.0/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(fields).toString(),
  });
}

function readTokens(reply: VendorReply, now: Date): TokenSet {
  const answer = reply.json();
  const accessToken = isRec(answer) ? text(answer, 'access_token') : null;
  if (!isRec(answer) || accessToken === null) {
    throw new VendorError(system, 'bad-data', 'Lightspeed sent no token that can be read. Connect again.');
  }
  return { accessToken, refreshToken: text(answer, 'refresh_token'), expiresAt: expiryOf(answer, now) };
}

/** How long from now counts; the instant the vendor names depends on both clocks. */
function expiryOf(answer: Readonly<Record<string, unknown>>, now: Date): Date | null {
  const seconds = number(answer, 'expires_in');
  if (seconds !== null) return new Date(now.getTime() + seconds * 1_000);
  const at = number(answer, 'expires');
  return at === null ? null : new Date(at * 1_000);
}

const revoked = (): VendorError =>
  new VendorError(system, 'reconnect', 'Lightspeed says the connection was revoked: reconnect.');

const notAllowed = (): VendorError =>
  new VendorError(
    system,
    'auth',
    'The connection was not allowed at Lightspeed. Nothing was changed; connect again when you are ready.',
  );

const refusedExchange = (): VendorError =>
  new VendorError(
    system,
    'auth',
    'Lightspeed refused to connect. Check client ID, client secret and the redirect address of your application there, then connect again.',
  );

const strangeStore = (): VendorError =>
  new VendorError(system, 'auth', 'The answer names no store of Lightspeed. Nothing was changed; connect again.');

const anotherStore = (known: string, given: string): VendorError =>
  new VendorError(
    system,
    'auth',
    `This configuration belongs to the store ${known}, but ${given} was allowed. Add a configuration of its own for ${given}.`,
  );
