import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';

/** Made large by copies of the rows that are there, each further back in time. */
const copiedTables = [
  ...['markets', 'inventory_items', 'vending_machines', 'vending_machine_inventory', 'item_balances', 'item_days'],
  ...['event_keys', 'stock_movements', 'sales', 'sales_daily', 'sales_by_route', 'sales_by_product'],
  ...['kind_days', 'kind_stretches', 'place_days', 'place_stretches', 'place_blocks', 'designation_days'],
  ...['payment_days', 'payment_hours', 'payment_places'],
  ...['routes', 'route_stops', 'route_names', 'vending_machine_alerts', 'entitlement_history'],
];

/** Of these a place has many more over the years. */
const frequent = new Set(['routes', 'route_stops', 'vending_machine_alerts', 'payment_days', 'payment_hours']);

/** Made large by rows of their own. */
const filledTables = [
  ...['visits', 'audit_log', 'vendor_devices', 'vendor_sales', 'vendor_stock', 'vendor_alerts', 'vendor_products'],
  ...['webhook_deliveries', 'held_records', 'sync_runs', 'performance_samples', 'dex_reads', 'payout_lines', 'photos'],
  ...[
    'vdi_documents',
    'vdi_sent',
    'sessions',
    'device_sessions',
    'held_events',
    'travel_rows',
    'travel_lines',
    'cash_counts',
  ],
];

/** Numbers that name a row of a copied table; every copy has its own. */
const ownIds = new Set([
  ...['id', 'market_id', 'vending_machine_id', 'machine_id', 'item_id', 'route_id', 'stop_id', 'slot_id', 'subject_id'],
]);
/** Words that are unique, or by which people look: every copy has its own. */
const ownWords = new Set([
  ...['name', 'machine_id', 'route_designation', 'transaction_id', 'place', 'value', 'vendor_id', 'dedupe_key', 'sid'],
  ...['record_key', 'content_hash', 'hash', 'process', 'integration_id', 'reference', 'device_id', 'ledger_id'],
]);
const stride = 1_000_000;

type Column = { name: string; type: string; size: number; needed: boolean };

type Growth = {
  /** Copies of what is there, of which every thirty stand before one another in time. */
  copies: number;
  /** Days that the rows there span. */
  days: number;
  /** Rows of a table that has none. */
  rows: number;
  /** The newest of them. */
  at: Date;
};

/** Copies that stand before one another in time, before others stand beside them. */
const periods = 30;

/** Fills the tables that grow until calls have something to find, and takes new statistics. */
export async function growTables(db: Db, growth: Growth): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    for (let back = 0; back <= periods * growth.days; back += 20) {
      const day = new Date(growth.at.getTime() - back * 24 * 3_600_000).toISOString();
      for (const table of ['sales', 'stock_movements']) {
        await tx.execute(sql`select ensure_month_partition(${table}, ${day}::timestamptz)`);
      }
    }
    for (const table of copiedTables) {
      const times = frequent.has(table) ? 10 : 1;
      await copyRows(tx, table, { ...growth, copies: growth.copies * times });
    }
    for (const table of filledTables) await fillRows(tx, table, growth);
  });
  await db.execute(sql`vacuum analyze`);
}

function columnsOf(db: Db, table: string): Promise<Column[]> {
  return rows<Column>(
    db,
    sql`select attname as name, format_type(atttypid, null) as type, greatest(atttypmod - 4, 0) as size,
               attnotnull and not atthasdef and attidentity = '' as needed from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
  );
}

const listed = (columns: readonly Column[]): string => columns.map(({ name }) => `"${name}"`).join(', ');

async function copyRows(tx: Db, table: string, { copies, days }: Growth): Promise<void> {
  const columns = await columnsOf(tx, table);
  const back = `make_interval(days => (k % ${periods}) * ${days})`;
  const values = columns.map((column) => copied(column, back)).join(', ');
  await pastTriggers(
    tx,
    table,
    `insert into ${table} (${listed(columns)}) overriding system value
       select ${values} from ${table} t, generate_series(1, ${copies}) k on conflict do nothing`,
  );
}

/** What triggers keep is copied as well. */
async function pastTriggers(tx: Db, table: string, statement: string): Promise<void> {
  await tx.execute(sql.raw(`alter table ${table} disable trigger user`));
  await tx.execute(sql.raw(statement));
  await tx.execute(sql.raw(`alter table ${table} enable trigger user`));
}

function copied({ name, type }: Column, back: string): string {
  const column = `t."${name}"`;
  if (type === 'uuid') return `md5(${column}::text || k)::uuid`;
  if (type === 'date' || type.startsWith('timestamp')) return `(${column} - ${back})::${type}`;
  if (/^(integer|bigint)$/.test(type) && ownIds.has(name)) return `${column} + k * ${stride}`;
  if (/^(character varying|text)$/.test(type) && ownWords.has(name)) return `left(${column} || '-' || k, 60)`;
  return column;
}

/** Mostly done and closed, as what is old is; a few still wait. */
const few = 'k % 500 = 0';
const usual: Record<string, string> = {
  config_id: '1 + k % 3',
  system: "(array['cantaloupe', 'nayax', 'moma'])[1 + k % 3]",
  vending_machine_id: '1 + k % 50',
  machine_id: '1 + k % 50',
  resolved_at: `case when ${few} then null else '2026-01-01'::timestamptz end`,
  processed_at: `case when ${few} then null else '2026-01-01'::timestamptz end`,
  completed_at: "'2026-01-01'::timestamptz",
  location_type: "'vending_machine'",
  status: `case when ${few} then 'held' else 'succeeded' end`,
  outcome: `case when ${few} then 'unmatched' else 'booked' end`,
  link: `case when ${few} then 'proposed' else 'linked' end`,
  removed: 'false',
};

async function fillRows(tx: Db, table: string, { rows: count, at }: Growth): Promise<void> {
  const columns = (await columnsOf(tx, table)).filter((column) => column.needed || usual[column.name]);
  const values = columns.map((column) => usual[column.name] ?? made(column, at)).join(', ');
  await pastTriggers(
    tx,
    table,
    `insert into ${table} (${listed(columns)}) overriding system value select ${values} from generate_series(1, ${count}) k`,
  );
}

function made({ name, type, size }: Column, at: Date): string {
  if (type === 'uuid') return `md5('${name}' || k)::uuid`;
  if (type === 'date' || type.startsWith('timestamp')) {
    return `('${at.toISOString()}'::timestamptz - make_interval(mins => k * 10))::${type}`;
  }
  if (/^(integer|bigint|smallint|numeric|double precision)$/.test(type)) return 'k';
  if (type === 'boolean') return 'false';
  if (type === 'jsonb') return "'{}'::jsonb";
  if (type === 'bytea') return "'\\x00'::bytea";
  if (type.endsWith('[]')) return `'{}'::${type}`;
  return `left(k || '-${name}', ${size || 60})`;
}
