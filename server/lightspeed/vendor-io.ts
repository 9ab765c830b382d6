import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import {
  type Hash,
  type Tokens,
  type VendorContext,
  VendorError,
  type VendorFetch,
} from '../../connectors/connector.ts';
import type { Settings } from '../../domain/integration.ts';
import type { Deps } from '../deps.ts';

const hash: Hash = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  hmacSha256: (key, bytes) => createHmac('sha256', key).update(bytes).digest(),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
  uuid: () => randomUUID(),
};

/** No tokens yet: they come at the end of the sign-in. */
const noTokens: Tokens = {
  read: async () => null,
  renew: () => Promise.reject(new VendorError('lightspeed', 'reconnect', 'Lightspeed is not connected yet.')),
};

/**
 * What the sign-in needs to speak to Lightspeed. A person waits: each call is made once, and what fails is said at once
 * instead of being tried again in the background.
 */
export function signInContext(deps: Deps, settings: Settings, tokens: Tokens = noTokens): VendorContext {
  return {
    settings,
    fetch: fetchOnce(deps),
    now: () => deps.clock.now(),
    hash,
    tokens,
    timeZone: 'UTC',
    sandboxUrl: deps.env.sandboxUrl,
    signal: AbortSignal.timeout(30_000),
  };
}

const down = (cause: unknown): VendorError =>
  new VendorError(
    'lightspeed',
    'down',
    'Lightspeed does not answer now. Try to connect again in a few minutes.',
    cause,
  );

function fetchOnce({ outbound }: Deps): VendorFetch {
  return async (url, { method, headers, body } = {}) => {
    const reply = await outbound(url, {
      ...(method ? { method } : {}),
      headers: { ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    }).catch((error: unknown) => {
      throw down(error);
    });
    if (reply.status >= 500 || reply.status === 429) throw down(reply.status);
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const text = () => new TextDecoder().decode(bytes);
    return { status: reply.status, header: (name) => reply.headers.get(name), bytes, text, json: () => parse(text()) };
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new VendorError('lightspeed', 'bad-data', 'Lightspeed sent an answer that cannot be read. Try again.', error);
  }
}
