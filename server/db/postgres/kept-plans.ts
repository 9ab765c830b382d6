import { createHash } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import { type Db, run } from '../database.ts';
import { cut } from './lost-connections.ts';

const planningOnce = 'set local plan_cache_mode = force_generic_plan';

/**
 * For the rest of this transaction a connection makes a plan for a statement only when it meets it for the first time. For
 * transactions of many small statements, always the same ones, whose plan costs more than their work and is the same
 * whatever the values.
 */
export const planOnce = (tx: Db): Promise<void> => run(tx, sql.raw(planningOnce));

const mark = '/* planned once */';

/** A single statement of which the same holds. */
export const plannedOnce = (statement: SQL): SQL => sql`${statement} ${sql.raw(mark)}`;

/** As screens ask, with the row by which they know whether there are more. Each number is a statement of its own on each connection. */
const usualRows: ReadonlySet<number> = new Set([4, 5, 10, 11, 13, 21, 25, 26, 50, 51, 101, 201, 501, 1001]);

/**
 * How many rows a statement reads at most. As one of its values the number would be guessed as a tenth of all rows: of many rows every
 * plan for any values seems dear then, and PostgreSQL plans anew each time.
 */
export const atMost = (rows: number): SQL => (usualRows.has(rows) ? sql.raw(String(rows)) : sql`${rows}`);

export const isPlannedOnce = (text: string): boolean => text.endsWith(mark);

type Statement = { text: string; name?: string };
type AnyQuery = (...args: unknown[]) => unknown;

const isStatement = (first: unknown): first is Statement =>
  typeof first === 'object' && first !== null && 'text' in first && typeof first.text === 'string';

/** Lets the connections of a pool know statements by name. Not behind a pooler, which gives each transaction another connection. */
export function keepPlans(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as AnyQuery;
    let isKeeping = false;
    const named: AnyQuery = (first, ...rest) => {
      const text = isStatement(first) ? first.text : String(first);
      if (text === planningOnce) isKeeping = true;
      else if (isKeeping && isEnd.test(text)) isKeeping = false;
      else if (isStatement(first) && !first.name && (isKeeping || isPlannedOnce(text)))
        return letGoWhenOutdated(client, query({ ...first, name: nameOf(first.text) }, ...rest));
      return query(first, ...rest);
    };
    Object.assign(client, { query: named });
  });
}

/** A table was changed under a plan: on this connection it would fail for ever. */
function letGoWhenOutdated(client: pg.PoolClient, answer: unknown): unknown {
  if (answer instanceof Promise) {
    answer.catch((error: unknown) => {
      if (isOutdatedPlan(error)) cut(client);
    });
  }
  return answer;
}

/** Its code alone stands for whatever is not supported. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '0A000' && error.message.startsWith('cached plan');

const isEnd = /^(?:commit|rollback)\s*;?$/i;

const names = new Map<string, string>();

/** PostgreSQL tells names apart by their first 63 characters only. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}
