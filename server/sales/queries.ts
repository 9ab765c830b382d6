import { sql } from 'drizzle-orm';
import type { ItemType } from '../../domain/inventory.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { slotCalled } from '../inventory/service.ts';

export type SoldWhere = {
  eventId: string;
  machineId: number | null;
  marketId: number | null;
  slotNumber: string | null;
  normalCode: string | null;
  productName: string | null;
  soldAt: string;
};

export type FoundItem = {
  eventId: string;
  itemType: ItemType | null;
  itemId: number | null;
  productId: number | null;
  /** The slot's own number, which may be told in other capitals. */
  slotNumber: string | null;
  /** What the slot or item is called, where it stood there already when the sale happened. */
  itemName: string | null;
  routeDesignation: string | null;
};

/** For each sale the slot or item it came out of, the product of the catalogue and the location's designation. */
export function findSoldItems(db: Db, sales: readonly SoldWhere[]): Promise<FoundItem[]> {
  return rows<FoundItem>(
    db,
    sql`select g."eventId", coalesce(m.route_designation, k.route_designation) as "routeDesignation",
          case when t.id is not null then 'machine_slot' when i.id is not null then 'market_item' end as "itemType",
          coalesce(t.id, i.id) as "itemId", t.slot_number as "slotNumber",
          coalesce(b.product_id, named.id,
            case when g."productName" is null and t.created_at <= g."soldAt" then t.product_id end) as "productId",
          case when t.created_at <= g."soldAt" then t.product_name when i.id is not null then i.product_name end as "itemName"
        from jsonb_to_recordset(${JSON.stringify(sales)}::jsonb) as g("eventId" uuid, "machineId" int, "marketId" int,
          "slotNumber" text, "normalCode" text, "productName" text, "soldAt" timestamptz)
        left join vending_machines m on m.id = g."machineId"
        left join markets k on k.id = g."marketId"
        left join lateral ${slotCalled(sql`g."machineId"`, sql`g."slotNumber"`)} t on true
        left join product_barcodes b on b.normal_code = g."normalCode"
        left join lateral (select coalesce(p.merged_into, p.id) as id from products p where lower(p.name) = lower(g."productName")
          order by p.id limit 1) named on true
        left join lateral (select x.id, x.product_name from inventory_items x
          where x.market_id = g."marketId" and x.deleted_at is null
            and (x.product_id = coalesce(b.product_id, named.id) or lower(x.product_name) = lower(g."productName"))
          order by x.id limit 1) i on true`,
  );
}

export type StoredSale = {
  eventId: string;
  source: string;
  transactionId: string;
  machineId: number | null;
  marketId: number | null;
  itemId: number | null;
  productId: number | null;
  productName: string | null;
  productCode: string | null;
  slotNumber: string | null;
  category: string | null;
  quantity: number;
  price: string;
  totalAmount: string;
  currency: string;
  paymentMethod: string | null;
  soldAt: string;
  successful: boolean;
  refunded: boolean;
  flags: string | null;
  routeDesignation: string | null;
  receivedAt: string;
};

/** From here to the end of the transaction zone and currency of the daily sums stay as they are. */
export async function lockDailySums(tx: Db): Promise<void> {
  await tx.execute(sql`lock table item_days in row exclusive mode`);
}

type Books = { timeZone: string; currency: string };

/**
 * Stores sales and adds them to the daily sums in one statement. Only successful sales, not refunded, are
 * summed: their units whatever was paid for them, their amounts in the operator's own currency, as those of two are never added.
 */
export async function insertSales(db: Db, sales: readonly StoredSale[], books: Books): Promise<void> {
  await db.execute(
    sql`with stored as (
          insert into sales (event_id, source, transaction_id, machine_id, market_id, item_id, product_id, product_name,
            product_code, slot_number, category, quantity, price, total_amount, currency, payment_method, sale_date, successful,
            refunded, flags, route_designation, received_at)
          select g."eventId", g.source, g."transactionId", g."machineId", g."marketId", g."itemId", g."productId",
            g."productName", g."productCode", g."slotNumber", g.category, g.quantity, g.price, g."totalAmount", g.currency,
            g."paymentMethod", g."soldAt", g.successful, g.refunded, g.flags, g."routeDesignation", g."receivedAt"
          from jsonb_to_recordset(${JSON.stringify(sales)}::jsonb) as g("eventId" uuid, source text, "transactionId" text,
            "machineId" int, "marketId" int, "itemId" int, "productId" int, "productName" text, "productCode" text,
            "slotNumber" text, category text, quantity int, price numeric(10,2), "totalAmount" numeric(10,2), currency text,
            "paymentMethod" text, "soldAt" timestamptz, successful boolean, refunded boolean, flags text,
            "routeDesignation" text, "receivedAt" timestamptz)
          returning sale_date, route_designation, product_name, payment_method, quantity, total_amount, currency,
            successful, refunded)
        insert into sales_daily (day, route_designation, product_name, payment_method, units, amount, lines)
        select (s.sale_date at time zone ${books.timeZone})::date, coalesce(s.route_designation, ''),
          coalesce(s.product_name, ''), coalesce(s.payment_method, ''), sum(s.quantity),
          coalesce(sum(s.total_amount) filter (where s.currency = ${books.currency}), 0), count(*)
        from stored s where s.successful and not s.refunded
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (day, route_designation, product_name, payment_method) do update
          set units = sales_daily.units + excluded.units, amount = sales_daily.amount + excluded.amount,
              lines = sales_daily.lines + excluded.lines`,
  );
}
