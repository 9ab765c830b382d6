import type { CallArgs, Endpoint, Reply } from '../../contract/endpoint.ts';
import { uuidV4 } from '../offline/uuid.ts';
import { takeBackFailure } from '../ui/toasts/toast.ts';
import { noteAnswer } from './clock.ts';

type Problem = { detail?: string; code?: string; fields?: Record<string, string> };

/** Said when the server could not be reached at all. */
const unreachable = 'The server cannot be reached. Check the connection and try again.';

/**
 * A refused or failed call. Its message is the status, a colon and the text; `detail` is the sentence to show, which a
 * body that is no problem document (a proxy's page) does not have.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly fields: Record<string, string>;
  /** How long the server asks to wait before the next try. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, text: string, problem: Problem = {}, retryAfter: string | null = null) {
    super(`${status}: ${text}`);
    this.name = 'ApiError';
    this.status = status;
    this.detail = problem.detail ?? (status === 0 ? text : `The server could not answer (${status}). Try again.`);
    this.code = problem.code ?? 'unknown';
    this.fields = problem.fields ?? {};
    this.retryAfterSeconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : null;
  }

  /** True when no answer came: the phone may be offline. */
  get isUnreachable(): boolean {
    return this.status === 0;
  }
}

/** This part of what was asked is what the server refused. */
export const isRefused = (error: unknown, part: string): boolean => error instanceof ApiError && part in error.fields;

/** It did not get through or the server failed: nothing is wrong with what was sent, and the same may well be taken later. */
export const maySendAgain = (error: unknown): boolean =>
  error instanceof ApiError && (error.isUnreachable || error.status >= 500);

/** Nobody is signed in: whoever was is asked to sign in on top of what they see, and to say it there as well would soon be untrue. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.code === 'not-signed-in';

/** The sentence of any error, fit for a screen. */
export function sentenceOf(error: unknown): string {
  return error instanceof ApiError ? error.detail : 'Something went wrong. Try again.';
}

type Listener = () => void;
const signedOutListeners = new Set<Listener>();

/** Calls the listener whenever the server says that nobody is signed in. Returns the way to stop. */
export function onSignedOut(listener: Listener): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

type Headers = Record<string, string>;

type Sent = { body?: unknown; extra?: Headers; signal?: AbortSignal | undefined };

async function send(method: string, url: string, { body, extra = {}, signal }: Sent = {}): Promise<Response> {
  const headers: Headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...extra };
  const payload = body === undefined ? {} : { body: JSON.stringify(body) };
  try {
    return await fetch(url, { method, credentials: 'include', headers, ...payload, ...(signal && { signal }) });
  } catch {
    throw new ApiError(0, unreachable);
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const text = await response.text();
  const problem = parseProblem(text);
  const retryAfter = response.headers.get('retry-after');
  return new ApiError(response.status, problem?.detail || text || response.statusText, problem ?? {}, retryAfter);
}

function parseProblem(text: string): Problem | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : null;
  } catch {
    // Not ours: a proxy's page, perhaps. The text itself is the message then.
    return null;
  }
}

/** A refused proof of a call that needs no session says nothing about the session there is. */
async function read(response: Response, needsSession = true): Promise<unknown> {
  noteAnswer(response);
  if (response.ok) return response.json();
  const error = await refusal(response);
  if (response.status === 401 && needsSession) for (const listener of signedOutListeners) listener();
  throw error;
}

/** The path of an endpoint with its parameters and query filled in. */
export function urlOf(endpoint: Pick<Endpoint, 'path'>, args: { params?: unknown; query?: unknown }): string {
  const params = Object.entries(args.params ?? {});
  const path = params.reduce(
    (text, [name, value]) => text.replace(`:${name}`, encodeURIComponent(String(value))),
    endpoint.path,
  );
  const given = Object.entries(args.query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query ? `${path}?${query}` : path;
}

/** Tells one write from another. The write itself is not kept for that: it may hold a password or a key. */
function markOf(write: string): number {
  let mark = 0;
  for (let at = 0; at < write.length; at++) mark = (Math.imul(mark, 31) + write.charCodeAt(at)) | 0;
  return mark;
}

/** The latest write that failed, with what was said of it. Only one message stands at a time, so older ones are gone. */
let lastFailure: { mark: number; sentence: string } | null = null;

/**
 * The keys of writes that make something new and have no answer of the server's yet. One whose answer got lost is sent again
 * with its key, so that the server knows it; after an answer, the same once more is another one.
 */
const unanswered = new Map<number, string>();

function keyOf(mark: number): string {
  const key = unanswered.get(mark) ?? uuidV4((count) => crypto.getRandomValues(new Uint8Array(count)));
  unanswered.set(mark, key);
  return key;
}

const isAnswered = (error: unknown): boolean => error instanceof ApiError && error.code !== 'unknown';

/** The same write that goes well after a failure takes away what was said of that: it would be untrue for as long as it stands. */
async function retold<R>(mark: number, answer: Promise<R>): Promise<R> {
  try {
    const reply = await answer;
    unanswered.delete(mark);
    if (lastFailure?.mark === mark) {
      takeBackFailure(lastFailure.sentence);
      lastFailure = null;
    }
    return reply;
  } catch (error) {
    if (isAnswered(error)) unanswered.delete(mark);
    lastFailure = { mark, sentence: sentenceOf(error) };
    throw error;
  }
}

/**
 * Calls an endpoint of the contract, typed by it. Cookies go along; a body is JSON. `version` is the one that was read:
 * an edit of what somebody else changed since is refused.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  args: CallArgs<E>,
  { version, signal }: { version?: number; signal?: AbortSignal } = {},
): Promise<Reply<E>> {
  const { body, ...rest } = args as { params?: unknown; query?: unknown; body?: unknown };
  const url = urlOf(endpoint, rest);
  const mark = markOf(`${endpoint.method} ${url} ${JSON.stringify(body)}`);
  const extra: Headers = {
    ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
    ...(endpoint.once ? { 'idempotency-key': keyOf(mark) } : {}),
  };
  const sent = send(endpoint.method, url, { body, extra, signal });
  // The reply's shape is the contract's promise, checked by the server's serialiser.
  const answer = sent.then((response) => read(response, endpoint.needs !== 'public')) as Promise<Reply<E>>;
  return endpoint.method === 'GET' ? answer : retold(mark, answer);
}

/** Sends a file as its bytes, streamed by the browser. */
export async function sendFile(path: string, file: Blob): Promise<unknown> {
  const headers = { 'content-type': 'application/octet-stream' };
  const sending = fetch(path, { method: 'POST', credentials: 'include', headers, body: file });
  return read(
    await sending.catch(() => {
      throw new ApiError(0, unreachable);
    }),
  );
}

/** Sends a picture as its bytes, named by what it is. */
export async function sendPicture(path: string, file: Blob): Promise<unknown> {
  const sending = fetch(path, {
    method: 'PUT',
    credentials: 'include',
    headers: { 'content-type': file.type || 'image/jpeg' },
    body: file,
  });
  return read(
    await sending.catch(() => {
      throw new ApiError(0, unreachable);
    }),
  );
}

/**
 * Sends JSON and hands on each line of the answer, itself JSON, as it comes. Hanging up by the signal ends it with an
 * error of status 0 and the code 'cancelled'.
 */
export async function sendForLines(
  path: string,
  body: unknown,
  { signal, onLine }: { signal: AbortSignal; onLine: (line: unknown) => void },
): Promise<void> {
  const lost = (): ApiError =>
    signal.aborted ? new ApiError(0, 'Cancelled.', { code: 'cancelled' }) : new ApiError(0, unreachable);
  const headers = { 'content-type': 'application/json' };
  const asked = { method: 'POST', credentials: 'include', headers, body: JSON.stringify(body), signal } as const;
  const response = await fetch(path, asked).catch(() => {
    throw lost();
  });
  if (!response.ok || !response.body) {
    await read(response);
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  while (true) {
    const { done, value } = await reader.read().catch(() => {
      throw lost();
    });
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line) onLine(JSON.parse(line));
  }
}

/** GETs a path; with `on401: 'null'` a missing sign-in yields nothing instead of an error. */
export async function load(path: string, options: { on401: 'error' | 'null' } = { on401: 'error' }): Promise<unknown> {
  const response = await send('GET', path);
  if (response.status === 401 && options.on401 === 'null') return null;
  return read(response);
}
