import type pg from 'pg';

/** Ends a connection without a word to the other side, which does not listen or shall not be asked. */
export function cut(client: pg.Client | pg.PoolClient): void {
  const { connection } = client as unknown as { connection?: { stream?: { destroy: () => void } } };
  connection?.stream?.destroy();
}

/** Nobody answers a farewell on a connection that has gone silent, and whoever stops would wait for hours. */
const farewellMs = 1_000;

/** Ends a connection, cut where the other side does not answer. */
export async function endOrCut(client: pg.Client): Promise<void> {
  const late = setTimeout(() => cut(client), farewellMs);
  await client.end().finally(() => clearTimeout(late));
}

/**
 * A connection that breaks while somebody holds it. The driver then raises an error that nobody listens to, which would end the
 * process; and a transaction whose very `begin` failed never gives its connection back, so that after a few of them the
 * pool had none left. Here both are heard, and what is lost goes back to the pool by itself, which makes a new one.
 */
export function surviveLostConnections(pool: pg.Pool, onError: (error: Error) => void): void {
  pool.on('connect', (client) => client.on('error', onError));
  const connect = pool.connect.bind(pool) as (callback?: unknown) => Promise<pg.PoolClient>;
  // The callback form is the pool's own, for single statements: it gives back whatever happens.
  const guarded = (callback?: unknown): Promise<pg.PoolClient> =>
    callback === undefined ? connect().then(givenBackWhenLost) : connect(callback);
  Object.assign(pool, { connect: guarded });
}

function givenBackWhenLost(client: pg.PoolClient): pg.PoolClient {
  const release = client.release;
  let isBack = false;
  const giveBack = (error?: Error | boolean): void => {
    if (isBack) return;
    isBack = true;
    client.off('end', lost);
    release(error);
  };
  const lost = (): void => giveBack(true);
  client.once('end', lost);
  client.release = giveBack;
  return client;
}
