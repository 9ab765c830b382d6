import { sql } from 'drizzle-orm';
import { type Database, firstRow, rows } from './database.ts';

/** As PostgreSQL's own autovacuum judges, with the settings it comes with. */
const isDue = sql`s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
  or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
  or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
  or age(c.relfrozenxid) > 200000000`;

/** Beyond this many transactions since rows were last frozen, something keeps the database from freezing them. */
const worryingAge = 1_000_000_000;

export type Upkeeping = {
  /** Whether the database clears dead rows and takes statistics by itself. The embedded one never does. */
  isAutomatic: boolean;
  /** Whether its transaction numbers run out: it stops taking writes before they do. */
  isOverdue: boolean;
};

export async function upkeepingOf({ db, kind }: Database): Promise<Upkeeping> {
  const found = await firstRow<{ automatic: string; age: number }>(
    db,
    sql`select current_setting('autovacuum') as automatic, age(datfrozenxid) as age
        from pg_database where datname = current_database()`,
  );
  return {
    isAutomatic: kind !== 'embedded' && found?.automatic !== 'off',
    isOverdue: (found?.age ?? 0) > worryingAge,
  };
}

/**
 * Makes the room of dead rows free for new ones, freezes old ones and takes statistics, in the tables that are due; says which.
 * One table after the other, so that on the embedded database's only connection others come in between.
 */
export async function clearDeadRows({ db, script }: Pick<Database, 'db' | 'script'>): Promise<string[]> {
  const due = await rows<{ name: string }>(
    db,
    sql`select format('%I.%I', n.nspname, c.relname) as name
        from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_stat_all_tables s on s.relid = c.oid
        where c.relkind = 'r' and c.relpersistence = 'p' and (${isDue})
        order by s.n_dead_tup desc, name`,
  );
  for (const { name } of due) await script(`vacuum (analyze) ${name}`);
  return due.map(({ name }) => name);
}
