import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Held } from '../../../contract/integration-review.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Repair } from '../../../domain/vendor-check.ts';
import { recordAudit } from '../../audit/service.ts';
import { type Db, firstRow, rows } from '../../db/database.ts';
import { findPage, type Page } from '../../db/statements/paging.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { tell } from '../../integrations/service.ts';
import { chunks, type Told } from '../batch.ts';
import { plainSlot } from '../places/reported-slots.ts';
import { bookSales } from '../sales/booking.ts';
import { isHeld } from '../sales/outcome.ts';
import { findSalesOf } from '../sales/sales.ts';
import { heldRecords, vendorMappings, vendorSales } from '../tables.ts';
import { takeChanged } from './changed.ts';

type HeldRow = typeof heldRecords.$inferSelect;
type Wish = { configId?: number | undefined; page?: string | undefined; limit: number };

const iso = (column: SQL): SQL => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What is alike: of one configuration and cause and, where a slot or product is missing, the same one. */
const alike = sql`(o.config_id = h.config_id and o.status = 'held' and o.reason = h.reason and case h.reason
  when 'slot' then o.device_id is not distinct from h.device_id and o.record->>'slotNumber' is not distinct from h.record->>'slotNumber'
  when 'product' then (o.record->>'productCode', o.record->>'productName') is not distinct from (h.record->>'productCode', h.record->>'productName')
  when 'map' then o.device_id is not distinct from h.device_id and o.record->>'slotNumber' is not distinct from h.record->>'slotNumber'
  when 'clock' then o.device_id is not distinct from h.device_id
  when 'price' then o.device_id is not distinct from h.device_id and o.record->>'slotNumber' is not distinct from h.record->>'slotNumber'
    and o.record->>'unitPrice' is not distinct from h.record->>'unitPrice'
  else o.id = h.id end)`;

/** Records kept back, newest first. */
export function pageHeld({ db }: Deps, wish: Wish): Promise<Page<Held>> {
  const condition = sql`h.status = 'held' and (${wish.configId ?? null}::int is null or h.config_id = ${wish.configId ?? null})`;
  return findPage<Held>(db, {
    fields: sql`h.id, h.config_id as "configId", h.system, c.name as "configName", h.kind, h.reason, h.explanation, h.repair, h.record,
      (select count(*)::int from held_records o where ${alike}) as alike, ${iso(sql`h.held_at`)} as "heldAt",
      (select case when m.id is not null then json_build_object('type', 'vending_machine', 'id', m.id, 'name', m.name)
          when k.id is not null then json_build_object('type', 'market', 'id', k.id, 'name', k.name) end
        from vendor_devices d left join vending_machines m on m.id = d.machine_id left join markets k on k.id = d.market_id
        where d.config_id = h.config_id and (d.vendor_id = h.device_id or d.integration_id = h.device_id) limit 1) as place`,
    source: sql`held_records h join integration_configs c on c.id = h.config_id`,
    condition,
    order: { name: 'newest', down: true, id: sql`h.id`, value: sql`h.id`, type: 'bigint' },
    page: wish.page,
    limit: wish.limit,
    total: async () =>
      (await firstRow<{ n: number }>(db, sql`select count(*)::int as n from held_records h where ${condition}`))?.n ??
      0,
  });
}

export type Choice = {
  how: 'repair' | 'as-told' | 'map';
  slotNumber?: string | undefined;
  productId?: number | undefined;
  alike: boolean;
};

type Replayed = { booked: number; held: number; dismissed: number };

/** Books held records as a person decided; a slot or product they chose is remembered for what comes later. */
export async function repairHeld(deps: Deps, caller: Caller, id: number, choice: Choice): Promise<Replayed> {
  return deps.db.transaction(async (tx) => {
    const first = await requireHeld(tx, id);
    if (first.kind !== 'sale')
      throw new AppError('conflict', 'This record cannot be booked. Leave it out, or replay the message it came with.');
    const told: Told = { db: tx, configId: first.configId, system: first.system, at: deps.clock.now() };
    if (first.reason === 'changed') {
      if (choice.how !== 'as-told')
        throw new AppError('conflict', 'Take the amount as it is told now, or leave it out.');
      await takeChanged(told, caller, first);
      await tell(tx, first.configId);
      return { booked: 1, held: 0, dismissed: 0 };
    }
    if (choice.how === 'map') await remember(told, caller, first, choice);
    const all = choice.alike ? await findAlike(tx, id) : [first];
    const done = { booked: 0, held: 0, dismissed: 0 };
    for (const part of chunks(all)) {
      const repairs = new Map(
        part.flatMap((one) => (one.vendorId === null ? [] : [[one.vendorId, repairOf(one, choice)] as const])),
      );
      const sales = await findSalesOf(tx, first.configId, [...repairs.keys()]);
      const chosen = new Map([...repairs].flatMap(([key, repair]) => (repair ? [[key, repair] as const] : [])));
      const booked = await bookSales(told, sales, chosen);
      done.booked += booked.booked;
      done.held += sales.filter(isHeld).length;
    }
    await close(told, caller, all);
    await recordAudit(tx, caller, {
      action: 'integration.repair',
      objectType: 'integration',
      objectId: first.configId,
      detail: { reason: first.reason, how: choice.how, records: all.length, booked: done.booked },
    });
    await tell(tx, first.configId);
    return done;
  });
}

/** Null: nothing about the record changes, only what is known of its slot or product. */
function repairOf(held: HeldRow, { how }: Choice): Repair | null {
  if (how === 'map') return null;
  if (how === 'as-told') return { asTold: true };
  if (!held.repair)
    throw new AppError('conflict', 'There is no repair to this: choose what it was, or book it as told.');
  return held.repair as Repair;
}

async function remember({ db, configId, at }: Told, caller: Caller, held: HeldRow, choice: Choice): Promise<void> {
  const record = held.record as {
    slotNumber?: string | null;
    productCode?: string | null;
    productName?: string | null;
  } | null;
  const isSlot = held.reason === 'slot';
  const key = isSlot ? record?.slotNumber : (record?.productCode ?? record?.productName?.toLowerCase());
  const isChosen = isSlot ? choice.slotNumber !== undefined : choice.productId !== undefined;
  if (!key || !isChosen) {
    const [field, sentence] = isSlot ? ['slotNumber', 'Choose the slot'] : ['productId', 'Choose the product'];
    throw new AppError('invalid-input', sentence, { fields: { [field]: sentence } });
  }
  if (isSlot) await requireSlot(db, held, choice.slotNumber ?? '');
  const value = isSlot ? { slotNumber: choice.slotNumber ?? null } : { productId: choice.productId ?? null };
  await db
    .insert(vendorMappings)
    .values({
      configId,
      kind: isSlot ? 'slot' : 'product',
      deviceId: isSlot ? (held.deviceId ?? '') : '',
      vendorKey: key,
      ...value,
      createdAt: at,
      createdBy: caller.userId,
    })
    .onConflictDoUpdate({
      target: [vendorMappings.configId, vendorMappings.kind, vendorMappings.deviceId, vendorMappings.vendorKey],
      set: value,
    });
}

/** A slot that is mistyped would be remembered, and everything told of it held again. */
async function requireSlot(db: Db, { configId, deviceId }: HeldRow, slotNumber: string): Promise<void> {
  const found = await firstRow<{ name: string; hasIt: boolean }>(
    db,
    sql`select m.name, exists (select 1 from vending_machine_inventory i where i.machine_id = m.id and i.deleted_at is null
          and ${plainSlot(sql`i.slot_number`)} = ${plainSlot(sql`${slotNumber}::text`)}) as "hasIt"
        from vendor_devices d join vending_machines m on m.id = d.machine_id
        where d.config_id = ${configId} and (d.vendor_id = ${deviceId} or d.integration_id = ${deviceId}) limit 1`,
  );
  if (!found || found.hasIt) return;
  const sentence = `${found.name} has no slot ${slotNumber}`;
  throw new AppError('invalid-input', `${sentence}.`, { fields: { slotNumber: sentence } });
}

/** Leaves held records out for good; told again, they stay out. */
export async function dismissHeld(deps: Deps, caller: Caller, id: number, withAlike: boolean): Promise<Replayed> {
  return deps.db.transaction(async (tx) => {
    const first = await requireHeld(tx, id);
    const all = withAlike ? await findAlike(tx, id) : [first];
    const at = deps.clock.now();
    for (const part of chunks(all)) {
      const ids = part.map((one) => one.id);
      await tx
        .update(heldRecords)
        .set({ status: 'dismissed', resolvedAt: at, resolvedBy: caller.userId })
        .where(inArray(heldRecords.id, ids));
      const own = part.flatMap((one) =>
        one.kind === 'sale' && one.reason !== 'changed' && one.vendorId ? [one.vendorId] : [],
      );
      if (own.length === 0) continue;
      await tx
        .update(vendorSales)
        .set({ outcome: sql`case outcome when 'held_same' then 'same' else 'refused' end`, updatedAt: at })
        .where(and(eq(vendorSales.configId, first.configId), inArray(vendorSales.vendorId, own)));
    }
    const detail = { reason: first.reason, records: all.length };
    await recordAudit(tx, caller, {
      action: 'integration.dismiss',
      objectType: 'integration',
      objectId: first.configId,
      detail,
    });
    await tell(tx, first.configId);
    return { booked: 0, held: 0, dismissed: all.length };
  });
}

async function requireHeld(tx: Db, id: number): Promise<HeldRow> {
  const [found] = await tx.select().from(heldRecords).where(eq(heldRecords.id, id)).for('update');
  if (!found) throw new AppError('not-found', 'This record does not exist.');
  if (found.status !== 'held') throw new AppError('conflict', 'Somebody decided about this record in the meantime.');
  return found;
}

async function findAlike(tx: Db, id: number): Promise<HeldRow[]> {
  const ids = await rows<{ id: number }>(
    tx,
    sql`select o.id from held_records h join held_records o on ${alike} where h.id = ${id} order by o.id`,
  );
  return tx
    .select()
    .from(heldRecords)
    .where(
      inArray(
        heldRecords.id,
        ids.map((one) => one.id),
      ),
    );
}

/** Notes who decided about the records that found their way into the ledger. */
async function close({ db }: Told, caller: Caller, all: readonly HeldRow[]): Promise<void> {
  for (const part of chunks(all)) {
    await db
      .update(heldRecords)
      .set({ resolvedBy: caller.userId })
      .where(
        and(
          inArray(
            heldRecords.id,
            part.map((one) => one.id),
          ),
          eq(heldRecords.status, 'replayed'),
        ),
      );
  }
}
