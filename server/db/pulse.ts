import pg from 'pg';
import { cut, endOrCut } from './postgres/lost-connections.ts';

const everyMs = 1_000;
/** After so long without a connection or an answer a database counts as away, in milliseconds. */
export const usualPatienceMs = 1_500;
/** After so many misses one after the other, what hangs on a connection will not be answered any more. */
const missesToGiveUp = 2;

/** `mustWrite`: a server that only follows another is none; a primary becomes one when another takes over for it. */
type Wanted = { mustWrite: boolean; patienceMs?: number };

export type Pulse = { isAway: () => boolean; stop: () => Promise<void> };

/**
 * Asks the database once a second whether it is there. One that is frozen neither answers nor breaks the connection:
 * new calls are then refused at once, and those that wait are let go so that they end with a reason.
 */
export function feelPulse(url: string, pool: pg.Pool, wanted: Wanted): Pulse {
  const { mustWrite, patienceMs = usualPatienceMs } = wanted;
  const connections = new Set<pg.PoolClient>();
  pool.on('connect', (client) => connections.add(client));
  pool.on('remove', (client) => connections.delete(client));
  // A machine that is merely slow still brings answers: those count as a pulse as well.
  let aliveAt = Number.NEGATIVE_INFINITY;
  pool.on('release', (error: unknown) => {
    if (!error) aliveAt = performance.now();
  });
  let client: pg.Client | null = null;
  let misses = 0;
  let beating: Promise<void> | null = null;

  const drop = (): void => {
    const gone = client;
    client = null;
    if (gone) cut(gone);
  };
  const ask = async (): Promise<void> => {
    if (!client) {
      client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patienceMs });
      // An error between two questions shows at the next one.
      client.on('error', () => {});
      await client.connect();
    }
    const question = { text: 'select pg_is_in_recovery() as follows', query_timeout: patienceMs };
    const answer = await client.query<{ follows: boolean }>(question);
    if (mustWrite && answer.rows[0]?.follows) throw new Error('The server only follows another.');
  };
  const beat = async (): Promise<void> => {
    try {
      await ask();
      misses = 0;
    } catch {
      // Away, starting, full, or not the one that takes changes: the next connection may lead to another.
      drop();
      if (performance.now() - aliveAt < patienceMs) return;
      misses += 1;
      if (misses === missesToGiveUp) for (const connection of connections) cut(connection);
    }
  };
  const timer = setInterval(() => {
    beating ??= beat().finally(() => {
      beating = null;
    });
  }, everyMs);
  timer.unref();
  return {
    isAway: () => misses > 0,
    stop: async () => {
      clearInterval(timer);
      await beating;
      if (client) await endOrCut(client).catch(drop);
    },
  };
}
