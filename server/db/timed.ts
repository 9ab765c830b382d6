import type { PGlite, Transaction } from '@electric-sql/pglite';
import type pg from 'pg';
import { tablesWritten } from './lately.ts';

/** A statement that just ended. Its values are not told: they may be names, codes or secrets. */
export type QueryDone = {
  statement: string;
  ms: number;
  /** Rows read out or changed. */
  rows: number;
  failed: boolean;
  /** It was a transaction of its own, or the end of one. */
  endsTransaction: boolean;
  /** Tables it wrote; at the end of a transaction, all that were written in it. */
  written: readonly string[];
};

export type OnQuery = (done: QueryDone) => void;

type Result = { rows?: readonly unknown[]; rowCount?: number | null; affectedRows?: number | undefined };

const rowsOf = (result: Result | undefined): number =>
  Math.max(result?.rows?.length ?? 0, result?.rowCount ?? 0, result?.affectedRows ?? 0);

/** Tells of every statement of a pool's connections. */
export function timePool(pool: pg.Pool, onQuery: OnQuery): void {
  pool.on('connect', (client) => timeClient(client, onQuery));
}

type AnyQuery = (...args: unknown[]) => unknown;

function timeClient(client: pg.PoolClient, onQuery: OnQuery): void {
  // The driver's overloads (text or config, promise or callback) are one function underneath.
  const query = client.query.bind(client) as AnyQuery;
  let isInTransaction = false;
  const transaction = new Set<string>();
  const timed: AnyQuery = (...args) => {
    const statement = statementOf(args[0]);
    const startedAt = performance.now();
    const done = (failed: boolean, result?: Result): void => {
      const isEnd = /^(commit|rollback)\s*;?$/i.test(statement);
      if (/^begin/i.test(statement)) isInTransaction = true;
      if (isEnd) isInTransaction = false;
      const ms = performance.now() - startedAt;
      const tables = tablesWritten(statement);
      for (const table of tables) transaction.add(table);
      const written = isEnd ? [...transaction] : tables;
      if (!isInTransaction) transaction.clear();
      onQuery({ statement, ms, rows: rowsOf(result), failed, endsTransaction: !isInTransaction, written });
    };
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const told = (error: unknown, result: Result): void => {
        done(Boolean(error), result);
        callback(error, result);
      };
      return query(...args.slice(0, -1), told);
    }
    const answer = query(...args);
    if (answer instanceof Promise) {
      answer.then(
        (result: Result) => done(false, result),
        () => done(true),
      );
    }
    return answer;
  };
  Object.assign(client, { query: timed });
}

function statementOf(first: unknown): string {
  if (typeof first === 'string') return first;
  const isConfig = typeof first === 'object' && first !== null && 'text' in first;
  return isConfig ? String(first.text) : '';
}

type Queries = Pick<Transaction, 'query'>;

/** The embedded database with every statement told; what else uses the instance is not counted. */
export function timeEmbedded(lite: PGlite, onQuery: OnQuery): PGlite {
  const transaction: PGlite['transaction'] = async (work) => {
    const written = new Set<string>();
    const tell: OnQuery = (done) => {
      for (const table of done.written) written.add(table);
      onQuery(done);
    };
    const result = await lite.transaction((tx) => work(timedQueries(tx, tell, false)));
    onQuery({ statement: 'commit', ms: 0, rows: 0, failed: false, endsTransaction: true, written: [...written] });
    return result;
  };
  return overlaid(timedQueries(lite, onQuery, true), { transaction });
}

function timedQueries<T extends Queries>(target: T, onQuery: OnQuery, endsTransaction: boolean): T {
  const query: Queries['query'] = async (statement, ...rest) => {
    const startedAt = performance.now();
    const tell = (failed: boolean, result?: Result): void => {
      const ms = performance.now() - startedAt;
      onQuery({ statement, ms, rows: rowsOf(result), failed, endsTransaction, written: tablesWritten(statement) });
    };
    try {
      const result = await target.query(statement, ...rest);
      tell(false, result);
      return result as never;
    } catch (error) {
      tell(true);
      throw error;
    }
  };
  return overlaid(target, { query });
}

/** An object that answers some names itself; its methods keep their private fields. */
function overlaid<T extends object>(target: T, own: object): T {
  return new Proxy(target, {
    get: (whole, name) => {
      if (name in own) return Reflect.get(own, name);
      const value: unknown = Reflect.get(whole, name, whole);
      return typeof value === 'function' ? value.bind(whole) : value;
    },
  });
}
