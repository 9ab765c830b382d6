import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, type Dispatcher, fetch as undiciFetch } from 'undici';
import { checkedLookup, isPublicAddress, type Resolve } from './public-address.ts';

const connectMs = 3_000;
const totalMs = 15_000;
const maxBytes = 10_000_000;

/** One sentence for every way to fail: which one it was would tell a stranger what stands inside our network. */
const sentence = 'The address does not answer. It must be a public https:// address.';

/** Why a call to an address that a user entered failed; `reason` is for the log, never for the person who entered it. */
export class OutboundError extends Error {
  readonly reason: 'refused' | 'redirect' | 'too-large' | 'timeout' | 'unreachable';

  constructor(reason: OutboundError['reason'], cause?: unknown) {
    super(sentence, { cause });
    this.name = 'OutboundError';
    this.reason = reason;
  }
}

export type OutboundRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
};

/** Calls an address that a user entered; the whole answer is read. Throws `OutboundError` and nothing else. */
export type GuardedFetch = (url: string | URL, request?: OutboundRequest) => Promise<Response>;

/** Whether an address that a user entered may be called, as far as can be told now: each call looks again. */
export type MayCall = (url: string) => Promise<boolean>;

type Options = {
  /** Origin of MILKRUN_SANDBOX_URL: may be plain http and anywhere. */
  sandboxUrl: string | null;
  resolve?: Resolve;
  /** Tests shorten what is 15 s. */
  totalMs?: number;
};

/**
 * A fetch for addresses that users enter: https to port 443 of a public address without a name and password in it, to
 * the very address that was checked, no redirects, 3 s to connect, 15 s and 10 MB in all.
 */
export function guardedFetch(options: Options): GuardedFetch {
  const isSandbox = sandboxTest(options.sandboxUrl);
  const guarded = new Agent({
    connect: { timeout: connectMs, lookup: checkedLookup(options.resolve ?? systemLookup) },
    maxResponseSize: maxBytes,
  });
  const free = new Agent({ connect: { timeout: connectMs }, maxResponseSize: maxBytes });
  return async (address, request = {}) => {
    const url = URL.canParse(String(address)) ? new URL(address) : null;
    const isFree = url !== null && isSandbox(url);
    if (!url || !(isFree || isAllowed(url))) throw new OutboundError('refused');
    try {
      return await exchange(url, request, { agent: isFree ? free : guarded, totalMs: options.totalMs ?? totalMs });
    } catch (error) {
      throw error instanceof OutboundError ? error : new OutboundError(reasonOf(error), error);
    }
  };
}

function sandboxTest(sandboxUrl: string | null): (url: URL) => boolean {
  const sandbox = sandboxUrl ? new URL(sandboxUrl).origin : null;
  return (url) => url.origin === sandbox && !url.username && !url.password;
}

/**
 * The check of an address when it is entered: the same as before each call. A name that is not known now may be known
 * later, and is not refused.
 */
export function addressCheck(options: Pick<Options, 'sandboxUrl' | 'resolve'>): MayCall {
  const isSandbox = sandboxTest(options.sandboxUrl);
  const lookUp = checkedLookup(options.resolve ?? systemLookup);
  return async (address) => {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (!url) return false;
    if (isSandbox(url)) return true;
    if (!isAllowed(url)) return false;
    if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return true;
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve(true), connectMs);
      lookUp(url.hostname, { all: true }, (error) => {
        clearTimeout(late);
        resolve(error?.name !== 'AddressRefused');
      });
    });
  };
}

/** What can be told from the address alone: whoever writes an address as a number is never looked up. */
function isAllowed(url: URL): boolean {
  if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') return false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  // A name without a dot, or with one at its end, is completed or cut by some resolvers: not a public name.
  return host.includes('.') && !host.endsWith('.') && !/(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(host);
}

type How = { agent: Dispatcher; totalMs: number };

async function exchange(url: URL, request: OutboundRequest, how: How): Promise<Response> {
  const limit = AbortSignal.timeout(how.totalMs);
  const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit;
  const reply = await undiciFetch(url, { ...request, signal, redirect: 'manual', dispatcher: how.agent });
  if (reply.status >= 300 && reply.status < 400) {
    await reply.body?.cancel();
    throw new OutboundError('redirect');
  }
  const bytes = await readAtMost(reply.body);
  const headers = new Headers(
    [...reply.headers].filter(([name]) => !['content-encoding', 'content-length'].includes(name)),
  );
  const isBare = reply.status === 204 || reply.status === 205;
  return new Response(isBare ? null : bytes, { status: reply.status, statusText: reply.statusText, headers });
}

type Body = Awaited<ReturnType<typeof undiciFetch>>['body'];

/** Counted after unpacking: a small packed answer may unpack to gigabytes. */
async function readAtMost(body: Body): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new OutboundError('too-large');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function reasonOf(error: unknown): OutboundError['reason'] {
  if (!(error instanceof Error)) return 'unreachable';
  if (error.name === 'AddressRefused' || error.name === 'TimeoutError')
    return error.name === 'TimeoutError' ? 'timeout' : 'refused';
  if (error.name === 'ResponseExceededMaxSizeError') return 'too-large';
  if (error.name === 'ConnectTimeoutError') return 'timeout';
  return error.cause ? reasonOf(error.cause) : 'unreachable';
}
