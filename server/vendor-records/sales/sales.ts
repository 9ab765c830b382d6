import { and, eq, inArray } from 'drizzle-orm';
import { lastFourOf, withoutCardNumbers } from '../../../domain/card-numbers.ts';
import { cardScheme, paymentMethodOf } from '../../../domain/card-types.ts';
import type { VendorSale } from '../../../domain/integration.ts';
import { checkRepeat, type Hold } from '../../../domain/vendor-check.ts';
import type { Db } from '../../db/database.ts';
import { chunks, contentHash, cut, decimalOf, newestOf, recordsOf, type Told, versionOf } from '../batch.ts';
import { changedOnly, overwrite } from '../mirror.ts';
import { findHeldForClock, noteClocks } from '../places/clock.ts';
import { noteUnlisted } from '../places/unlisted.ts';
import { type DeviceRow, type SaleRow, vendorSales } from '../tables.ts';
import { asTold, type Booked, bookSales } from './booking.ts';
import { holdRecords } from './held.ts';

type NewSale = ReturnType<typeof toRow>;

/** Keeps what a partner tells of its sales and books what is final and believed. */
export async function storeSales(told: Told, sales: readonly VendorSale[]): Promise<Booked & { written: number }> {
  const sum = { written: 0, booked: 0, held: 0 };
  for (const part of chunks(newestOf(sales))) {
    const { rows, held } = await writeChanged(told, part);
    const understood = await noteClocks(told, rows);
    const done = await bookSales(told, [...rows, ...(await heldBefore(told, understood, rows))]);
    const placed = await bookSales(told, await noteUnlisted(told, rows));
    sum.written += rows.length;
    sum.booked += done.booked + placed.booked;
    sum.held += done.held + placed.held + held;
  }
  return sum;
}

/** Sales that were held for a clock that is understood since now: they find their way into the books by themselves. */
async function heldBefore(told: Told, devices: readonly DeviceRow[], known: readonly SaleRow[]): Promise<SaleRow[]> {
  const ids: string[] = [];
  for (const device of devices) ids.push(...(await findHeldForClock(told, device)).map(({ vendorId }) => vendorId));
  const found = ids.length > 0 ? await findSalesOf(told.db, told.configId, ids) : [];
  return found.filter((sale) => !known.some(({ id }) => id === sale.id));
}

async function writeChanged(told: Told, part: readonly VendorSale[]): Promise<{ rows: SaleRow[]; held: number }> {
  const ids = part.map((one) => one.vendorId);
  const known = await told.db
    .select()
    .from(vendorSales)
    .where(recordsOf(vendorSales, told.configId, ids));
  const before = new Map(known.map((row) => [row.vendorId, row]));
  const changed = changedOnly(
    part.map((sale) => toRow(told, sale)),
    known,
  );
  // What is in the ledger is not overwritten by another amount: the first record stands, the second waits for a person.
  const disputed = changed.flatMap((row) => {
    const hold = contradiction(row, before.get(row.vendorId));
    return hold ? [{ row, hold }] : [];
  });
  const held = await holdRecords(told, disputed);
  const fresh = changed.filter((row) => !disputed.some((one) => one.row === row));
  if (fresh.length === 0) return { rows: [], held };
  const rows = await told.db
    .insert(vendorSales)
    .values(fresh)
    .onConflictDoUpdate({ target: [vendorSales.configId, vendorSales.vendorId], set: columns })
    .returning();
  return { rows, held };
}

const inLedger = (outcome: string | undefined): boolean => outcome === 'booked' || outcome === 'same';

function contradiction(row: NewSale, before: SaleRow | undefined): Hold | null {
  if (!before || !inLedger(before.outcome)) return null;
  return checkRepeat({ ...asTold(before), ...row, status: row.status as VendorSale['status'] }, before);
}

const columns = overwrite({
  ledgerSource: 'ledger_source',
  ledgerId: 'ledger_id',
  ledgerLine: 'ledger_line',
  deviceId: 'device_id',
  integrationId: 'integration_id',
  orderId: 'order_id',
  slotNumber: 'slot_number',
  productName: 'product_name',
  productCode: 'product_code',
  category: 'category',
  quantity: 'quantity',
  unitPrice: 'unit_price',
  amount: 'amount',
  tax: 'tax',
  fee: 'fee',
  currency: 'currency',
  paymentMethod: 'payment_method',
  cardType: 'card_type',
  lastFour: 'last_four',
  status: 'status',
  soldAt: 'sold_at',
  soldAtText: 'sold_at_text',
  processedAt: 'processed_at',
  version: 'version',
  movesStock: 'moves_stock',
  details: 'details',
  raw: 'raw',
  contentHash: 'content_hash',
  updatedAt: 'updated_at',
});

const validDate = (at: Date | null): Date | null => (at && !Number.isNaN(at.getTime()) ? at : null);

function toRow({ configId, system, at }: Told, { vendorId, ...sale }: VendorSale) {
  return {
    configId,
    system,
    vendorId,
    ledgerSource: sale.ledger.source.slice(0, 50),
    ledgerId: sale.ledger.transactionId.slice(0, 100),
    ledgerLine: sale.ledger.line,
    deviceId: sale.deviceId,
    integrationId: sale.integrationId,
    orderId: cut(sale.orderId, 200),
    slotNumber: cut(sale.slotNumber, 20),
    productName: cut(sale.productName, 255),
    productCode: cut(sale.productCode, 100),
    category: cut(sale.category, 100),
    quantity: Number.isSafeInteger(sale.quantity) ? Math.max(-2e9, Math.min(2e9, sale.quantity)) : 0,
    unitPrice: decimalOf(sale.unitPrice) ?? 'NaN',
    amount: decimalOf(sale.amount) ?? 'NaN',
    tax: sale.tax === null ? null : decimalOf(sale.tax),
    fee: sale.fee === null ? null : decimalOf(sale.fee),
    currency: sale.currency.slice(0, 3).toUpperCase(),
    paymentMethod: cut(paymentMethodOf(sale.paymentMethod), 50),
    cardType: cut(cardScheme(sale.cardType), 50),
    lastFour: lastFourOf(sale.lastFour),
    status: sale.status,
    // A time that cannot be read is kept as the beginning of time, which the firewall holds.
    soldAt: validDate(sale.soldAt) ?? new Date(0),
    soldAtText: sale.soldAtText,
    processedAt: validDate(sale.processedAt),
    version: versionOf(sale.version),
    movesStock: sale.movesStock,
    details: withoutCardNumbers(sale.details) as Record<string, unknown>,
    raw: withoutCardNumbers(sale.raw),
    contentHash: contentHash(sale),
    createdAt: at,
    updatedAt: at,
  };
}

/** Sales by the partner's ids. */
export function findSalesOf(db: Db, configId: number, vendorIds: readonly string[]): Promise<SaleRow[]> {
  return db
    .select()
    .from(vendorSales)
    .where(recordsOf(vendorSales, configId, vendorIds));
}

/** Sales that wait for their place to be linked. */
export function findWaitingSales(
  db: Db,
  { configId, deviceId, integrationId }: { configId: number; deviceId: string; integrationId: string | null },
): Promise<SaleRow[]> {
  return db
    .select()
    .from(vendorSales)
    .where(
      and(
        eq(vendorSales.configId, configId),
        inArray(vendorSales.status, ['completed', 'refunded']),
        eq(vendorSales.outcome, 'waiting'),
        eq(vendorSales.movesStock, true),
        integrationId === null
          ? eq(vendorSales.deviceId, deviceId)
          : inArray(vendorSales.deviceId, [deviceId, integrationId]),
      ),
    )
    .orderBy(vendorSales.soldAt)
    .limit(20_000);
}
