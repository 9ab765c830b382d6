import type pg from 'pg';

type AnyQuery = (...args: unknown[]) => unknown;

/**
 * Statements of one connection one after the other, each when the one before has ended. For poolers, of which some forward no
 * statement that comes before the answer to the last.
 */
export function oneAtATime(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as AnyQuery;
    let last: Promise<unknown> | null = null;
    const inTurn: AnyQuery = (...args) => {
      if (typeof args.at(-1) === 'function') return query(...args);
      const answer = last ? last.then(() => query(...args)) : (query(...args) as Promise<unknown>);
      const ended = answer.then(
        () => {},
        () => {},
      );
      last = ended;
      void ended.then(() => {
        if (last === ended) last = null;
      });
      return answer;
    };
    Object.assign(client, { query: inTurn });
  });
}
