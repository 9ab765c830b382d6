import { sql } from 'drizzle-orm';
import type { PlanogramDifference } from '../../../contract/integration-review.ts';
import { notFound } from '../../../domain/errors.ts';
import { recordAudit } from '../../audit/service.ts';
import { firstRow } from '../../db/database.ts';
import { findPage, type Page } from '../../db/statements/paging.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { publish } from '../../live/hub.ts';
import { addMissingSlots } from '../places/planograms.ts';
import { plainSlot, reportedSlots } from '../places/reported-slots.ts';

type Wish = { configId?: number | undefined; page?: string | undefined; limit: number };

/** A name that means the product of the slot is the same product, whatever it is called. */
const isSameProduct = sql`coalesce(lower(r.product_name) = lower(t.product_name) or lower(r.product_name) = lower(t.planned ->> 'productName')
  or r.mapped_to = t.product_id
  or exists (select from products n where lower(n.name) = lower(r.product_name) and coalesce(n.merged_into, n.id) = t.product_id), false)`;
const isSamePrice = sql`coalesce(r.price is null or r.price = t.price, false)`;
/** A partner's capacity is what it fills up to: the par level, where there is one. */
const isSameCapacity = sql`coalesce(r.capacity is null or r.capacity in (t.max_quantity, t.par_quantity), false)`;

const told = (name: string, price: string, capacity: string) =>
  sql.raw(`json_build_object('productName', ${name}, 'price', ${price}::text, 'capacity', ${capacity})`);
const theirs = told('r.product_name', 'r.price', 'r.capacity');
const ours = told('t.product_name', 't.price', 't.max_quantity');

function differences(configId: number | null) {
  const reported = reportedSlots(sql`(${configId}::int is null or v.config_id = ${configId})`);
  return sql`(with reported as materialized ${reported},
    seen as (
      select r.machine_id, r.system, r.slot_number, r.plain, r.updated_at, ${theirs} as theirs,
        case when t.id is not null then ${ours} end as ours,
        case when t.id is null then array['slot']
          else array_remove(array[case when not ${isSameProduct} then 'product' end, case when not ${isSamePrice} then 'price' end,
            case when not ${isSameCapacity} then 'capacity' end], null) end as differs
      from reported r left join vending_machine_inventory t on t.machine_id = r.machine_id and t.deleted_at is null
        and ${plainSlot(sql`t.slot_number`)} = r.plain
      union all
      select t.machine_id, m.system, t.slot_number, ${plainSlot(sql`t.slot_number`)}, m.updated_at, null, ${ours}, array['slot']
      from (select machine_id, min(system) as system, max(updated_at) as updated_at from reported group by machine_id) m
      join vending_machine_inventory t on t.machine_id = m.machine_id and t.deleted_at is null
      where not exists (select from reported r where r.machine_id = t.machine_id and r.plain = ${plainSlot(sql`t.slot_number`)}))
    select s.machine_id as id, m.name, min(s.system) as system, max(s.updated_at) as told_at,
      json_agg(json_build_object('slotNumber', s.slot_number, 'theirs', s.theirs, 'ours', s.ours, 'differs', s.differs)
        order by lpad(s.plain, 20, '0')) as slots
    from seen s join vending_machines m on m.id = s.machine_id where cardinality(s.differs) > 0 group by s.machine_id, m.name) p`;
}

/** Machines whose planogram a partner has otherwise. Theirs is never written over ours. */
export function pagePlanogramDifferences({ db }: Deps, wish: Wish): Promise<Page<PlanogramDifference>> {
  const source = differences(wish.configId ?? null);
  return findPage<PlanogramDifference>(db, {
    fields: sql`p.id, p.name, p.system, to_char(p.told_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "toldAt", p.slots`,
    source,
    condition: sql`true`,
    order: { name: 'machine', down: false, id: sql`p.id`, value: sql`p.id`, type: 'bigint' },
    page: wish.page,
    limit: wish.limit,
    total: () => countPlanogramDifferences({ db }, wish.configId ?? null),
  });
}

export async function countPlanogramDifferences({ db }: Pick<Deps, 'db'>, configId: number | null): Promise<number> {
  const found = await firstRow<{ n: number }>(db, sql`select count(*)::int as n from ${differences(configId)}`);
  return found?.n ?? 0;
}

/** A person takes over the slots that a machine lacks. */
export async function adoptPlanogram(deps: Deps, caller: Caller, id: number): Promise<{ id: number; added: number }> {
  return deps.db.transaction(async (tx) => {
    const machine = await firstRow(
      tx,
      sql`select 1 from vending_machines where id = ${id} and deleted_at is null for share`,
    );
    if (!machine) throw notFound('machine');
    const added = await addMissingSlots({ db: tx, at: deps.clock.now() }, id);
    const detail = { added };
    await recordAudit(tx, caller, { action: 'planogram.adopt', objectType: 'vending_machine', objectId: id, detail });
    await publish(tx, { topic: 'integrations' });
    return { id, added };
  });
}
