import { sql } from 'drizzle-orm';
import type { Reply } from '../../../contract/endpoint.ts';
import type { pageStockDifferences as contract, reviewSummary } from '../../../contract/integration-review.ts';
import { firstRow } from '../../db/database.ts';
import { findPage } from '../../db/statements/paging.ts';
import type { Deps } from '../../deps.ts';
import { isOpen } from '../places/links.ts';
import { plainSlot } from '../places/reported-slots.ts';
import { countPlanogramDifferences } from './planograms.ts';

type Wish = { configId?: number | undefined; page?: string | undefined; limit: number };

const source = sql`vendor_stock v
  join integration_configs c on c.id = v.config_id and c.removed_at is null
  join lateral (select d.machine_id, d.market_id from vendor_devices d
    where ((d.config_id = v.config_id and d.vendor_id = v.device_id) or d.integration_id = v.integration_id) and d.link = 'linked'
    order by d.id limit 1) d on true
  left join vending_machines m on m.id = d.machine_id and m.deleted_at is null
  left join markets k on k.id = d.market_id and k.deleted_at is null
  left join lateral (select s.current_quantity from vending_machine_inventory s
    where s.machine_id = m.id and s.deleted_at is null
      and ${plainSlot(sql`s.slot_number`)} = ${plainSlot(sql`v.slot_number`)} order by s.id limit 1) t on true
  left join lateral (select x.current_quantity from inventory_items x
    where x.market_id = k.id and x.deleted_at is null and lower(x.product_name) = lower(v.product_name) order by x.id limit 1) i on true`;

const differs = sql`not v.removed and coalesce(m.id, k.id) is not null
  and greatest(v.quantity, 0) is distinct from coalesce(t.current_quantity, i.current_quantity)`;

/** Slots and items of which a partner believes another number than our ledger. */
export function pageStockDifferences({ db }: Deps, wish: Wish): Promise<Reply<typeof contract>> {
  const condition = sql`${differs} and (${wish.configId ?? null}::int is null or v.config_id = ${wish.configId ?? null})`;
  return findPage<Reply<typeof contract>['rows'][number]>(db, {
    fields: sql`v.id, v.config_id as "configId", v.system,
      case when m.id is not null then json_build_object('type', 'vending_machine', 'id', m.id, 'name', m.name)
        else json_build_object('type', 'market', 'id', k.id, 'name', k.name) end as place,
      v.slot_number as "slotNumber", v.product_name as "productName", v.quantity as theirs,
      coalesce(t.current_quantity, i.current_quantity) as ours,
      to_char(v.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "toldAt"`,
    source,
    condition,
    order: { name: 'place', down: false, id: sql`v.id`, value: sql`v.id`, type: 'bigint' },
    page: wish.page,
    limit: wish.limit,
    total: async () =>
      (await firstRow<{ n: number }>(db, sql`select count(*)::int as n from ${source} where ${condition}`))?.n ?? 0,
  });
}

/** How much waits for a person. */
export async function summarizeReview({ db }: Deps): Promise<Reply<typeof reviewSummary>> {
  const found = await firstRow<Omit<Reply<typeof reviewSummary>, 'planograms'>>(
    db,
    sql`select
      (select count(*)::int from vendor_devices d join integration_configs c on c.id = d.config_id and c.removed_at is null
        where ${isOpen}) as devices,
      (select count(*)::int from held_records where status = 'held') as held,
      (select count(*)::int from webhook_deliveries where status = 'dead') as dead,
      (select count(*)::int from ${source} where ${differs}) as differences`,
  );
  const planograms = await countPlanogramDifferences({ db }, null);
  return { ...(found ?? { devices: 0, held: 0, dead: 0, differences: 0 }), planograms };
}
