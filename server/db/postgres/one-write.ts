import type { Duplex } from 'node:stream';
import type pg from 'pg';

/** The driver's own way to its socket, which its types leave out. */
type WithStream = { connection?: { stream?: Duplex } };

/**
 * Statements that a connection is given before this process turns to its next event go out with one write. A write to
 * a socket costs the kernel more than most of our statements cost the database, and wakes it each time.
 */
export function writeTogether(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const { stream } = (client as unknown as WithStream).connection ?? {};
    if (!stream) return;
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    let isGathering = false;
    const gathered = (...args: unknown[]): unknown => {
      if (!isGathering) {
        isGathering = true;
        stream.cork();
        process.nextTick(() => {
          isGathering = false;
          stream.uncork();
        });
      }
      return query(...args);
    };
    Object.assign(client, { query: gathered });
  });
}
