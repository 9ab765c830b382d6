import { type SQL, sql } from 'drizzle-orm';
import { type Database, firstRow, rows } from './database.ts';

/** Nearly as PostgreSQL's own autovacuum judges, with the settings it comes with. */
const due = sql`s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
  or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
  or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
  or age(c.relfrozenxid) > 200000000`;

/** The embedded database forgets at each start how many rows of its tables are dead: statistics find out. */
const unknown = sql`s.last_analyze is null and s.last_autoanalyze is null and pg_relation_size(c.oid) > 0`;

/** Beyond this many transactions since rows were last frozen, something keeps the database from freezing them. */
const worryingAge = 1_000_000_000;

export type Clearing = {
  /** Whether the database clears dead rows and takes statistics by itself. The embedded one never does. */
  isAutomatic: boolean;
  /** Whether its transaction numbers run out, for which its oldest database counts: it stops taking writes before they do. */
  isOverdue: boolean;
};

export async function clearingOf({ db, kind }: Pick<Database, 'db' | 'kind'>): Promise<Clearing> {
  const found = await firstRow<{ works: boolean; age: number }>(
    db,
    sql`select current_setting('autovacuum') = 'on' and current_setting('track_counts') = 'on' as works,
          (select max(age(datfrozenxid)) from pg_database) as age`,
  );
  return {
    isAutomatic: kind !== 'embedded' && found?.works === true,
    isOverdue: (found?.age ?? 0) > worryingAge,
  };
}

type Own = Pick<Database, 'db' | 'script'>;

/** Waits before one more of so many tables is cleared; false ends it. */
type Between = (tables: number) => Promise<boolean>;
const atOnce: Between = async () => true;

/**
 * Makes the room of dead rows free for new ones, freezes old ones and takes statistics, in the tables that are due; says in which it
 * did. One table after the other, so that on the embedded database's only connection others come in between.
 */
export async function clearDeadRows(own: Own, between: Between = atOnce): Promise<string[]> {
  const begun = await firstRow<{ at: string }>(own.db, sql`select clock_timestamp()::text as at`);
  await forEach({ own, between: atOnce }, unknown, (name) => `analyze (skip_locked) ${name}`);
  const tried = await forEach({ own, between }, due, (name) => `vacuum (analyze, skip_locked) ${name}`);
  // One that is locked, or belongs to somebody else, is passed over without an error.
  const cleared = await tablesWhere(own, sql`s.last_vacuum >= ${begun?.at}::timestamptz`);
  return tried.filter((name) => cleared.includes(name));
}

async function tablesWhere({ db }: Own, condition: SQL): Promise<string[]> {
  const found = await rows<{ name: string }>(
    db,
    sql`select format('%I.%I', n.nspname, c.relname) as name
        from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_stat_all_tables s on s.relid = c.oid
        where c.relkind = 'r' and c.relpersistence = 'p' and (${condition})
        order by s.n_dead_tup desc, name`,
  );
  return found.map(({ name }) => name);
}

/** One that fails keeps no other from its turn. */
async function forEach(
  { own, between }: { own: Own; between: Between },
  condition: SQL,
  statement: (name: string) => string,
): Promise<string[]> {
  const names = await tablesWhere(own, condition);
  const failures: unknown[] = [];
  for (const [at, name] of names.entries()) {
    if (at > 0 && !(await between(names.length))) break;
    await own.script(statement(name)).catch((error: unknown) => {
      if (!isGone(error)) failures.push(error);
    });
  }
  if (failures.length > 0) throw failures[0];
  return names;
}

/** A month that was rolled up meanwhile. */
const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '42P01';
