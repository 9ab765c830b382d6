import { and, eq, inArray, sql } from 'drizzle-orm';
import { lastFourOf, withoutCardNumbers } from '../../../domain/card-numbers.ts';
import { cardScheme, paymentMethodOf } from '../../../domain/card-types.ts';
import { AppError } from '../../../domain/errors.ts';
import type { VendorSale } from '../../../domain/integration.ts';
import { checkRepeat, type Hold, timeOfRepeat } from '../../../domain/vendor-check.ts';
import { type Db, rows } from '../../db/database.ts';
import { insertRows, overwriting } from '../../db/statements/insert-rows.ts';
import { chunks, contentHash, cut, decimalOf, newestOf, recordsOf, type Told, versionOf } from '../batch.ts';
import { changedOnly } from '../mirror.ts';
import { findHeldForClock, noteClocks } from '../places/clock.ts';
import { noteUnlisted } from '../places/unlisted.ts';
import { type DeviceRow, type SaleRow, vendorSales } from '../tables.ts';
import { type Booked, bookSales } from './booking.ts';
import { refundGivenBack } from './given-back.ts';
import { holdRecords } from './held.ts';
import { asTold } from './judging.ts';
import { endLinesLeft } from './lines-left.ts';
import { isOpen, notStored, setOutcome } from './outcome.ts';
import { isToldAsBefore, keepRepaired } from './repaired.ts';

type NewSale = ReturnType<typeof toRow>;

/** Sales go to the database as one value a statement: a page is booked as a whole, and its sums move once. */
const salesPerStatement = 2_000;

/** Keeps what a partner tells of its sales and books what is final and believed. */
export async function storeSales(told: Told, sales: readonly VendorSale[]): Promise<Booked & { written: number }> {
  const sum = { written: 0, booked: 0, held: 0 };
  for (const part of chunks(newestOf(sales), salesPerStatement)) {
    const { changed, held } = await findChanged(told, part);
    const understood = await noteClocks(told, changed);
    // Booked first, so that each is written once, with what became of it.
    const done = await bookSales(told, [...changed, ...(await heldBefore(told, understood, changed))]);
    const written = await write(told, changed);
    await endLinesLeft(told, sales, written);
    await refundGivenBack(told, written);
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

/** What is new or told anew; what contradicts the ledger waits for a person instead. */
async function findChanged(told: Told, part: readonly VendorSale[]): Promise<{ changed: SaleRow[]; held: number }> {
  const known = await findVersions(told, part);
  const changed = changedOnly(
    part.map((sale) => toRow(told, sale)),
    known,
  );
  if (changed.length === 0) return { changed: [], held: 0 };
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
  const rest = changed.filter((row) => !disputes.has(row)).map((row) => withStored(row, before.get(row.vendorId)));
  // Of these nothing was left to book; now there may be.
  const revived = rest.filter(({ status, vendorId }) => {
    const known = before.get(vendorId);
    return (status !== 'failed' && isOver(known)) || isPendingElsewhere(known);
  });
  await setOutcome(told, revived, 'waiting');
  return { changed: rest, held };
}

const isOver = (before: SaleRow | undefined): boolean =>
  before?.status === 'failed' && (before.outcome === 'none' || before.outcome === 'same');
const isPendingElsewhere = (before: SaleRow | undefined): boolean =>
  before?.status === 'pending' && before.outcome === 'same';

/** The row with what the database alone knows of it. */
function withStored(row: NewSale, before: SaleRow | undefined): SaleRow {
  if (!before) return { ...row, id: notStored, outcome: 'waiting', bookedProduct: null };
  const { id, outcome, bookedProduct, createdAt } = before;
  const kept = { ...keepRepaired(row, before), id, outcome, bookedProduct, createdAt };
  // What still is to be judged is held for its time; what was believed stays on its day.
  if (isOpen(before)) return kept;
  return { ...kept, soldAt: timeOfRepeat(asTold(kept), before.soldAt, row.createdAt) };
}

type Version = { vendorId: string; contentHash: string; version: string | null };

/**
 * What is stored of these sales, as far as it tells whether they say something else now. Looked up one by one, which the
 * limit forces: where the planner knows nothing of the table yet, it joins a list with all that the configuration has.
 */
function findVersions({ db, configId }: Told, part: readonly VendorSale[]): Promise<Version[]> {
  const ids = part.map((one) => one.vendorId);
  return rows<Version>(
    db,
    sql`select v.vendor_id as "vendorId", v.content_hash as "contentHash", v.version::text as version
        from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) g
        cross join lateral (select * from vendor_sales s where s.config_id = ${configId} and s.vendor_id = g.value limit 1) v`,
  );
}

type Stored = { id: number; vendorId: string; isNew: boolean };

/** Writes the sales, and returns them with their ids. */
async function write({ db }: Told, changed: readonly SaleRow[]): Promise<SaleRow[]> {
  if (changed.length === 0) return [];
  const stored = await rows<Stored>(
    db,
    sql`${insertRows(
      vendorSales,
      changed.map(({ id: _id, ...row }) => row),
    )} ${overwriting(['config_id', 'vendor_id'], columns)} returning id, vendor_id as "vendorId", xmax = 0 as "isNew"`,
  );
  const by = new Map(stored.map((row) => [row.vendorId, row]));
  return changed.flatMap((row) => {
    const found = by.get(row.vendorId);
    if (!found) return [];
    // Another transaction stored it in the meantime: whoever asked begins anew, and finds it.
    if (found.isNew !== (row.id === notStored)) throw new AppError('conflict', 'Some of these sales are being stored.');
    return [{ ...row, id: found.id }];
  });
}

const inLedger = ({ outcome, status }: SaleRow): boolean =>
  outcome === 'booked' || (outcome === 'same' && status !== 'pending' && status !== 'failed');

function contradiction(row: NewSale, before: SaleRow | undefined): Hold | null {
  if (!before || !inLedger(before) || isToldAsBefore(row, before)) return null;
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
    unitPrice: sale.unitPrice,
    amount: sale.amount,
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
        inArray(vendorSales.outcome, ['waiting', 'waiting_same']),
        eq(vendorSales.movesStock, true),
        integrationId === null
          ? eq(vendorSales.deviceId, deviceId)
          : inArray(vendorSales.deviceId, [deviceId, integrationId]),
      ),
    )
    .orderBy(vendorSales.soldAt)
    .limit(20_000);
}
