import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import type { Recognise } from '../http/handle.ts';
import { maySee, type Scope, scopeOf } from '../scope/service.ts';
import type { LiveNote } from './hub.ts';

const heartbeatMs = 15_000;
/** A stream beats sooner by up to this share: those that were opened at once, as after a start, would look at their sessions at once for ever. */
const unevenness = 0.25;
/** After the first event of a topic, later ones within this time are sent as one. */
const coalesceMs = 1_000;

/** A client that has not taken this much is not listening any more: it is cut off, comes back and reads everything anew. */
const maxUnreadBytes = 64 * 1024;
/** How much longer than it says a screen may have been reading: its question was on the way. */
const onTheWayMs = 2_000;
/** Milliseconds since the oldest list of the screen was asked for; absent from whoever has read nothing yet. */
const asked = z.object({ age: z.coerce.number().nonnegative().optional().catch(undefined) });

/** Every so many heartbeats the session is looked at again: it may have run out. */
const beatsPerLook = 4;
/** What is measured changes all the time and is worth half a minute: a screen that shows it is told as often to ask again. */
const beatsPerReading = 2;

/**
 * Server-sent events at /api/events: what changed, never its content, and only what the person may see. Not in the
 * contract, because it is a stream.
 */
export function mountLiveStream(app: FastifyInstance, deps: Deps, recognise: Recognise): void {
  app.get('/api/events', async (request, reply) => {
    const caller = await recognise(request, 'signed-in');
    if (!caller?.sid) throw new AppError('not-signed-in', 'You are not signed in. Sign in to go on.');
    const scope = await scopeOf(deps, caller);
    if (request.raw.destroyed) return reply;
    reply.hijack();
    openStream(deps, reply.raw, {
      caller,
      scope,
      readMs: asked.parse(request.query ?? {}).age ?? null,
      look: async () => {
        const now = await recognise(request, 'signed-in');
        return now?.sid === caller.sid ? scopeOf(deps, now) : null;
      },
    });
    return reply;
  });
}

type Listener = {
  caller: Caller;
  scope: Scope;
  /** So long the screen has been reading; what changed meanwhile it would never hear of. */
  readMs: number | null;
  /** What the person may see now; null when the session is over. */
  look: () => Promise<Scope | null>;
};

function openStream(deps: Deps, out: ServerResponse, listener: Listener): void {
  const { caller, look } = listener;
  let { scope } = listener;
  let beats = 0;
  let isOver = false;
  let leave = (): void => {};
  const send = (text: string): void => {
    if (isOver) return;
    out.write(text);
    if (out.writableLength > maxUnreadBytes) out.destroy();
  };
  const stream = coalesced((events) => send(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')));
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(beat);
    stream.stop();
    leave();
    if (!out.destroyed) out.end('event: end\ndata: {}\n\n');
  };
  // Another role or designation counts from now on, not from the next connection. A database away for a moment ends nothing.
  const lookAgain = async (): Promise<void> => {
    const now = await look().catch((error: unknown) => (error instanceof AppError ? null : scope));
    if (now) scope = now;
    else finish();
  };
  const beat = setInterval(
    () => {
      // An event and no comment, which a page never sees: whoever hears nothing for long opens the stream anew.
      send('event: beat\ndata: {}\n\n');
      beats += 1;
      if (beats % beatsPerLook === 0) void lookAgain();
      if (beats % beatsPerReading === 0 && scope.everything) stream.push({ topic: 'performance', ids: [] });
    },
    heartbeatMs * (1 - unevenness * Math.random()),
  );
  const tellWhatWasMissed = (notes: LiveNote[] | null): void => {
    if (!notes) send(gap);
    for (const note of notes ?? []) if (maySee(scope, note)) stream.push({ topic: note.topic, ids: note.ids });
  };
  out.on('close', finish);
  out.on('error', finish);
  out.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  leave = deps.live.subscribe({
    sid: caller.sid ?? '',
    sees: (note) => {
      if (note.topic === 'settings' && note.users.includes(caller.userId)) void lookAgain();
      return maySee(scope, note);
    },
    send: stream.push,
    gap: () => send(gap),
    end: finish,
  });
  // A process that is stopping ends the stream while it is being opened.
  if (isOver) leave();
  send('event: ready\ndata: {}\n\n');
  if (listener.readMs !== null) tellWhatWasMissed(deps.live.toldWithin(listener.readMs + onTheWayMs));
  // Signed out between the first look and the subscription: nobody would tell.
  void lookAgain();
}

const gap = 'event: gap\ndata: {}\n\n';

type Event = { topic: string; ids: number[] };

/** What comes together is written together, and then nothing for a while, whatever it is about: each write costs the process as much as its news. */
function coalesced(write: (events: readonly Event[]) => void) {
  const waiting = new Map<string, Set<number> | 'any'>();
  let isWaiting = false;

  const flush = (): void => {
    isWaiting = false;
    if (waiting.size === 0) return;
    write([...waiting].map(([topic, ids]) => ({ topic, ids: ids === 'any' ? [] : [...ids] })));
    waiting.clear();
    isWaiting = true;
    setTimeout(flush, coalesceMs).unref();
  };

  return {
    push: ({ topic, ids }: Event): void => {
      if (!isWaiting) setImmediate(flush);
      isWaiting = true;
      const known = waiting.get(topic);
      if (known === 'any') return;
      if (ids.length === 0) waiting.set(topic, 'any');
      else if (known) for (const id of ids) known.add(id);
      else waiting.set(topic, new Set(ids));
    },
    stop: (): void => {
      waiting.clear();
    },
  };
}
