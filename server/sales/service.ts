import { AppError } from '../../domain/errors.ts';
import { normalBarcode } from '../../domain/product.ts';
import { dayIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import type { LedgerEvent } from '../inventory/ledger.ts';
import { ensurePartitions, findKeys } from '../inventory/ledger-queries.ts';
import { payloadHash } from '../inventory/payload-hash.ts';
import { recordEvents, recordKeys } from '../inventory/service.ts';
import { publish } from '../live/hub.ts';
import { getOperator } from '../settings/service.ts';
import { saleEventId } from './event-id.ts';
import { type FoundItem, findSoldItems, insertSales, lockDailySums, type StoredSale } from './queries.ts';

export { correctSale } from './corrected.ts';
export { countWrongDailySums, rebuildDailySums } from './daily-sums.ts';
export { mendSaleAmounts } from './no-numbers.ts';
export { putBack } from './put-back.ts';
export { refundSales } from './refunds.ts';
export { linesAnew, takeBackSales } from './withdrawn.ts';

/** One line of a sale as a partner system or a file tells it. Exactly one of machine and market is set. */
export type Sale = {
  /** Who tells it, e.g. `nayax:3` (system and configuration) or `import`; with the ids below it makes the event id. */
  source: string;
  transactionId: string;
  /** Tells the lines of one transaction apart; null where a transaction is one line. */
  line: string | null;
  machineId: number | null;
  marketId: number | null;
  slotNumber: string | null;
  productName: string | null;
  productCode: string | null;
  category: string | null;
  quantity: number;
  /** Decimal text; `price` per unit. */
  price: string;
  totalAmount: string;
  currency: string;
  paymentMethod: string | null;
  soldAt: Date;
  successful: boolean;
  refunded: boolean;
  /** What looked odd about it. */
  flags: string | null;
};

/** `different`: this id is known with other content; the first record stands. */
export type SaleOutcome = 'recorded' | 'duplicate' | 'different';

/** The id under which a sale stands in the ledger. */
export function saleIdOf({ source, transactionId, line }: Pick<Sale, 'source' | 'transactionId' | 'line'>): string {
  return saleEventId(source, transactionId, line);
}

type Keyed = { sale: Sale; eventId: string; payloadHash: string };

/**
 * Stores sales that are not known yet, moves the stock of the slot or item each came out of, and adds them to the daily
 * sums, all in the caller's transaction. A sale told again, in this call or ever before, changes nothing. Returns one
 * outcome per row, in order.
 */
export async function recordSales(tx: Db, sales: readonly Sale[], at: Date): Promise<SaleOutcome[]> {
  const keyed = sales.map(withKey);
  const ids = keyed.map((one) => one.eventId);
  const known = new Map((await findKeys(tx, ids)).map((key) => [key.eventId, key.payloadHash]));
  const fresh: Keyed[] = [];
  const outcomes = keyed.map((one): SaleOutcome => {
    const before = known.get(one.eventId);
    if (before !== undefined) return before === one.payloadHash ? 'duplicate' : 'different';
    known.set(one.eventId, one.payloadHash);
    fresh.push(one);
    return 'recorded';
  });
  if (fresh.length) await store(tx, fresh, at);
  return outcomes;
}

function withKey(sale: Sale): Keyed {
  const { source, transactionId, line, quantity, price, totalAmount, productName, slotNumber } = sale;
  const { paymentMethod, successful, refunded } = sale;
  // Neither time nor currency: both depend on settings that may change between two imports of one file.
  const content = { quantity, price, totalAmount, productName, slotNumber, paymentMethod, successful, refunded };
  return { sale, eventId: saleEventId(source, transactionId, line), payloadHash: payloadHash(content) };
}

async function store(tx: Db, fresh: readonly Keyed[], at: Date): Promise<void> {
  const found = await itemsOf(tx, fresh);
  const operator = await getOperator(tx);
  const moving = fresh.flatMap((one) => movementOf(one, found.get(one.eventId), at) ?? []);
  const moved = new Set(moving.map((event) => event.eventId));
  const still = fresh.filter((one) => !moved.has(one.eventId));
  const taken = await recordKeys(
    tx,
    still.map(({ eventId, payloadHash: hash, sale }) => ({
      eventId,
      payloadHash: hash,
      effectiveAt: sale.soldAt.toISOString(),
    })),
  );
  const booked = moving.length ? await recordEvents(tx, moving, dayIn(operator.timeZone, at)) : null;
  const isKnown = booked?.results.some(({ status }) => status === 'duplicate' || status === 'reused-id') ?? false;
  // Another transaction stored one of these in the meantime: the whole call is repeated by whoever asked.
  if (isKnown || taken.size !== still.length) {
    throw new AppError('conflict', 'Some of these sales are just being stored.');
  }
  await ensurePartitions(
    tx,
    'sales',
    fresh.map(({ sale }) => sale.soldAt.getTime() * 1000),
  );
  const stored = fresh.map((one) => toStored(one, found.get(one.eventId), at));
  await lockDailySums(tx);
  await insertSales(tx, stored, await getOperator(tx));
  await tell(tx, stored);
}

async function itemsOf(tx: Db, fresh: readonly Keyed[]): Promise<Map<string, FoundItem>> {
  const found = await findSoldItems(
    tx,
    fresh.map(({ sale, eventId }) => ({
      eventId,
      machineId: sale.machineId,
      marketId: sale.marketId,
      slotNumber: sale.slotNumber,
      normalCode: sale.productCode === null ? null : normalBarcode(sale.productCode),
      productName: sale.productName,
      soldAt: sale.soldAt.toISOString(),
    })),
  );
  return new Map(found.map((item) => [item.eventId, item]));
}

/** What the sale took out of a known slot or item; a failed sale took nothing. */
function movementOf(one: Keyed, item: FoundItem | undefined, at: Date): LedgerEvent | null {
  if (!item?.itemType || item.itemId === null || !one.sale.successful) return null;
  return {
    eventId: one.eventId,
    itemType: item.itemType,
    itemId: item.itemId,
    kind: 'sale',
    quantity: -one.sale.quantity,
    reason: null,
    shown: null,
    note: null,
    photoIds: [],
    effectiveAtUs: one.sale.soldAt.getTime() * 1000,
    receivedAt: at.toISOString(),
    occurredAtClient: null,
    actorId: null,
    deviceId: null,
    deviceSeq: null,
    source: one.sale.source.slice(0, 20),
    latitude: null,
    longitude: null,
    payloadHash: one.payloadHash,
  };
}

function toStored({ sale, eventId }: Keyed, item: FoundItem | undefined, at: Date): StoredSale {
  const { line: _line, soldAt, ...told } = sale;
  return {
    ...told,
    eventId,
    itemId: item?.itemId ?? null,
    productId: item?.productId ?? null,
    productName: sale.productName ?? item?.itemName ?? null,
    slotNumber: item?.slotNumber ?? sale.slotNumber,
    routeDesignation: item?.routeDesignation ?? null,
    soldAt: soldAt.toISOString(),
    receivedAt: at.toISOString(),
  };
}

async function tell(tx: Db, stored: readonly StoredSale[]): Promise<void> {
  const machines = new Set(stored.flatMap((sale) => sale.machineId ?? []));
  const routes = new Set(stored.flatMap((sale) => sale.routeDesignation ?? []));
  await publish(tx, { topic: 'sales', ids: [...machines], routes: [...routes] });
}
