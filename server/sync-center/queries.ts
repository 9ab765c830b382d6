import { type SQL, sql } from 'drizzle-orm';
import type { EndedRun, SyncedDevice } from '../../contract/sync-center.ts';
import { integrationSystem } from '../../domain/integration.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Window } from '../db/statements/paging.ts';
import type { ConfigRow } from '../integrations/service.ts';

export type ConfigState = {
  id: number;
  name: string;
  system: string;
  isActive: boolean;
  syncEnabled: boolean;
  inMaintenance: boolean;
  hasTokens: boolean;
  problem: string | null;
  problemKind: string | null;
  breaker: ConfigRow['breaker'];
  lastSync: string | null;
  running: boolean;
};

const instant = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export function findConfigStates(db: Db): Promise<ConfigState[]> {
  return rows<ConfigState>(
    db,
    sql`select c.id, c.name, c.system, c.is_active as "isActive", c.sync_enabled as "syncEnabled", c.status = 'maintenance' as "inMaintenance", c.tokens is not null as "hasTokens",
        c.problem, c.problem_kind as "problemKind", c.breaker, ${instant(sql`c.last_sync_at`)} as "lastSync",
        exists (select from sync_runs r where r.config_id = c.id and r.status in ('pending', 'running')) as running
      from integration_configs c where c.removed_at is null order by c.id`,
  );
}

/** The newest of each configuration by the index, and of those the newest of each system: runs are many, configurations few. */
export const latestRunsOf = (most: number): SQL => sql`
  select l.system, l.id, l.status, l.records_processed as "recordsProcessed", l.error_count as "errorCount", l.held,
    ${instant(sql`l.started_at`)} as "startedAt"
  from (select c.system, r.*, row_number() over (partition by c.system order by r.id desc) as nth
        from integration_configs c
        cross join lateral (select r.id, r.status, r.records_processed, r.error_count,
            coalesce((r.progress -> 'counts' ->> 'held')::int, 0) as held,
            coalesce(r.started_at, r.created_at) as started_at
          from sync_runs r where r.config_id = c.id and r.status not in ('pending', 'running')
          order by r.id desc limit ${most}) r) l
  where l.nth <= ${most} order by l.id`;

export const findLatestRuns = (db: Db, most: number): Promise<(EndedRun & { system: string })[]> =>
  rows<EndedRun & { system: string }>(db, latestRunsOf(most));

const marketDevice = sql`d.market_id`;
const machineDevice = sql`d.machine_id`;

const systems = sql.join(
  integrationSystem.options.map((system) => sql`${system}`),
  sql`, `,
);

/** A partner tells of it. Files that people import give places an integration id too, under a source of their own. */
const isSynced = (column: SQL): SQL => sql`l.integration_id is not null and l.deleted_at is null
  and (l.integration_source is null or l.integration_source in (${systems})
    or exists (select from vendor_devices d where ${column} = l.id))`;

/** The partner's system, also of a place that came in by a file first. */
const sourceOf = (column: SQL): SQL => sql`case when l.integration_source in (${systems}) then l.integration_source
  else (select min(c.system) from vendor_devices d join integration_configs c on c.id = d.config_id where ${column} = l.id) end`;

export async function countSynced(db: Db): Promise<number> {
  const found = await firstRow<{ n: number }>(
    db,
    sql`select (select count(*) from markets l where ${isSynced(marketDevice)})::int
      + (select count(*) from vending_machines l where ${isSynced(machineDevice)})::int as n`,
  );
  return found?.n ?? 0;
}

type Wish = {
  type: 'all' | 'market' | 'vending_machine';
  search?: string | undefined;
  page?: string | undefined;
  limit: number;
};

type Part = { condition: SQL; select: (window: Window) => SQL; table: SQL };

/** Ids of both kinds in one line: even ones are markets. */
const marketKey = sql`(l.id::bigint * 2)`;
const machineKey = sql`(l.id::bigint * 2 + 1)`;

const shared = sql`l.id, l.name, l.address, l.city, l.state, l.latitude::text as latitude, l.longitude::text as longitude,
  l.route_designation as "routeDesignation", l.status, l.integration_id as "integrationId"`;

/** When the systems that tell of a place were last read. */
const lastSync = (column: SQL): SQL =>
  instant(sql`(select max(c.last_sync_at) from vendor_devices d join integration_configs c on c.id = d.config_id
    where ${column} = l.id)`);

function partsOf({ type, search }: Wish): Part[] {
  const words = wordsOf(search).map((word) =>
    containsWord(sql`plain_text(concat_ws(' ', l.name, l.address, l.city, l.state))`, word),
  );
  const part = ({ table, key, device, fields }: { table: SQL; key: SQL; device: SQL; fields: SQL }): Part => {
    const condition = sql.join([isSynced(device), ...words], sql` and `);
    return {
      condition,
      table,
      select: (window) =>
        sql`(select ${shared}, ${sourceOf(device)} as "integrationSource", ${fields}, ${lastSync(device)} as "lastSync",
            lower(l.name) as by_name, ${key} as key from ${table} l
          ${window({ condition, value: sql`lower(l.name)`, id: key })})`,
    };
  };
  const markets = part({
    ...{ table: sql`markets`, key: marketKey, device: marketDevice },
    fields: sql`'market' as type, null::text as "serialNumber"`,
  });
  const machines = part({
    ...{ table: sql`vending_machines`, key: machineKey, device: machineDevice },
    fields: sql`'vending_machine' as type, l.serial_number::text as "serialNumber"`,
  });
  if (type === 'market') return [markets];
  return type === 'vending_machine' ? [machines] : [markets, machines];
}

export function pageSynced(db: Db, wish: Wish) {
  const parts = partsOf(wish);
  const count = async (): Promise<number> => {
    const sums = parts.map(({ table, condition }) => sql`(select count(*) from ${table} l where ${condition})`);
    const found = await firstRow<{ n: number }>(db, sql`select (${sql.join(sums, sql` + `)})::int as n`);
    return found?.n ?? 0;
  };
  return findPage<SyncedDevice>(db, {
    fields: sql`p.*`,
    source: (window) =>
      sql`(${sql.join(
        parts.map(({ select }) => select(window)),
        sql` union all `,
      )}) p`,
    condition: sql`true`,
    order: { name: 'name', value: sql`p.by_name`, type: 'text', id: sql`p.key`, down: false },
    page: wish.page,
    limit: wish.limit,
    total: count,
  });
}
