import type { VendorSale, VendorSaleStatus } from '../../domain/integration.ts';
import { integrationIdOf, type Outlet, type Product } from './map.ts';
import { amount, centsText, instant, number, type Rec, records, text, toCents } from './read.ts';

export type SaleOf = {
  prefix: string;
  outlet: Outlet | null;
  product: (id: string) => Product | null;
  customer: { name: string | null; email: string | null } | null;
};

/**
 * Statuses of API 2.0 (the full list is from public client code). Money was taken for closed, on-account and paid-off
 * lay-by sales. A voided sale comes back as a newer version of the same id, and then never happened.
 */
const statuses: Readonly<Record<string, VendorSaleStatus>> = {
  CLOSED: 'completed',
  ONACCOUNT: 'completed',
  ONACCOUNT_CLOSED: 'completed',
  LAYBY_CLOSED: 'completed',
  VOIDED: 'failed',
};

/** Parked, lay-by and awaiting sales, and statuses not known here, wait. */
export const statusOf = (rec: Rec): VendorSaleStatus => {
  if (text(rec, 'deleted_at') !== null) return 'failed';
  return statuses[(text(rec, 'status') ?? '').toUpperCase()] ?? 'pending';
};

/** One row per line; null where the record lacks what makes it a sale. */
export function toSales(rec: Rec, about: SaleOf): VendorSale[] | null {
  const id = text(rec, 'id');
  const outletId = text(rec, 'outlet_id');
  const soldAt = instant(rec, 'sale_date', 'created_at');
  if (id === null || soldAt === null) return null;
  const lines = records(rec.line_items);
  const cents = lineCents(rec, lines);
  const shared = {
    deviceId: outletId,
    integrationId: outletId === null ? null : integrationIdOf(about.prefix, outletId),
    orderId: text(rec, 'receipt_number', 'invoice_number'),
    slotNumber: null,
    fee: null,
    currency: about.outlet?.currency ?? 'USD',
    paymentMethod: paymentOf(rec),
    cardType: null,
    lastFour: null,
    soldAt,
    soldAtText: text(rec, 'sale_date', 'created_at'),
    processedAt: instant(rec, 'updated_at'),
    version: text(rec, 'version'),
    details: detailsOf(rec, lines, about),
  };
  const rows = lines.map((line, index): VendorSale => {
    const lineId = text(line, 'id') ?? String(index);
    return {
      ...shared,
      ...ofLine(rec, line, cents[index] ?? 0n, about),
      ...named(id, lineId),
      raw: index ? line : rec,
    };
  });
  const rest = totalCents(rec) - cents.reduce((sum, one) => sum + one, 0n);
  return rest === 0n ? rows : [...rows, { ...shared, ...adjustment(rec, rest), ...named(id, 'adjustment'), raw: null }];
}

const named = (saleId: string, line: string) => ({
  vendorId: `${saleId}:${line}`,
  ledger: { source: 'lightspeed', transactionId: saleId, line },
});

function ofLine(rec: Rec, line: Rec, cents: bigint, about: SaleOf) {
  const told = number(line, 'quantity') ?? 1;
  const isReturn = line.is_return === true || told < 0;
  const quantity = Math.max(1, Math.round(Math.abs(told)));
  const productId = text(line, 'product_id');
  const product = productId === null ? null : about.product(productId);
  const status = statusOf(rec);
  const tax = amount(line, 'total_tax', 'tax_total') ?? (amount(line, 'tax', 'unit_tax') ?? 0n) * BigInt(quantity);
  return {
    productName: product?.name ?? null,
    productCode: product?.sku ?? null,
    category: product?.category ?? null,
    quantity,
    unitPrice: centsText(roundedShare(cents, quantity)),
    amount: centsText(cents),
    tax: centsText(toCents(tax)),
    status: isReturn && status === 'completed' ? ('refunded' as const) : status,
    // Sold by weight, or brought back: no whole piece left the shelf.
    movesStock: !isReturn && Number.isInteger(told),
  };
}

/** Discounts and roundings of the whole sale, so that its rows add up to what was paid. */
function adjustment(rec: Rec, cents: bigint) {
  return {
    productName: 'Adjustment of the sale',
    productCode: null,
    category: null,
    quantity: 1,
    unitPrice: centsText(cents),
    amount: centsText(cents),
    tax: null,
    status: statusOf(rec),
    movesStock: false,
  };
}

function roundedShare(cents: bigint, quantity: number): bigint {
  return BigInt(Math.round(Number(cents) / quantity));
}

/**
 * What each line cost with tax, in cents. Lines have up to five decimals: what rounding them leaves over goes to the
 * largest, as long as it is no more than a cent a line. `total_price` excludes the tax.
 */
function lineCents(rec: Rec, lines: readonly Rec[]): bigint[] {
  const cents = lines.map((line) => toCents(lineFine(line)));
  const rest = totalCents(rec) - cents.reduce((sum, one) => sum + one, 0n);
  const isRounding = rest !== 0n && (rest < 0n ? -rest : rest) <= BigInt(lines.length);
  if (!isRounding) return cents;
  const largest = cents.reduce((best, one, index) => (one > (cents[best] ?? 0n) ? index : best), 0);
  return cents.map((one, index) => (index === largest ? one + rest : one));
}

function lineFine(line: Rec): bigint {
  const quantity = number(line, 'quantity') ?? 1;
  const total = amount(line, 'total_price', 'price_total');
  const tax = amount(line, 'total_tax', 'tax_total');
  if (total !== null) return total + (tax ?? 0n);
  const each = (amount(line, 'unit_price', 'price') ?? 0n) + (amount(line, 'unit_tax', 'tax') ?? 0n);
  return BigInt(Math.round(Number(each) * quantity));
}

function totalCents(rec: Rec): bigint {
  const total = amount(rec, 'total_price');
  if (total !== null) return toCents(total + (amount(rec, 'total_tax') ?? 0n));
  return records(rec.line_items).reduce((sum, line) => sum + toCents(lineFine(line)), 0n);
}

function paymentOf(rec: Rec): string | null {
  const names = records(rec.payments).map((payment) => text(payment, 'name') ?? 'other');
  const [first, ...others] = [...new Set(names.map((name) => name.toLowerCase()))];
  return others.length ? 'mixed' : (first ?? null);
}

/** The whole sale beside each of its lines, under the names of the list of sales. */
function detailsOf(rec: Rec, lines: readonly Rec[], { outlet, customer }: SaleOf) {
  const subtotal = toCents(amount(rec, 'total_price') ?? 0n);
  const tax = toCents(amount(rec, 'total_tax') ?? 0n);
  const sold = lines.filter((line) => line.is_return !== true);
  return {
    lightspeedId: text(rec, 'id'),
    status: text(rec, 'status'),
    receiptNumber: text(rec, 'receipt_number', 'invoice_number'),
    total: centsText(totalCents(rec)),
    subtotal: centsText(subtotal),
    tax: centsText(tax),
    itemCount: sold.reduce((sum, line) => sum + (number(line, 'quantity') ?? 0), 0),
    locationId: text(rec, 'outlet_id'),
    locationName: outlet?.name ?? null,
    customerName: customer?.name ?? null,
    customerEmail: customer?.email ?? null,
    returnFor: text(rec, 'return_for'),
  };
}
