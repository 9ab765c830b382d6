import { type SQL, sql } from 'drizzle-orm';

/** Slots are written as 1, 01 and 001 by different makers: the zeros before tell nothing. */
export const plainSlot = (column: SQL): SQL => sql`ltrim(upper(trim(${column})), '0')`;

/** Selections of linked machines as partners tell of them, each slot once by the newest telling. */
export const reportedSlots = (condition: SQL): SQL => sql`
  (select distinct on (m.id, ${plainSlot(sql`v.slot_number`)}) m.id as machine_id, m.name as machine_name, v.config_id, v.system,
     trim(v.slot_number) as slot_number, ${plainSlot(sql`v.slot_number`)} as plain, v.product_name, v.product_code,
     greatest(v.quantity, 0) as quantity, v.capacity, v.minimum, v.price::numeric(12, 2) as price, v.updated_at, w.product_id as mapped_to
   from vendor_stock v
   join integration_configs c on c.id = v.config_id and c.removed_at is null
   join vendor_devices d on d.config_id = v.config_id and d.link = 'linked'
     and (d.vendor_id = v.device_id or d.integration_id = v.integration_id)
   join vending_machines m on m.id = d.machine_id and m.deleted_at is null
   left join vendor_mappings w on w.config_id = v.config_id and w.kind = 'product'
     and w.vendor_key in (v.product_code, lower(v.product_name))
   where not v.removed and v.slot_number is not null and trim(v.slot_number) <> '' and ${condition}
   order by m.id, ${plainSlot(sql`v.slot_number`)}, v.updated_at desc, v.id)`;
