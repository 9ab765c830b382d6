import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';

const counted = sql`select coalesce(route_designation, '') as route_designation, status, count(*)::int as machines
  from vending_machines where deleted_at is null group by 1, 2`;

/** Kept counts of machines that differ from the machines: none, unless something wrote past them. */
export async function countWrongCounts(db: Db): Promise<number> {
  const found = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from (select * from machine_counts where machines <> 0) c
        full join (${counted}) r using (route_designation, status) where c.machines is distinct from r.machines`,
  );
  return found?.n ?? 0;
}

export async function remakeCounts(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    // Nobody adds to them meanwhile.
    await tx.execute(sql`lock table vending_machines in share row exclusive mode`);
    await tx.execute(sql`delete from machine_counts`);
    await tx.execute(sql`insert into machine_counts (route_designation, status, machines) ${counted}`);
  });
}

/** What machines without slots say of stock: no trigger of a slot ever puts it right. */
export async function clearSumsWithoutSlots(db: Db): Promise<void> {
  await db.execute(
    sql`update vending_machines m
        set current_stock = 0, low_slots = 0, empty_slots = 0, slot_count = 0, slots_under_percent = 0
        where (current_stock, low_slots, empty_slots, slot_count, slots_under_percent) <> (0, 0, 0, 0, 0)
          and not exists (select from vending_machine_inventory s where s.machine_id = m.id)`,
  );
}
