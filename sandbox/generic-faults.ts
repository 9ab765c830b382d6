import type { Fault, SandboxReply, Vendor } from './vendor.ts';

/** Kinds that the sandbox plays for every vendor. */
export const genericKinds = [
  'unauthorised',
  'forbidden',
  'rate_limited',
  'server_error',
  'hang',
  'cut',
  'malformed',
  'empty_page',
  'short_page',
  'repeat_page',
] as const;

export const isGeneric = (kind: string): boolean => genericKinds.some((known) => known === kind);

/** What becomes of the connection beside an answer: 'hang' says nothing for `ms`, 'cut' breaks off in the middle. */
export type Played = { reply: SandboxReply; connection: 'whole' | 'cut' } | { hangMs: number };

const whole = (reply: SandboxReply): Played => ({ reply, connection: 'whole' });

/** A fault that comes instead of the vendor's answer; null where the answer is needed first. */
export function playInstead(fault: Fault, vendor: Vendor, now: Date): Played | null {
  const refuse = vendor.refuse ?? plainRefusal;
  const { kind, parameters } = fault;
  if (kind === 'unauthorised') return whole(refuse(401, 'Access token is not valid'));
  if (kind === 'forbidden') return whole(refuse(403, 'Not allowed'));
  if (kind === 'server_error') return whole(refuse(numberOf(parameters.status, 503), 'Service unavailable'));
  if (kind === 'hang') return { hangMs: numberOf(parameters.ms, 30_000) };
  if (kind !== 'rate_limited') return null;
  const limited = refuse(429, 'Too many requests');
  return whole({ ...limited, headers: { ...limited.headers, ...retryAfter(parameters, now) } });
}

/** `as`: seconds (default), date or none. */
function retryAfter(parameters: Fault['parameters'], now: Date): Record<string, string> {
  const seconds = numberOf(parameters.seconds, 2);
  if (parameters.as === 'none') return {};
  if (parameters.as !== 'date') return { 'retry-after': String(seconds) };
  return { 'retry-after': new Date(now.getTime() + seconds * 1_000).toUTCString() };
}

/** A fault made out of the vendor's answer; `before` is its last answer to the same call. */
export function playOn(fault: Fault, reply: SandboxReply, before: SandboxReply | null): Played {
  const { kind, parameters } = fault;
  if (kind === 'cut') return { reply, connection: 'cut' };
  if (kind === 'malformed') return whole(parameters.as === 'html' ? htmlPage : broken(reply));
  if (kind === 'empty_page') return whole(withList(reply, () => []));
  if (kind === 'short_page') return whole(withList(reply, (list) => list.slice(0, Math.ceil(list.length / 2))));
  return whole(before ?? reply);
}

const htmlPage: SandboxReply = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Maintenance</title><p>We will be back soon.</p>',
};

function broken(reply: SandboxReply): SandboxReply {
  const text = String(reply.body ?? '');
  return { ...reply, status: 200, body: `${text.slice(0, Math.floor(text.length / 2))}\u0000` };
}

/** The list of a JSON answer: the whole of it, or its first member that is one. */
function withList(reply: SandboxReply, change: (list: unknown[]) => unknown[]): SandboxReply {
  const parsed = parse(String(reply.body ?? ''));
  if (Array.isArray(parsed)) return { ...reply, body: JSON.stringify(change(parsed)) };
  if (typeof parsed !== 'object' || parsed === null) return reply;
  const found = Object.entries(parsed).find(([, value]) => Array.isArray(value));
  if (!found || !Array.isArray(found[1])) return reply;
  return { ...reply, body: JSON.stringify({ ...parsed, [found[0]]: change(found[1]) }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function plainRefusal(status: number, sentence: string): SandboxReply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error: sentence }) };
}

const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
