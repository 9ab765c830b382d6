import { VendorError, type VendorFetch, type VendorReply, type VendorRequest } from '../../connectors/connector.ts';
import type { IntegrationSystem } from '../../domain/integration.ts';
import { type GuardedFetch, OutboundError } from '../http/outbound/outbound.ts';
import { retryAfterMs } from '../http/outbound/retry-after.ts';
import type { Breaker } from './breaker.ts';
import { paceMs, usualWindowMs } from './pace.ts';

const tries = 5;
const atOnce = 2;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** What Retry-After may make one run wait in all; more than that, and the run ends and comes back later. */
const mostWaitedMs = 5 * 60_000;
const mostBytes = 10_000_000;
/** The partner is late or has too much to do: the same call may succeed in a moment. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Partners name the programs that call them in their logs, and some refuse a library's name. */
const ownName = 'Milkrun (self-hosted)';

const addressRefused =
  'The address of this configuration may not be called: it leads to a private network, to another site, or is not https. Enter the address that the partner gave you.';

export type FetchTools = {
  outbound: GuardedFetch;
  breaker: Breaker;
  now: () => Date;
  /** Waits, unless the signal ends it. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  /** Hears until when the partner asked to wait. */
  onRest?: (until: Date) => void;
  /** What Retry-After may make these calls wait in all, where somebody looks on. */
  mostWaitedMs?: number;
};

/** Null: it did not say until when. */
export type Asked = { until: Date | null };

export type VendorCalls = {
  fetch: VendorFetch;
  /** When the partner asked us to come back, if it did. */
  comeBackAt: () => Date | null;
  /** Until when it rests because the partner asked for it; null while it does not. */
  restsUntil: () => Date | null;
  /** What its last answer asks to wait before the next call; null where it asks for nothing, or that is over. */
  asked: () => Asked | null;
};

type For = { system: IntegrationSystem; label: string; signal: AbortSignal };

/** Names the address: one that was typed wrong looks like a partner that is away. */
const silent = (label: string, url: string): string =>
  `${label} does not answer at ${new URL(url).host}. It is tried again by itself; if it stays so, check the address.`;

/** Nobody was asked: calls are kept away after failures, and why they failed is known already. */
export class HeldOff extends VendorError {}

/**
 * The fetch that connectors are handed: two calls at a time, each tried up to five times while the failure is a passing
 * one, with growing pauses of random length; Retry-After is obeyed in both its forms, and where the partner tells how
 * many calls are left, they are spread before none is; the breaker is asked before each.
 */
export function vendorCalls({ system, label, signal }: For, tools: FetchTools): VendorCalls {
  const places = semaphore(atOnce);
  let waitedMs = 0;
  let comeBackAt: Date | null = null;
  let notBefore = 0;
  let asksUntil = 0;
  let lastAsked: Asked | null = null;
  const failure: Failing['failure'] = (kind, message, cause) => new VendorError(system, kind, message, cause);
  const rest = async (attempt: number, reply: Response | null): Promise<void> => {
    const asked = reply ? retryAfterMs(reply.headers.get('retry-after'), tools.now()) : null;
    if (asked !== null) {
      const until = tools.now().getTime() + asked;
      waitedMs += asked;
      if (waitedMs > (tools.mostWaitedMs ?? mostWaitedMs)) {
        comeBackAt = new Date(until);
        throw failure('rate-limit', `${label} asked us to come back in ${minutes(asked)}. The sync goes on then.`);
      }
      // It is meant for every call, not for the one that was answered so.
      notBefore = Math.max(notBefore, until);
      if (until > asksUntil) {
        asksUntil = until;
        tools.onRest?.(new Date(until));
      }
    }
    const pause = tools.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
    await tools.wait(asked ?? pause, signal);
  };
  const earlyMs = (): number => notBefore - tools.now().getTime();
  const paced = async (url: string, request: VendorRequest): Promise<Response> => {
    for (let early = earlyMs(); early > 0; early = earlyMs()) await tools.wait(early, signal);
    const reply = await callOnce(url, { ...sendable(request), signal }, { outbound: tools.outbound, label, failure });
    const now = tools.now();
    notBefore = Math.max(notBefore, now.getTime() + paceMs(reply.headers, now));
    lastAsked = askedBy(reply, now);
    return reply;
  };
  /** One try: the answer for the caller, or what calls for another. */
  const attempt = async (url: string, request: VendorRequest, n: number): Promise<Attempt> => {
    const state = tools.breaker.state(tools.now());
    if (state === 'open')
      throw new HeldOff(system, 'down', `${label} did not answer lately. It is tried again in a moment.`);
    const last = n + 1 >= tries || state === 'trying';
    const reply = await paced(url, request).catch((error: unknown) => {
      if (error instanceof VendorError || signal.aborted) throw error;
      tools.breaker.failed(tools.now());
      if (last) throw failure('down', silent(label, url), error);
      return null;
    });
    if (reply && !passing.has(reply.status)) {
      tools.breaker.succeeded();
      return { done: await toReply(system, label, reply) };
    }
    if (reply?.status === 429) tools.breaker.succeeded();
    else if (reply) tools.breaker.failed(tools.now());
    if (reply && last) {
      if (reply.status === 429) comeBackAt = new Date(tools.now().getTime() + usualWindowMs);
      throw exhausted(reply.status, { label, failure });
    }
    return { again: reply };
  };
  const exchange = async (url: string, request: VendorRequest): Promise<VendorReply> => {
    let isRepeat = false;
    for (let n = 0; ; n += 1) {
      const outcome = await places(() => attempt(url, request, n), n > 0);
      if ('done' in outcome) return { ...outcome.done, isRepeat };
      // Whoever is turned away for asking too often was not heard; behind every other failure the work may be done.
      isRepeat ||= outcome.again?.status !== 429;
      // Whoever rests holds no place: the others go on meanwhile.
      await rest(n, outcome.again);
    }
  };
  return {
    fetch: (url, request = {}) => exchange(url, request),
    comeBackAt: () => comeBackAt,
    asked: () => (lastAsked?.until && lastAsked.until <= tools.now() ? null : lastAsked),
    restsUntil: () => (asksUntil > tools.now().getTime() ? new Date(asksUntil) : null),
  };
}

function askedBy({ status, headers }: Response, now: Date): Asked | null {
  const told = passing.has(status) ? retryAfterMs(headers.get('retry-after'), now) : null;
  const waitMs = told ?? paceMs(headers, now);
  if (waitMs > 0) return { until: new Date(now.getTime() + waitMs) };
  return status === 429 ? { until: null } : null;
}

type Attempt = { done: VendorReply } | { again: Response | null };

type Failing = {
  label: string;
  failure: (kind: VendorError['kind'], message: string, cause?: unknown) => VendorError;
};

async function callOnce(
  url: string,
  init: Parameters<GuardedFetch>[1],
  { outbound, label, failure }: Failing & Pick<FetchTools, 'outbound'>,
): Promise<Response> {
  try {
    return await outbound(url, init);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason === 'refused' || error.reason === 'redirect') throw failure('address', addressRefused, error);
    const tooLarge = `${label} sent more than 10 MB in one answer, which is not read. Ask its support.`;
    if (error.reason === 'too-large') throw failure('bad-data', tooLarge, error);
    throw error;
  }
}

function exhausted(status: number, { label, failure }: Failing): VendorError {
  if (status === 429) return failure('rate-limit', `${label} takes no more calls for now. The sync goes on later.`);
  return failure('down', `${label} has trouble (status ${status}). It is tried again by itself.`);
}

function sendable({ method, headers, body }: VendorRequest) {
  const bytes = body instanceof Uint8Array ? new Uint8Array(body) : body;
  return {
    method: method ?? 'GET',
    headers: { 'user-agent': ownName, ...headers },
    ...(bytes === undefined ? {} : { body: bytes }),
  };
}

const minutes = (ms: number): string => {
  const whole = Math.max(1, Math.round(ms / 60_000));
  return whole === 1 ? '1 minute' : `${whole} minutes`;
};

async function toReply(system: IntegrationSystem, label: string, reply: Response): Promise<VendorReply> {
  const bytes = new Uint8Array(await reply.arrayBuffer());
  if (bytes.length > mostBytes)
    throw new VendorError(
      system,
      'bad-data',
      `${label} sent more than 10 MB in one answer, which is not read. Ask its support.`,
    );
  const text = (): string => new TextDecoder().decode(bytes);
  return {
    status: reply.status,
    header: (name) => reply.headers.get(name),
    bytes,
    text,
    json: () => {
      try {
        return JSON.parse(text());
      } catch (cause) {
        throw new VendorError(
          system,
          'bad-data',
          `${label} sent an answer that cannot be read. It is tried again by itself; if it stays so, ask its support.`,
          cause,
        );
      }
    },
  };
}

/** Runs at most `places` pieces of work at a time, the others in the order they came; what was there before goes first. */
function semaphore(places: number): <T>(work: () => Promise<T>, isAgain: boolean) => Promise<T> {
  let free = places;
  const queue: (() => void)[] = [];
  return async (work, isAgain) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => (isAgain ? queue.unshift(resolve) : queue.push(resolve)));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}
