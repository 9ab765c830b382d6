import { sql } from 'drizzle-orm';
import { normalBarcode } from '../../../domain/product.ts';
import { rows } from '../../db/database.ts';
import type { Told } from '../batch.ts';
import { plainSlot } from '../places/reported-slots.ts';
import type { SaleRow } from '../tables.ts';

/** What is known here of where and what a partner's sale was. */
export type FoundFacts = {
  /** linked, unsure or ignored; null: no such device was ever told. */
  link: string | null;
  machineId: number | null;
  /** When the machine was last heard of, in milliseconds. */
  machineSeenMs: number | null;
  marketId: number | null;
  hasSlots: boolean;
  slotNumber: string | null;
  slotPrice: string | null;
  capacity: number | null;
  slotProductId: number | null;
  slotProductName: string | null;
  /** The product of ours that a person mapped, or that its code or name names. */
  productId: number | null;
  productName: string | null;
  productPrice: string | null;
  isMapped: boolean;
  /** The only slot of the machine with that product. */
  productSlot: string | null;
  hasItems: boolean;
  itemId: number | null;
  partnerPrice: string | null;
  /** By how much the clock of the device is ahead, and the first message that showed it. */
  clockSkewSeconds: number | null;
  clockSince: string | null;
};

/** Facts about sales of one configuration. What is sold alike at one place is looked up once. */
export async function findSaleFacts(told: Told, sales: readonly SaleRow[]): Promise<Map<SaleRow, FoundFacts>> {
  const alike = new Map<string, SaleRow[]>();
  for (const sale of sales) {
    const key = JSON.stringify([
      sale.deviceId,
      sale.integrationId,
      sale.slotNumber,
      sale.productCode,
      sale.productName,
    ]);
    const known = alike.get(key);
    if (known) known.push(sale);
    else alike.set(key, [sale]);
  }
  const groups = [...alike.values()];
  const found = await findFacts(
    told,
    groups.flatMap((group) => group.slice(0, 1)),
  );
  return new Map(found.flatMap(({ nth, ...facts }) => (groups[nth] ?? []).map((sale) => [sale, facts] as const)));
}

function findFacts({ db, configId }: Told, sales: readonly SaleRow[]): Promise<(FoundFacts & { nth: number })[]> {
  const asked = sales.map((sale, nth) => ({
    nth,
    deviceId: sale.deviceId,
    integrationId: sale.integrationId,
    slot: sale.slotNumber,
    code: sale.productCode,
    normalCode: sale.productCode === null ? null : normalBarcode(sale.productCode),
    name: sale.productName,
  }));
  return rows<FoundFacts & { nth: number }>(
    db,
    sql`select g.nth, coalesce(d.link, case when coalesce(m.id, k.id) is not null then 'linked' end) as link,
          m.id as "machineId", extract(epoch from m.last_seen)::float * 1000 as "machineSeenMs", k.id as "marketId", exists (select from vending_machine_inventory h
            where h.machine_id = m.id and h.deleted_at is null) as "hasSlots",
          t.slot_number as "slotNumber", t.price::text as "slotPrice", t.max_quantity as capacity,
          t.product_id as "slotProductId", t.product_name as "slotProductName",
          p.id as "productId", p.name as "productName", p.unit_price::text as "productPrice",
          mapped.product_id is not null as "isMapped", only_slot.slot_number as "productSlot",
          exists (select from inventory_items x where x.market_id = k.id and x.deleted_at is null) as "hasItems",
          i.id as "itemId", partner.price::text as "partnerPrice",
          d.clock_skew_seconds as "clockSkewSeconds", d.clock_since as "clockSince"
        from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as g(nth int, "deviceId" text, "integrationId" text, slot text,
          code text, "normalCode" text, name text)
        left join lateral (select v.link, v.machine_id, v.market_id, v.clock_skew_seconds,
            v.clock_samples -> 0 ->> 'at' as clock_since from vendor_devices v
          where (v.config_id = ${configId} and v.vendor_id = g."deviceId") or v.integration_id = g."integrationId"
            or v.integration_id = g."deviceId"
          order by v.link = 'linked' desc, v.config_id = ${configId} desc, v.id limit 1) d on true
        left join vending_machines m on m.deleted_at is null
          and (m.id = d.machine_id or (d.link is null and m.integration_id = g."integrationId"))
        left join markets k on k.deleted_at is null
          and (k.id = d.market_id or (d.link is null and k.integration_id = g."integrationId"))
        left join vendor_mappings slotted on slotted.config_id = ${configId} and slotted.kind = 'slot'
          and slotted.device_id = coalesce(g."deviceId", g."integrationId", '') and slotted.vendor_key = g.slot
        left join lateral (select s.* from vending_machine_inventory s
          where s.machine_id = m.id and s.deleted_at is null and g.slot is not null
            and (s.slot_number = coalesce(slotted.slot_number, g.slot)
              or ${plainSlot(sql`s.slot_number`)} = ${plainSlot(sql`coalesce(slotted.slot_number, g.slot)`)})
          order by s.slot_number = coalesce(slotted.slot_number, g.slot) desc, s.id limit 1) t on true
        left join lateral (select w.product_id from vendor_mappings w where w.config_id = ${configId} and w.kind = 'product'
          and w.vendor_key in (g.code, lower(g.name)) order by w.vendor_key = g.code desc limit 1) mapped on true
        left join product_barcodes b on b.normal_code = g."normalCode"
        left join lateral (select coalesce(n.merged_into, n.id) as id from products n where lower(n.name) = lower(g.name)
          order by n.id limit 1) named on true
        left join products p on p.id = coalesce(mapped.product_id, b.product_id, named.id)
        left join lateral (select min(s.slot_number) as slot_number from vending_machine_inventory s
          where s.machine_id = m.id and s.deleted_at is null
            and (s.product_id = p.id or lower(s.product_name) = lower(coalesce(p.name, g.name)))
          having count(*) = 1) only_slot on true
        left join lateral (select x.id from inventory_items x where x.market_id = k.id and x.deleted_at is null
            and (x.product_id = p.id or lower(x.product_name) = lower(coalesce(p.name, g.name)))
          order by x.id limit 1) i on true
        left join lateral (select o.price from vendor_stock o where o.config_id = ${configId} and not o.removed
            and o.price is not null and o.device_id = g."deviceId" and o.slot_number = g.slot
          order by o.id limit 1) partner on true`,
  );
}
