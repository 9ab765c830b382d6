import { type SQL, sql } from 'drizzle-orm';
import type { ReportedStock } from '../../contract/moma.ts';
import type { NayaxConfig } from '../../contract/nayax.ts';
import { type Db, firstRow, rows } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order, type Page } from '../db/statements/paging.ts';
import { isListed, plainSlot } from '../vendor-records/service.ts';

export type ConfigFigures = {
  configId: number;
  devices: number;
  unlinked: number;
  run: NayaxConfig['run'];
};

/** Of the sync at work: when its last page was stored, and until when it waits as the partner asked. */
export async function findLastHeard(
  db: Db,
  configId: number,
): Promise<{ pageAt: Date | null; waitsUntil: Date | null }> {
  const found = await firstRow<{ pageAt: string | null; waitsUntil: string | null }>(
    db,
    sql`select progress ->> 'pageAt' as "pageAt", progress ->> 'waitsUntil' as "waitsUntil"
        from sync_runs where config_id = ${configId} and status = 'running' order by id desc limit 1`,
  );
  const instantOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);
  return { pageAt: instantOf(found?.pageAt), waitsUntil: instantOf(found?.waitsUntil) };
}

/** Of each configuration: its machines, and the sync that waits or is at work. */
export async function findConfigFigures(db: Db, system: string): Promise<ConfigFigures[]> {
  return rows<ConfigFigures>(
    db,
    sql`select c.id as "configId", coalesce(d.devices, 0)::int as devices, coalesce(d.unlinked, 0)::int as unlinked, r.run
        from integration_configs c
        left join (select d.config_id, count(*) filter (where ${isListed}) as devices, count(*) filter (where d.link = 'unsure') as unlinked
                   from vendor_devices d where d.system = ${system} and not d.removed group by d.config_id) d on d.config_id = c.id
        left join lateral (
          select json_build_object('id', s.id, 'status', s.status, 'resource', s.progress ->> 'resource',
                                   'records', coalesce((s.progress ->> 'records')::int, 0), 'isStopping', s.cancel_requested,
                                   'waitsUntil', case when (s.progress ->> 'waitsUntil')::timestamptz > now() then s.progress ->> 'waitsUntil' end) as run
          from sync_runs s where s.config_id = c.id and s.status in ('pending', 'running') order by s.id limit 1) r on true
        where c.system = ${system} and c.removed_at is null`,
  );
}

export async function countDevices(db: Db, configId: number): Promise<number> {
  const found = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from vendor_devices d where d.config_id = ${configId} and ${isListed}`,
  );
  return found?.n ?? 0;
}

export type ListWish = {
  configId?: number | undefined;
  search?: string | undefined;
  page?: string | undefined;
  limit: number;
  sort: string;
};

const iso = (column: string): SQL =>
  sql`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type SortedBy = Pick<Order, 'value' | 'type'>;

type List = {
  view: string;
  columns: SQL;
  searched: string;
  /** What it is sorted by, under the names of the contract. */
  orders: Record<string, SortedBy>;
};

const words = (expression: string): SortedBy => ({
  value: sql`coalesce(lower(${sql.raw(expression)}), '')`,
  type: 'text',
});
const count = (column: string): SortedBy => ({ value: sql.raw(`v.${column}`), type: 'bigint' });
/** What was never seen is older than everything. */
const instant = (column: string): SortedBy => ({
  value: sql`coalesce(${sql.raw(`v.${column}`)}, '-infinity')`,
  type: 'timestamptz',
});
/** Never absent, and so as an index has it. */
const date = (column: string): SortedBy => ({ value: sql.raw(`v.${column}`), type: 'timestamptz' });

const lists = {
  nayaxDevices: {
    view: 'nayax_devices',
    columns: sql`v.id, v.config_id as "configId", v.device_id as "deviceId", v.serial_number as "serialNumber", v.model, v.location,
      v.status, ${iso('v.last_seen')} as "lastSeen", v.firmware, v.battery_level as "batteryLevel", v.connectivity,
      v.vending_machine_id as "vendingMachineId", v.name`,
    searched: 'v.name, v.device_id, v.serial_number, v.location',
    orders: { name: words('v.name'), status: words('v.status'), seen: instant('last_seen') },
  },
  nayaxTransactions: {
    view: 'nayax_transactions',
    columns: sql`v.id, v.config_id as "configId", v.device_id as "deviceId", v.transaction_id as "transactionId",
      v.order_id as "orderId", v.amount::text as amount, v.currency, v.payment_method as "paymentMethod",
      v.card_type as "cardType", v.last_four as "lastFour", v.status, v.product_code as "productCode",
      v.product_name as "productName", v.quantity, ${iso('v.transaction_date')} as "transactionDate",
      ${iso('v.processed_at')} as "processedAt", v.response_code as "responseCode", v.response_message as "responseMessage",
      v.metadata, v.machine_name as "machineName", v.vending_machine_id as "vendingMachineId"`,
    searched: 'v.transaction_id, v.order_id, v.product_name, v.machine_name, v.payment_method, v.status, v.last_four',
    orders: { date: date('transaction_date') },
  },
  momaMachines: {
    view: 'moma_machines',
    columns: sql`v.id, v.config_id as "configId", v.machine_id as "machineId", v.name, v.location, v.latitude::text as latitude,
      v.longitude::text as longitude, v.status, v.temperature::text as temperature, v.revenue::numeric(14, 2)::text as revenue,
      ${iso('v.last_service')} as "lastService", v.vending_machine_id as "vendingMachineId"`,
    searched: 'v.name, v.machine_id, v.location',
    orders: { name: words('v.name'), status: words('v.status'), service: instant('last_service') },
  },
  momaInventory: {
    view: 'moma_inventory',
    columns: sql`v.id, v.config_id as "configId", v.machine_id as "machineId", v.product_code as "productCode",
      v.product_name as "productName", v.current_quantity as "currentQuantity", v.max_capacity as "maxCapacity",
      v.minimum_quantity as "minimumQuantity", v.price::text as price, v.slot_number as "slotNumber",
      ${iso('v.last_refilled')} as "lastRefilled", v.machine_name as "machineName", v.vending_machine_id as "vendingMachineId"`,
    searched: 'v.product_name, v.machine_name, v.machine_id, v.slot_number, v.product_code',
    orders: {
      machine: words("concat_ws(' ', v.machine_name, v.slot_number)"),
      product: words('v.product_name'),
      quantity: count('current_quantity'),
    },
  },
  momaSales: {
    view: 'moma_sales',
    columns: sql`v.id, v.config_id as "configId", v.machine_id as "machineId", v.product_code as "productCode",
      v.product_name as "productName", v.quantity, v.price::text as price, v.total_amount::text as "totalAmount",
      v.payment_method as "paymentMethod", v.transaction_id as "transactionId", ${iso('v.sale_date')} as "saleDate", v.synced,
      v.status, v.machine_name as "machineName", v.vending_machine_id as "vendingMachineId"`,
    searched: 'v.transaction_id, v.product_name, v.machine_name, v.payment_method, v.status',
    orders: { date: date('sale_date') },
  },
  momaAlerts: {
    view: 'moma_alerts',
    columns: sql`v.id, v.config_id as "configId", v.machine_id as "machineId", v.alert_type as "alertType", v.message, v.severity,
      v.resolved, ${iso('v.resolved_at')} as "resolvedAt", ${iso('v.raised_at')} as "raisedAt", v.machine_name as "machineName",
      v.vending_machine_id as "vendingMachineId"`,
    searched: 'v.message, v.alert_type, v.severity, v.machine_name',
    orders: { date: date('raised_at') },
  },
} satisfies Record<string, List>;

function orderOf(orders: List['orders'], sort: string): Order {
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  const by = orders[name];
  if (!by) throw new Error(`this list is not sorted by ${name}`);
  return { ...by, name, down, id: sql`v.id` };
}

/** One page of a list, of one configuration or of all. */
export function findList<R>(db: Db, name: keyof typeof lists, wish: ListWish): Promise<Page<R>> {
  const { view, columns, searched, orders }: List = lists[name];
  const sought = wordsOf(wish.search?.trim() ?? '').map((word) =>
    containsWord(sql`plain_text(concat_ws(' ', ${sql.raw(searched)}))`, word),
  );
  const found = sought.length === 0 ? sql`true` : sql.join(sought, sql` and `);
  const condition = sql`(${wish.configId ?? null}::int is null or v.config_id = ${wish.configId ?? null}::int) and ${found}`;
  return findPage<R>(db, {
    fields: columns,
    source: sql`${sql.raw(view)} v`,
    condition,
    order: orderOf(orders, wish.sort),
    page: wish.page,
    limit: wish.limit,
    total: async () => {
      const [counted] = await rows<{ n: number }>(
        db,
        sql`select count(*)::int as n from ${sql.raw(view)} v where ${condition}`,
      );
      return counted?.n ?? 0;
    },
  });
}

/** What Nayax believes stands in a machine, each slot once by the newest telling, beside what the ledger says. */
export async function findReportedStock(db: Db, machineId: number): Promise<ReportedStock> {
  const theirs = plainSlot(sql`v.slot_number`);
  const found = await rows<ReportedStock['rows'][number] & { toldAt: string }>(
    db,
    sql`select distinct on (${theirs}) v.id, v.system, v.slot_number as "slotNumber",
               v.product_name as "productName", greatest(v.quantity, 0) as theirs, o.current_quantity as ours,
               ${iso('v.updated_at')} as "toldAt"
        from vendor_stock v
        join integration_configs c on c.id = v.config_id and c.removed_at is null
        join vendor_devices d on d.config_id = v.config_id and d.vendor_id = v.device_id and d.machine_id = ${machineId}
        left join vending_machine_inventory o on o.machine_id = d.machine_id and o.deleted_at is null
          and ${plainSlot(sql`o.slot_number`)} = ${theirs}
        where v.system in ('nayax', 'moma') and not v.removed
        order by ${theirs}, v.updated_at desc, v.id`,
  );
  const toldAt = found.reduce<string | null>(
    (newest, one) => (newest && newest > one.toldAt ? newest : one.toldAt),
    null,
  );
  return { rows: found.map(({ toldAt: _, ...row }) => row), toldAt };
}
