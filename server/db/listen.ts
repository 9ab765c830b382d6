import pg from 'pg';
import { cut, endOrCut } from './postgres/lost-connections.ts';

const reconnectMs = 500;
const patienceMs = 5_000;
const beatMs = 2_000;
/** More than one: where this process itself stood still, the answer lies there and is only read after the next beat. */
const beatsToAnswer = 2;

type Heard = { onNote: (payload: string) => void; onGap: () => void; onError: (error: Error) => void };

/**
 * One connection of its own for LISTEN; after a break, or when nobody answers on it any more, it reconnects and tells of the
 * gap. Returns the stop.
 */
export async function listenOn(url: string, channel: string, heard: Heard): Promise<() => Promise<void>> {
  let stopped = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: patienceMs });
    next.on('notification', (note) => heard.onNote(note.payload ?? ''));
    next.on('error', heard.onError);
    const listening = { text: `listen ${next.escapeIdentifier(channel)}`, query_timeout: patienceMs };
    try {
      await next.connect();
      await next.query(listening);
    } catch (error) {
      await endOrCut(next).catch(heard.onError);
      throw error;
    }
    cutWhenSilent(next);
    // Only now: a refused connection emits 'end' too, and each one would start a second chain of attempts.
    next.once('end', () => later());
    client = next;
  };
  const resumed = (): void => {
    if (!stopped) heard.onGap();
    else if (client) endOrCut(client).catch(heard.onError);
  };
  const later = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      connect().then(resumed, (error: Error) => {
        heard.onError(error);
        later();
      });
    }, reconnectMs);
    timer.unref();
  };

  await connect();
  return async () => {
    stopped = true;
    if (timer) clearTimeout(timer);
    if (client) await endOrCut(client);
  };
}

/**
 * A server that lost its power, or a router that forgot the flow, breaks nothing: whoever only listens would hear nothing for
 * hours and not know it. So something is asked, and no answer is a break.
 */
function cutWhenSilent(client: pg.Client): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    unanswered += 1;
    if (unanswered > beatsToAnswer) return cut(client);
    if (unanswered > 1) return;
    client.query('select').then(
      () => {
        unanswered = 0;
      },
      () => cut(client),
    );
  }, beatMs);
  timer.unref();
  client.once('end', () => clearInterval(timer));
}
