import type { Answer, Call, Transport } from '../environment.ts';

/** A basement's half-open connection must not hold the outbox. */
const timeoutMs = 30_000;

/** What the slowest line that is waited for takes, bytes a millisecond: a photo of 300 kB is then under way for 75 s. */
const slowestLine = 4;

/** The transport over `fetch`, for pages and the service worker alike. */
export function fetchTransport(fetch: typeof globalThis.fetch): Transport {
  return async (call) => {
    try {
      return await answerOf(await fetch(call.path, requestOf(call)));
    } catch {
      // No network, a timeout or a broken body: the call may or may not have arrived, and is sent again.
      return { outcome: 'unreachable' };
    }
  };
}

function requestOf(call: Call): RequestInit {
  const { method } = call;
  const within = (bytes: number) => AbortSignal.timeout(timeoutMs + Math.ceil(bytes / slowestLine));
  const request = (bytes: number): RequestInit => ({ method, signal: within(bytes), cache: 'no-store' });
  if (call.body === undefined) return request(0);
  if (call.body instanceof Blob)
    return { ...request(call.body.size), headers: { 'content-type': 'image/jpeg' }, body: call.body };
  const body = JSON.stringify(call.body);
  return { ...request(body.length), headers: { 'content-type': 'application/json' }, body };
}

async function answerOf(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type') ?? '';
  // A captive portal answers 200 with its own page: that is not the server.
  if (response.status === 204) return { outcome: 'answered', body: null };
  if (response.ok) {
    return type.includes('json') ? { outcome: 'answered', body: await response.json() } : { outcome: 'unreachable' };
  }
  const isProblem = type.includes('json');
  const text = await response.text();
  return {
    outcome: 'refused',
    status: response.status,
    detail: isProblem ? detailOf(text, response.statusText) : response.statusText,
    isProblem,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
  };
}

function detailOf(text: string, fallback: string): string {
  const body: unknown = JSON.parse(text);
  if (typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string') {
    return body.detail;
  }
  return fallback;
}

/** Seconds or an HTTP date, as RFC 9110 has it. */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (!header) return null;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}
