import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { performanceSamples } from './tables.ts';

export type Sample = typeof performanceSamples.$inferInsert;

/** Stands in place of its role in the last sample of a process that stops. */
export const goneRole = 'gone';

export async function insertSample(db: Db, sample: Sample): Promise<void> {
  await db.insert(performanceSamples).values(sample).onConflictDoNothing();
}

export type Devices = { total: number; active: number };

/** Machines and markets: each is a place with a telemeter or a kiosk of its own. */
export async function countDevices(db: Db): Promise<Devices> {
  const found = await firstRow<Devices>(
    db,
    sql`select (c.total + m.total)::int as total, (c.active + m.active)::int as active from
          (select coalesce(sum(machines), 0) as total, coalesce(sum(machines) filter (where status = 'active'), 0) as active
           from machine_counts) c,
          (select count(*) as total, count(*) filter (where status = 'active') as active
           from markets where deleted_at is null) m`,
  );
  return { total: found?.total ?? 0, active: found?.active ?? 0 };
}

export type RoutesOfDay = { all: number; active: number; completed: number };

export async function countRoutes(db: Db, day: string): Promise<RoutesOfDay> {
  const found = await firstRow<RoutesOfDay>(
    db,
    sql`select count(*)::int as "all", (count(*) filter (where status = 'in_progress'))::int as active,
          (count(*) filter (where status = 'completed'))::int as completed from routes where date = ${day}`,
  );
  return found ?? { all: 0, active: 0, completed: 0 };
}

export type Rates = {
  processes: number;
  seconds: number;
  requests: number;
  requestMs: number;
  failed: number;
  refused: number;
  transactions: number;
  queries: number;
  queryMs: number;
  rows: number;
};

/** The newest sample of every process that still reports: one that was killed counts until its silence is noticed. */
const reporting = (now: Date): SQL => sql`
  select * from (
    select distinct on (process) * from performance_samples
    where at > ${now.toISOString()}::timestamptz - interval '90 seconds' order by process, at desc) newest
  where role <> ${goneRole}`;

/** What every other process did in its newest minute. */
export async function othersRates(db: Db, { self, now }: { self: string; now: Date }): Promise<Rates[]> {
  return rows<Rates>(
    db,
    sql`select 1 as processes, seconds, requests, request_ms as "requestMs", failed, refused, transactions,
          queries, query_ms as "queryMs", row_count::int as rows
        from (${reporting(now)}) others where process <> ${self}`,
  );
}

export type CpuUse = { cpuMsPerCall: number | null; minutes: number; webProcesses: number };

/** Minutes with few calls would show what the process does anyway, and those with more refusals than calls what these take. */
const callsToCount = 30;

/** Processor time of a call over the last day, from minutes with enough calls in them. */
export async function cpuOfCalls(db: Db, now: Date): Promise<CpuUse> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const found = await firstRow<{ ms: number | null; minutes: number; processes: number }>(
    db,
    sql`select (sum(cpu_ms) / nullif(sum(requests), 0))::float8 as ms, count(*)::int as minutes,
          (select count(*)::int from (${reporting(now)}) alive where role <> 'worker') as processes
        from performance_samples
        where at > ${at} - interval '1 day' and role not in ('worker', ${goneRole}) and requests >= ${callsToCount} and refused < requests`,
  );
  return {
    cpuMsPerCall: found?.ms == null ? null : Number(found.ms),
    minutes: found?.minutes ?? 0,
    webProcesses: Math.max(1, found?.processes ?? 0),
  };
}

export async function databaseBytes(db: Db): Promise<number> {
  const found = await firstRow<{ bytes: number | string }>(
    db,
    sql`select pg_database_size(current_database())::float8 as bytes`,
  );
  return Number(found?.bytes ?? 0);
}

/** Small tables are read whole, and should be. */
const largeRows = 1_000;

/** Share of the reads of large tables that went by an index; null where none was read yet. */
export async function indexShare(db: Db): Promise<number | null> {
  const found = await firstRow<{ share: number | null }>(
    db,
    sql`select (sum(idx_scan) / nullif(sum(idx_scan) + sum(seq_scan), 0))::float8 as share
        from pg_stat_user_tables where schemaname = 'public' and n_live_tup >= ${largeRows}`,
  );
  return found?.share == null ? null : Number(found.share);
}

export type WholeRead = { name: string; times: number; rows: number };

/** Large tables that are read from end to end often, worst first. */
export async function wholeReads(db: Db): Promise<WholeRead[]> {
  return rows<WholeRead>(
    db,
    sql`select relname as name, seq_scan::int as times, (seq_tup_read / seq_scan)::int as rows
        from pg_stat_user_tables
        where schemaname = 'public' and seq_scan >= 100 and n_live_tup >= 10000
          and seq_tup_read / seq_scan > n_live_tup / 2
        order by seq_tup_read desc limit 3`,
  );
}

export type HistoryRow = {
  at: string;
  callsPerSecond: number;
  transactionsPerSecond: number;
  rowsPerSecond: number;
  requests: number;
  requestMs: number;
  queries: number;
  queryMs: number;
  eventLoopDelayMs: number;
  memoryMb: number;
};

type Span = { now: Date; hours: number; minutesPerPoint: number };

/** Any instant from which both minutes and longer steps are counted. */
const origin = sql`'2020-01-01T00:00:00Z'::timestamptz`;

/** What a process did in less than a second tells no rate. */
const rateOf = (sums: SQL) => sql`sum(${sums}) / greatest(sum(seconds), 1)`;

/**
 * By step, what all processes did together; a level is the highest of any process. A rate is that of the seconds in which a process
 * measured, and the mean of the minutes in which any did. The running minute is left out: not every process has written it down.
 */
export async function findHistory(db: Db, { now, hours, minutesPerPoint }: Span): Promise<HistoryRow[]> {
  const end = sql`date_bin('1 minute', ${now.toISOString()}::timestamptz, ${origin})`;
  return rows<HistoryRow>(
    db,
    sql`with measured as (
          select date_bin('1 minute', at, ${origin}) as minute, process, ${rateOf(sql`requests`)} as calls_per_second,
            ${rateOf(sql`transactions`)} as transactions_per_second, ${rateOf(sql`row_count`)} as rows_per_second,
            sum(requests) as requests, sum(request_ms) as request_ms, sum(queries) as queries, sum(query_ms) as query_ms,
            max(event_loop_delay_ms) as event_loop_delay_ms, max(memory_mb) as memory_mb
          from performance_samples
          where at >= ${end} - ${`${hours} hours`}::interval and at < ${end}
          group by 1, 2
        ), minutes as (
          select minute, sum(calls_per_second) as calls_per_second, sum(transactions_per_second) as transactions_per_second,
            sum(rows_per_second) as rows_per_second, sum(requests) as requests, sum(request_ms) as request_ms,
            sum(queries) as queries, sum(query_ms) as query_ms, max(event_loop_delay_ms) as event_loop_delay_ms,
            max(memory_mb) as memory_mb
          from measured group by 1
        )
        select to_char(date_bin(${`${minutesPerPoint} minutes`}::interval, minute, ${origin}) at time zone 'UTC',
            'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
          avg(calls_per_second)::float8 as "callsPerSecond", avg(transactions_per_second)::float8 as "transactionsPerSecond",
          avg(rows_per_second)::float8 as "rowsPerSecond", sum(requests)::int as requests,
          sum(request_ms)::float8 as "requestMs", sum(queries)::int as queries, sum(query_ms)::float8 as "queryMs",
          max(event_loop_delay_ms)::float8 as "eventLoopDelayMs", max(memory_mb)::float8 as "memoryMb"
        from minutes group by 1 order by 1`,
  );
}
