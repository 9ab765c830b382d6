import { and, eq, inArray, sql } from 'drizzle-orm';
import { lastFourOf, withoutCardNumbers } from '../../../domain/card-numbers.ts';
import { cardScheme, paymentMethodOf } from '../../../domain/card-types.ts';
import type { VendorSale } from '../../../domain/integration.ts';
import { checkRepeat, type Hold } from '../../../domain/vendor-check.ts';
import { type Db, rows } from '../../db/database.ts';
import { insertRows, overwriting } from '../../db/statements/insert-rows.ts';
import { chunks, contentHash, cut, decimalOf, newestOf, recordsOf, type Told, versionOf } from '../batch.ts';
import { changedOnly } from '../mirror.ts';
import { findHeldForClock, noteClocks } from '../places/clock.ts';
import { noteUnlisted } from '../places/unlisted.ts';
import { type DeviceRow, type SaleRow, vendorSales } from '../tables.ts';
import { asTold, type Booked, bookSales } from './booking.ts';
import { holdRecords } from './held.ts';
import { isToldAsBefore, keepRepaired } from './repaired.ts';

type NewSale = ReturnType<typeof toRow>;

/** Keeps what a partner tells of its sales and books what is final and believed. */
export async function storeSales(told: Told, sales: readonly VendorSale[]): Promise<Booked & { written: number }> {
  const sum = { written: 0, booked: 0, held: 0 };
  for (const part of chunks(newestOf(sales))) {
    const { written, held } = await writeChanged(told, part);
    const understood = await noteClocks(told, written);
    const done = await bookSales(told, [...written, ...(await heldBefore(told, understood, written))]);
    const placed = await bookSales(told, await noteUnlisted(told, written));
    sum.written += written.length;
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

async function writeChanged(told: Told, part: readonly VendorSale[]): Promise<{ written: SaleRow[]; held: number }> {
  const known = await findVersions(told, part);
  const changed = changedOnly(
    part.map((sale) => toRow(told, sale)),
    known,
  );
  if (changed.length === 0) return { written: [], held: 0 };
  const again = new Set(known.map((row) => row.vendorId));
  const asked = changed.filter(({ vendorId }) => again.has(vendorId)).map(({ vendorId }) => vendorId);
  const stored = asked.length > 0 ? await findSalesOf(told.db, told.configId, asked) : [];
  const before = new Map(stored.map((row) => [row.vendorId, row]));
  // What is in the ledger is not overwritten by another amount: the first record stands, the second waits for a person.
  const disputed = changed.flatMap((row) => {
    const hold = contradiction(row, before.get(row.vendorId));
    return hold ? [{ row, hold }] : [];
  });
  const held = await holdRecords(told, disputed);
  const disputes = new Set(disputed.map(({ row }) => row));
  const fresh = changed.filter((row) => !disputes.has(row)).map((row) => keepRepaired(row, before.get(row.vendorId)));
  return { written: fresh.length === 0 ? [] : await write(told, fresh), held };
}

type Version = { vendorId: string; contentHash: string; version: string | null };

/**
 * What is stored of these sales, as far as it tells whether they say something else now. Looked up one by one: a list of
 * ids is taken for a large part of the table where the planner knows nothing of it, and all of it is read.
 */
function findVersions({ db, configId }: Told, part: readonly VendorSale[]): Promise<Version[]> {
  const ids = part.map((one) => one.vendorId);
  return rows<Version>(
    db,
    sql`select v.vendor_id as "vendorId", v.content_hash as "contentHash", v.version::text as version
        from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) g
        join vendor_sales v on v.config_id = ${configId} and v.vendor_id = g.value`,
  );
}

type Stored = { id: number; vendorId: string; outcome: string; bookedProduct: string | null; createdMs: number };

/** Writes the sales; what is returned is what is stored. */
async function write({ db }: Told, fresh: readonly NewSale[]): Promise<SaleRow[]> {
  const stored = await rows<Stored>(
    db,
    sql`${insertRows(vendorSales, fresh)} ${overwriting(['config_id', 'vendor_id'], columns)}
        returning id, vendor_id as "vendorId", outcome, booked_product as "bookedProduct",
          (extract(epoch from created_at) * 1000)::float8 as "createdMs"`,
  );
  const by = new Map(stored.map((row) => [row.vendorId, row]));
  return fresh.flatMap((row) => {
    const found = by.get(row.vendorId);
    if (!found) return [];
    const { createdMs, ...kept } = found;
    return [{ ...row, ...kept, createdAt: new Date(createdMs) }];
  });
}

const inLedger = (outcome: string | undefined): boolean => outcome === 'booked' || outcome === 'same';

function contradiction(row: NewSale, before: SaleRow | undefined): Hold | null {
  if (!before || !inLedger(before.outcome) || isToldAsBefore(row, before)) return null;
  return checkRepeat({ ...asTold(before), ...row, status: row.status as VendorSale['status'] }, before);
}

const columns = [
  'ledger_source',
  'ledger_id',
  'ledger_line',
  'device_id',
  'integration_id',
  'order_id',
  'slot_number',
  'product_name',
  'product_code',
  'category',
  'quantity',
  'unit_price',
  'amount',
  'tax',
  'fee',
  'currency',
  'payment_method',
  'card_type',
  'last_four',
  'status',
  'sold_at',
  'sold_at_text',
  'processed_at',
  'version',
  'moves_stock',
  'details',
  'raw',
  'content_hash',
  'updated_at',
];

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
    // Some systems tell no such time, and when we heard of a sale is no news of it.
    contentHash: contentHash({ ...sale, processedAt: null }),
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
