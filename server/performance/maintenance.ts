import { type SQL, sql } from 'drizzle-orm';
import { counted } from '../../domain/counted.ts';
import { AppError } from '../../domain/errors.ts';
import { addDays } from '../../domain/time.ts';
import { recordAudit } from '../audit/service.ts';
import { firstRow, rows } from '../db/database.ts';
import { clearDeadRows } from '../db/dead-rows.ts';
import { inOneLongTransaction } from '../db/statements/unhurried.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { today } from '../settings/service.ts';

/** A piece of maintenance that says what it did. Those of other features are handed in. */
export type Upkeep = { name: string; run: (deps: Deps) => Promise<string> };

/** The work that belongs to no feature. */
export const databaseUpkeep: readonly Upkeep[] = [
  { name: 'Statistics', run: analyze },
  { name: 'Dead rows', run: clearTables },
  { name: 'Indexes', run: rebuildStaleIndexes },
  { name: 'Daily sums', run: checkDailySums },
];

const running = new WeakSet<Deps>();

/** Runs all maintenance, one after the other; a piece that fails is said and does not stop the others. */
export async function optimizeEnterprise(deps: Deps, caller: Caller, upkeep: readonly Upkeep[]) {
  if (running.has(deps)) throw new AppError('conflict', 'The optimisation is already running. Wait until it is done.');
  running.add(deps);
  const startedAt = performance.now();
  const done: string[] = [];
  const failed: string[] = [];
  try {
    for (const { name, run } of upkeep) {
      try {
        done.push(`${name}: ${await run(deps)}`);
      } catch (error) {
        deps.log.error({ err: error, upkeep: name }, 'maintenance failed');
        failed.push(name);
      }
    }
  } finally {
    running.delete(deps);
  }
  // Also where a piece failed: the others have changed what they changed.
  await recordAudit(deps.db, caller, {
    action: 'performance.optimize',
    detail: failed.length > 0 ? { done, failed } : { done },
  });
  if (failed.length > 0) {
    throw new AppError(
      'internal',
      `${failed.join(' and ')} could not be done; the log says why. Done: ${done.join(' ') || 'nothing.'}`,
    );
  }
  return { implementedOptimizations: done, seconds: Number(((performance.now() - startedAt) / 1000).toFixed(2)) };
}

/** Fresh statistics of every table, from which the database chooses its plans. */
async function analyze({ database, db }: Deps): Promise<string> {
  await database.script('analyze');
  const found = await firstRow<{ tables: number; rows: number }>(
    db,
    sql`select count(*)::int as tables, coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows
        from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return `the statistics of ${found?.tables ?? 0} tables with ${Math.round(found?.rows ?? 0).toLocaleString('en-US')} rows were taken anew.`;
}

/** What changed or went leaves its old row behind until it is cleared. */
async function clearTables({ database }: Deps): Promise<string> {
  const cleared = await clearDeadRows(database);
  if (cleared.length === 0) return 'no table had enough of them to be cleared.';
  return `those of ${counted(cleared.length, 'table', 'tables')} were cleared and their room is free for new ones.`;
}

/** An index whose making was broken off is kept up with every write and used by no query. */
async function rebuildStaleIndexes({ database, db }: Deps): Promise<string> {
  const found = await rows<{ name: string; isRemnant: boolean }>(
    db,
    sql`select indexrelid::regclass::text as name, c.relname ~ '_cc(new|old)[0-9]*$' as "isRemnant"
        from pg_index i join pg_class c on c.oid = i.indexrelid
        where not i.indisvalid and c.relnamespace = 'public'::regnamespace and c.relkind = 'i'
          and not exists (select from pg_stat_progress_create_index p where p.relid = i.indrelid)`,
  );
  // Nobody waits for it; the embedded database has one connection, beside which nobody works.
  const how = database.kind === 'postgres' ? 'concurrently ' : '';
  // What is left of a making anew that was broken off stands beside the index itself.
  for (const { name, isRemnant } of found)
    await database.script(isRemnant ? `drop index ${how}if exists ${name}` : `reindex index ${how}${name}`);
  const stale = found.filter(({ isRemnant }) => !isRemnant);
  const all = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from pg_indexes where schemaname = 'public'`,
  );
  if (stale.length === 0) return `${all?.n ?? 0} were looked at, none was stale.`;
  return `${stale.map(({ name }) => name).join(', ')} ${stale.length === 1 ? 'was' : 'were'} made anew.`;
}

const comparedDays = 30;

/** Whole days up to the last whose sums differ from their sales. */
const differentDays = (last: string): SQL => sql`
    with zone as (select time_zone as name, currency from operator where id = 1),
      window_days as (select ${addDays(last, 1 - comparedDays)}::date as first, ${last}::date as last),
      sold as (select (s.sale_date at time zone z.name)::date as day, sum(s.quantity) as units,
          coalesce(sum(s.total_amount) filter (where s.currency = z.currency), 0) as amount
        from sales s, zone z, window_days w
        where s.sale_date >= w.first - 1 and s.sale_date < w.last + 2 and s.successful and not s.refunded
        group by 1),
      summed as (select d.day, sum(d.units) as units, sum(d.amount) as amount from sales_daily d, window_days w
        where d.day between w.first and w.last group by 1)
    select coalesce(sold.day, summed.day)::text as day from sold full join summed on summed.day = sold.day, window_days w
    where coalesce(sold.day, summed.day) between w.first and w.last
      and (coalesce(sold.units, 0) <> coalesce(summed.units, 0) or coalesce(sold.amount, 0) <> coalesce(summed.amount, 0))
    order by 1`;

/** Reports read daily sums: here those of whole days are compared with the sales themselves. */
async function checkDailySums({ db, clock }: Deps): Promise<string> {
  const last = addDays(await today(db, clock), -1);
  const different = await inOneLongTransaction(db, (tx) => rows<{ day: string }>(tx, differentDays(last)));
  if (different.length === 0) return `those of the last ${comparedDays} days agree with the sales they sum.`;
  const days = different.map(({ day }) => day).join(', ');
  return `those of ${days} differ from their sales. Keep a backup, then run milkrun doctor --repair.`;
}
