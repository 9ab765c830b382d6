import { and, eq, inArray, sql } from 'drizzle-orm';
import { withoutCardNumbers } from '../../../domain/card-numbers.ts';
import type { Hold } from '../../../domain/vendor-check.ts';
import { contentHash, type Told } from '../batch.ts';
import { heldRecords, type vendorSales } from '../tables.ts';

type NewSale = typeof vendorSales.$inferInsert;

/** Keeps sales for a person, each once for a reason; returns how many are newly held. */
export async function holdRecords(told: Told, held: readonly { row: NewSale; hold: Hold }[]): Promise<number> {
  if (held.length === 0) return 0;
  // A dispute is a record beside the sale that stands; every other hold is the sale's own.
  const keyed = held.map(({ row, hold }) => ({
    row,
    hold,
    recordKey: hold.reason === 'changed' ? `${row.vendorId}@${row.amount}x${row.quantity}` : row.vendorId,
  }));
  const known = await told.db
    .select()
    .from(heldRecords)
    .where(
      and(
        eq(heldRecords.configId, told.configId),
        eq(heldRecords.kind, 'sale'),
        inArray(
          heldRecords.recordKey,
          keyed.map((one) => one.recordKey),
        ),
      ),
    );
  const before = new Map(known.map((one) => [one.recordKey, one]));
  const fresh = keyed.filter(({ recordKey, hold }) => {
    const one = before.get(recordKey);
    return !one || (one.status === 'held' && one.explanation !== hold.explanation);
  });
  if (fresh.length === 0) return 0;
  await told.db
    .insert(heldRecords)
    .values(
      fresh.map(({ row, hold, recordKey }) => ({
        configId: told.configId,
        system: told.system,
        kind: 'sale',
        recordKey,
        vendorId: row.vendorId,
        deviceId: row.deviceId ?? row.integrationId ?? null,
        reason: hold.reason,
        explanation: hold.explanation,
        repair: hold.repair,
        record: summaryOf(row),
        raw: row.raw,
        heldAt: told.at,
      })),
    )
    .onConflictDoUpdate({
      target: [heldRecords.configId, heldRecords.kind, heldRecords.recordKey],
      set: excludedHold,
    });
  return fresh.filter(({ recordKey }) => !before.has(recordKey)).length;
}

const excludedHold = {
  reason: sql`excluded.reason`,
  explanation: sql`excluded.explanation`,
  repair: sql`excluded.repair`,
  record: sql`excluded.record`,
  raw: sql`excluded.raw`,
};

const summaryOf = (row: NewSale) => ({
  productName: row.productName ?? null,
  productCode: row.productCode ?? null,
  slotNumber: row.slotNumber ?? null,
  quantity: row.quantity,
  unitPrice: row.unitPrice,
  amount: row.amount,
  currency: row.currency,
  paymentMethod: row.paymentMethod ?? null,
  soldAt: row.soldAt.toISOString(),
  soldAtText: row.soldAtText ?? null,
});

/** Records that could not be read, each kept once with the reason. */
export async function holdUnreadable(
  told: Told,
  unreadable: readonly { reason: string; raw: unknown }[],
): Promise<number> {
  if (unreadable.length === 0) return 0;
  const made = await told.db
    .insert(heldRecords)
    .values(
      unreadable.map(({ reason, raw }) => ({
        configId: told.configId,
        system: told.system,
        kind: 'unreadable',
        recordKey: contentHash({ raw }),
        reason: 'unreadable',
        explanation: reason,
        raw: withoutCardNumbers(raw),
        heldAt: told.at,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: heldRecords.id });
  return made.length;
}

/** Holds whose sale has found its way into the ledger are over. */
export async function clearHeld(told: Told, booked: readonly { vendorId: string; outcome: string }[]): Promise<void> {
  if (booked.length === 0) return;
  await told.db
    .update(heldRecords)
    .set({ status: 'replayed', resolvedAt: told.at })
    .where(
      and(
        eq(heldRecords.configId, told.configId),
        eq(heldRecords.kind, 'sale'),
        eq(heldRecords.status, 'held'),
        inArray(
          heldRecords.recordKey,
          booked.map((row) => row.vendorId),
        ),
      ),
    );
}
