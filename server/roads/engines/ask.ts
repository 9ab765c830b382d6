import { setTimeout as sleep } from 'node:timers/promises';
import { EngineFailed } from './provider.ts';

export type Ask = {
  fetch: typeof fetch;
  wait: (ms: number) => Promise<unknown>;
  random: () => number;
};

export const realAsk: Ask = { fetch: (...args) => fetch(...args), wait: (ms) => sleep(ms), random: Math.random };

const timeoutMs = 15_000;
const tries = 3;
const firstWaitMs = 300;
const longestWaitMs = 5_000;
const answerLimitBytes = 10_000_000;

type Request = { method: 'GET' | 'POST'; url: string; body?: unknown };
export type Answer = { status: number; json: unknown };

/**
 * Asks an engine over HTTP: 15 seconds a try, no redirects, answers up to 10 MB. A connection that fails, a 429 and a 5xx are
 * tried again with growing, random gaps; `Retry-After` is obeyed up to five seconds. After 15 seconds of silence somebody
 * has waited long enough: that is not tried again.
 */
export async function ask(io: Ask, request: Request): Promise<Answer> {
  let failure: EngineFailed = new EngineFailed('not asked');
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const outcome = await askOnce(io, request);
    if ('json' in outcome) return outcome;
    failure = outcome.failure;
    if (attempt + 1 < tries) await io.wait(waitMs(io, attempt, outcome.retryAfterMs));
  }
  throw failure;
}

function waitMs({ random }: Ask, attempt: number, retryAfterMs: number | null): number {
  const gap = firstWaitMs * 4 ** attempt * (0.5 + random());
  return Math.min(longestWaitMs, Math.max(gap, retryAfterMs ?? 0));
}

type Outcome = Answer | { failure: EngineFailed; retryAfterMs: number | null };

async function askOnce(io: Ask, { method, url, body }: Request): Promise<Outcome> {
  try {
    const reply = await io.fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await limitedText(reply);
    if (reply.status === 429 || reply.status >= 500) {
      const seconds = Number(reply.headers.get('retry-after') ?? 0);
      const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : null;
      return { failure: new EngineFailed(`the engine answered ${reply.status}`), retryAfterMs };
    }
    return { status: reply.status, json: JSON.parse(text) };
  } catch (cause) {
    if (cause instanceof EngineFailed) throw cause;
    if (isTimeout(cause)) throw new EngineFailed('the engine took too long', { cause });
    return { failure: new EngineFailed('the engine cannot be reached', { cause }), retryAfterMs: null };
  }
}

const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === 'TimeoutError';

async function limitedText(reply: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of reply.body ?? []) {
    size += part.byteLength;
    if (size > answerLimitBytes) throw new EngineFailed('the answer is too large', { reason: 'too-large' });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
