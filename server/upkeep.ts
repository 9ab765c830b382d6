import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { purgeExpired } from './auth/purge.ts';
import { purgePlans } from './day-plans/service.ts';
import { firstRow } from './db/database.ts';
import { clearDeadRows, clearingOf } from './db/dead-rows.ts';
import type { Deps } from './deps.ts';
import type { Upkeep } from './performance/maintenance.ts';
import { purgeSamples } from './performance/service.ts';
import { purgeTravel } from './roads/service.ts';
import { purgeUploads } from './uploads/service.ts';
import { stopSignal } from './vendor-sync/service.ts';
import { purgeVisits } from './visits/service.ts';

const byMonth = ['stock_movements', 'sales'] as const;
const monthsAhead = ['0 months', '1 month', '2 months'] as const;

/** Months ahead stand ready, so that midnight of the first never waits for a table. */
export async function makePartitions(deps: Deps): Promise<void> {
  for (const table of byMonth) {
    for (const ahead of monthsAhead) {
      await deps.db.execute(sql`select ensure_month_partition(${table}, now() + ${ahead}::interval)`);
    }
  }
}

/** Tables that are due in one minute are done before the next. */
const clearingMs = 45_000;
const longestPauseMs = 5_000;

/**
 * PostgreSQL clears dead rows itself; the embedded database has nobody who would, and neither has one where that was turned off.
 * Each table that was cleared has its statements planned anew on every connection: with all of them at once callers would wait.
 */
export async function clearWhereNothingDoes(deps: Deps, withinMs = clearingMs): Promise<void> {
  if ((await clearingOf(deps.database)).isAutomatic) return;
  const signal = stopSignal(deps);
  await clearDeadRows(deps.database, (tables) =>
    pause(Math.min(longestPauseMs, withinMs / tables), true, { signal }).catch(() => false),
  );
}

/** The maintenance of features, as jobs run it and as a person may ask for it. */
export const upkeep: readonly Upkeep[] = [
  {
    name: 'Partitions',
    run: async (deps) => {
      const made = await counted(deps, countPartitions, () => makePartitions(deps));
      return `${made === 0 ? 'this month and two ahead stood ready' : `${made} months were made ahead`} for sales and the ledger.`;
    },
  },
  {
    name: 'Expired sessions and codes',
    run: async (deps) => {
      const tables = ['sessions', 'login_codes', 'rate_limits'];
      const gone = -(await counted(deps, countRows(tables), () => purgeExpired(deps)));
      return `${gone} removed.`;
    },
  },
  {
    name: 'Retention',
    run: async (deps) => {
      const tables = ['photos', 'import_uploads', 'day_plans', 'travel_rows', 'travel_lines', 'performance_samples'];
      const gone = -(await counted(deps, countRows(tables), async () => {
        for (const purge of [purgeVisits, purgeUploads, purgePlans, purgeTravel, purgeSamples]) await purge(deps);
      }));
      return `${gone} photos, uploads, plans, travel times and samples past their time were removed.`;
    },
  },
];

type Count = (deps: Deps) => Promise<number>;

/** By how much a count rose while something was done. */
async function counted(deps: Deps, count: Count, work: () => Promise<unknown>): Promise<number> {
  const before = await count(deps);
  await work();
  return (await count(deps)) - before;
}

const countPartitions: Count = async ({ db }) =>
  (await firstRow<{ n: number }>(db, sql`select count(*)::int as n from pg_inherits`))?.n ?? 0;

const countRows =
  (tables: readonly string[]): Count =>
  async ({ db }) => {
    const each = tables.map((table) => sql`select count(*) as n from ${sql.identifier(table)}`);
    return (
      (await firstRow<{ n: number }>(db, sql`select sum(n)::int as n from (${sql.join(each, sql` union all `)}) c`))
        ?.n ?? 0
    );
  };
