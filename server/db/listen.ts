import pg from 'pg';

const reconnectMs = 500;

type Heard = { onNote: (payload: string) => void; onGap: () => void; onError: (error: Error) => void };

/** One connection of its own for LISTEN; after a break it reconnects and tells of the gap. Returns the stop. */
export async function listenOn(url: string, channel: string, heard: Heard): Promise<() => Promise<void>> {
  let stopped = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 });
    next.on('notification', (note) => heard.onNote(note.payload ?? ''));
    next.on('error', heard.onError);
    try {
      await next.connect();
      await next.query(`listen ${next.escapeIdentifier(channel)}`);
    } catch (error) {
      await next.end().catch(heard.onError);
      throw error;
    }
    // Only now: a refused connection emits 'end' too, and each one would start a second chain of attempts.
    next.once('end', () => later());
    client = next;
  };
  const resumed = (): void => {
    if (stopped) client?.end().catch(heard.onError);
    else heard.onGap();
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
    await client?.end();
  };
}
