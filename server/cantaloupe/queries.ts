import { type SQL, sql } from 'drizzle-orm';
import type { CantaloupeDevice, CantaloupeTransaction } from '../../contract/cantaloupe.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { findPage, type Page } from '../db/statements/paging.ts';
import { isListed } from '../vendor-records/service.ts';

const instant = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export function findDevices(db: Db, configId: number): Promise<CantaloupeDevice[]> {
  return rows<CantaloupeDevice>(
    db,
    sql`select d.id, d.config_id as "configId", d.vendor_id as "deviceId", d.serial_number as "serialNumber", d.model,
          concat_ws(', ', d.name, d.city, d.state) as location,
          d.status, ${instant(sql`d.last_seen_at`)} as "lastSeen", d.firmware,
          m.id as "vendingMachineId", m.name as "vendingMachineName"
        from vendor_devices d left join vending_machines m on m.id = d.machine_id
        where d.config_id = ${configId} and ${isListed} order by d.name, d.vendor_id`,
  );
}

/** What the selection sold last: a refund is told by its code alone, and is not booked. */
const soldBefore = sql`(select b.booked_product from vendor_sales b
  where b.config_id = v.config_id and b.device_id = v.device_id and b.slot_number = v.slot_number
    and b.sold_at <= v.sold_at and b.booked_product is not null
  order by b.sold_at desc limit 1)`;

const fields = sql`v.id::int as id, v.config_id as "configId", v.device_id as "deviceId", d.machine_id as "vendingMachineId",
  v.vendor_id as "transactionId", v.amount::numeric(14, 2)::text as amount, v.currency, v.payment_method as "paymentMethod",
  v.card_type as "cardType", v.last_four as "lastFour", v.status, coalesce(v.product_name, v.booked_product, ${soldBefore}) as "productName",
  v.product_code as "productCode", v.quantity, ${instant(sql`v.sold_at`)} as "transactionDate",
  ${instant(sql`v.processed_at`)} as "processedAt"`;
const source = sql`vendor_sales v left join vendor_devices d on d.config_id = v.config_id and d.vendor_id = v.device_id`;

export function findTransactions(db: Db, configId: number, limit: number): Promise<CantaloupeTransaction[]> {
  return rows<CantaloupeTransaction>(
    db,
    sql`select ${fields} from ${source} where v.config_id = ${configId} order by v.sold_at desc, v.id desc limit ${limit}`,
  );
}

type PageWish = { configId: number; page?: string | undefined; limit: number };

export function pageTransactions(db: Db, { configId, page, limit }: PageWish): Promise<Page<CantaloupeTransaction>> {
  return findPage<CantaloupeTransaction>(db, {
    fields,
    source,
    condition: sql`v.config_id = ${configId}`,
    order: { name: 'date', value: sql`v.sold_at`, type: 'timestamptz', id: sql`v.id`, down: true },
    page,
    limit,
    total: async () =>
      (
        await firstRow<{ n: number }>(
          db,
          sql`select count(*)::int as n from vendor_sales where config_id = ${configId}`,
        )
      )?.n ?? 0,
  });
}

type Status = { devicesCount: number; transactionsToday: number; totalAmount: string };

/** Of one configuration, or of all that are not removed; today is the operator's, and only completed ones bring money. */
export async function findStatus(
  db: Db,
  { configId, today, timeZone }: { configId: number | null; today: string; timeZone: string },
): Promise<Status> {
  const of = (table: SQL): SQL =>
    configId === null
      ? sql`${table}.config_id in (select id from integration_configs where system = 'cantaloupe' and removed_at is null)`
      : sql`${table}.config_id = ${configId}`;
  const begin = sql`(${today}::date::timestamp at time zone ${timeZone})`;
  const end = sql`((${today}::date + 1)::timestamp at time zone ${timeZone})`;
  const found = await firstRow<Status>(
    db,
    sql`select (select count(*)::int from vendor_devices d where ${of(sql`d`)} and ${isListed}) as "devicesCount",
          count(*)::int as "transactionsToday",
          coalesce(sum(payment_revenue(partner_status(v.status, v.outcome), v.amount)), 0)::numeric(14, 2)::text as "totalAmount"
        from vendor_sales v where ${of(sql`v`)} and v.sold_at >= ${begin} and v.sold_at < ${end}`,
  );
  return found ?? { devicesCount: 0, transactionsToday: 0, totalAmount: '0.00' };
}
