import { and, desc, eq, sql } from 'drizzle-orm';
import { type IntegrationSystem, integrationSystem } from '../../domain/integration.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { dexMachines, dexReads } from './tables.ts';

const summary = {
  id: dexReads.id,
  readAt: dexReads.readAt,
  receivedAt: dexReads.receivedAt,
  origin: dexReads.origin,
  outcome: dexReads.outcome,
  crc: dexReads.crc,
  notes: dexReads.notes,
  booked: dexReads.booked,
  sold: dexReads.sold,
};
export type ReadRow = Omit<
  typeof dexReads.$inferSelect,
  'bytes' | 'machineId' | 'contentHash' | 'serialNumber' | 'receivedBy'
>;

export async function findKnownRead(db: Db, machineId: number, contentHash: string): Promise<number | null> {
  const [found] = await db
    .select({ id: dexReads.id })
    .from(dexReads)
    .where(and(eq(dexReads.machineId, machineId), eq(dexReads.contentHash, contentHash)));
  return found?.id ?? null;
}

/** What is kept of a machine, made if need be and held until the transaction ends: one reading is taken at a time. */
export async function lockDexMachine(db: Db, machineId: number): Promise<typeof dexMachines.$inferSelect> {
  await db.insert(dexMachines).values({ machineId }).onConflictDoNothing();
  const [found] = await db.select().from(dexMachines).where(eq(dexMachines.machineId, machineId)).for('update');
  if (!found) throw new Error('the counters of a machine were not stored');
  return found;
}

export async function findDexMachine(db: Db, machineId: number): Promise<typeof dexMachines.$inferSelect | undefined> {
  const [found] = await db.select().from(dexMachines).where(eq(dexMachines.machineId, machineId));
  return found;
}

export async function insertRead(db: Db, read: typeof dexReads.$inferInsert): Promise<number> {
  const [made] = await db.insert(dexReads).values(read).returning({ id: dexReads.id });
  if (!made) throw new Error('a DEX file was not stored');
  return made.id;
}

export async function updateDexMachine(
  db: Db,
  machineId: number,
  fields: Partial<typeof dexMachines.$inferInsert>,
): Promise<void> {
  await db.update(dexMachines).set(fields).where(eq(dexMachines.machineId, machineId));
}

/** One page of a machine's files; the cursor is the last of the page before. */
export async function findReads(
  db: Db,
  machineId: number,
  { cursor, limit }: { cursor: number | null; limit: number },
): Promise<{ reads: ReadRow[]; total: number }> {
  const ofMachine = eq(dexReads.machineId, machineId);
  const after = cursor
    ? sql`(${dexReads.readAt}, ${dexReads.id}) < (select read_at, id from dex_reads where id = ${cursor})`
    : undefined;
  const reads = await db
    .select(summary)
    .from(dexReads)
    .where(and(ofMachine, after))
    .orderBy(desc(dexReads.readAt), desc(dexReads.id))
    .limit(limit);
  return { reads, total: await db.$count(dexReads, ofMachine) };
}

export async function findRead(
  db: Db,
  machineId: number,
  id: number,
): Promise<(ReadRow & { bytes: Buffer }) | undefined> {
  const [found] = await db
    .select({ ...summary, bytes: dexReads.bytes })
    .from(dexReads)
    .where(and(eq(dexReads.machineId, machineId), eq(dexReads.id, id)));
  return found;
}

/** Names of other machines whose files carry the same serial number. */
export async function findSameSerial(db: Db, serial: string, machineId: number): Promise<string[]> {
  const found = await rows<{ name: string }>(
    db,
    sql`select distinct m.name from dex_reads r join vending_machines m on m.id = r.machine_id and m.deleted_at is null
        where r.serial_number = ${serial} and r.serial_number <> '' and r.machine_id <> ${machineId} order by 1 limit 3`,
  );
  return found.map(({ name }) => name);
}

export function findSlots(db: Db, machineId: number): Promise<{ slotNumber: string; productName: string }[]> {
  return rows(
    db,
    sql`select slot_number as "slotNumber", product_name as "productName" from vending_machine_inventory
        where machine_id = ${machineId} and deleted_at is null order by slot_number`,
  );
}

/** What a connected system tells of a machine's sales by itself, so that its counters are not booked beside it. */
export type Told = 'nothing' | 'card' | 'everything';

/** What these tell of a machine is not its card sales: one sells at markets, the other may pass on its counters alone. */
const tellNoCards: readonly IntegrationSystem[] = ['lightspeed', 'nama_vdi'];

const tellCards = sql.join(
  integrationSystem.options.filter((system) => !tellNoCards.includes(system)).map((system) => sql`${system}`),
  sql`, `,
);

/** A system that told of cash sales of a machine lately is believed to tell of them all. */
const lately = sql`interval '60 days'`;

export async function toldBySystems(db: Db, machineId: number, at: Date): Promise<Told> {
  const linked = sql`select d.config_id, d.vendor_id from vendor_devices d join integration_configs c on c.id = d.config_id
    where d.machine_id = ${machineId} and d.link = 'linked' and not d.removed and c.removed_at is null and c.is_active
      and d.system in (${tellCards})`;
  const found = await firstRow<{ card: boolean; cash: boolean }>(
    db,
    sql`select exists (select 1 from vending_machines where id = ${machineId}
            and integration_source in (${tellCards})) or exists (${linked}) as card,
          exists (select 1 from vendor_sales s join (${linked}) l on l.config_id = s.config_id and l.vendor_id = s.device_id
            where s.payment_method = 'cash' and s.outcome in ('booked', 'same')
              and s.sold_at > ${at.toISOString()}::timestamptz - ${lately}) as cash`,
  );
  if (found?.cash) return 'everything';
  return found?.card ? 'card' : 'nothing';
}
