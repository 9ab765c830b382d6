import type { FastifyInstance } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { Recognise } from '../http/handle.ts';
import { maySee, scopeOf } from '../scope/service.ts';

const heartbeatMs = 15_000;
/** After the first event of a topic, later ones within this time are sent as one. */
const coalesceMs = 250;

/**
 * Server-sent events at /api/events: what changed, never its content, and only what the person may see. Not in the
 * contract, because it is a stream.
 */
export function mountLiveStream(app: FastifyInstance, deps: Deps, recognise: Recognise): void {
  app.get('/api/events', async (request, reply) => {
    const caller = await recognise(request, 'signed-in');
    if (!caller?.sid) throw new AppError('not-signed-in', 'You are not signed in. Sign in to go on.');
    let scope = await scopeOf(deps, caller);
    reply.hijack();
    const out = reply.raw;
    out.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    out.write('event: ready\ndata: {}\n\n');
    const stream = coalesced((event) => out.write(`data: ${JSON.stringify(event)}\n\n`));
    const beat = setInterval(() => out.write(': still here\n\n'), heartbeatMs);
    const end = (): void => {
      out.end('event: end\ndata: {}\n\n');
    };
    // Another role or designation counts from now on, not from the next connection.
    const widen = async (): Promise<void> => {
      const now = await recognise(request, 'signed-in').catch(() => null);
      if (now) scope = await scopeOf(deps, now);
      else end();
    };
    const leave = deps.live.subscribe({
      sid: caller.sid,
      sees: (note) => {
        if (note.topic === 'settings' && note.users.includes(caller.userId)) void widen();
        return maySee(scope, note);
      },
      send: stream.push,
      gap: () => out.write('event: gap\ndata: {}\n\n'),
      end,
    });
    request.raw.on('close', () => {
      clearInterval(beat);
      stream.stop();
      leave();
    });
    return reply;
  });
}

type Event = { topic: string; ids: number[] };

function coalesced(write: (event: Event) => void) {
  const waiting = new Map<string, Set<number> | 'any'>();
  const quiet = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();

  const flush = (topic: string): void => {
    const ids = waiting.get(topic);
    waiting.delete(topic);
    if (!ids) {
      quiet.delete(topic);
      return;
    }
    write({ topic, ids: ids === 'any' ? [] : [...ids] });
    later(topic);
  };
  const later = (topic: string): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      flush(topic);
    }, coalesceMs);
    timers.add(timer);
  };

  return {
    push: (event: Event): void => {
      if (!quiet.has(event.topic)) {
        quiet.add(event.topic);
        write(event);
        later(event.topic);
        return;
      }
      const known = waiting.get(event.topic);
      if (known === 'any' || event.ids.length === 0) waiting.set(event.topic, 'any');
      else waiting.set(event.topic, new Set([...(known ?? []), ...event.ids]));
    },
    stop: (): void => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
