import type { VendorSale, VendorSaleStatus } from '../../domain/integration.ts';
import { type ProductLine, productLines, shares } from './product-lines.ts';
import { amount, decimals, id, instant, number, type Rec, text } from './read.ts';
import { lastFour, scrubbed } from './scrub.ts';

/** Sales of one Lynx record, or why it cannot be read. */
export type ReadSale = { sales: VendorSale[] } | { reason: string };

/** What every source of a Lynx transaction tells, whatever its fields are called. */
export type Transaction = {
  transactionId: string;
  machineId: string | null;
  orderId: string | null;
  authorized: string | null;
  settled: string | null;
  currency: string | null;
  paymentMethod: string | null;
  recognition: string | null;
  cardType: string | null;
  lastFour: string | null;
  lines: readonly ProductLine[];
  /** Pieces, where one line stands for several. */
  quantity: number;
  authorizedAt: Date | null;
  settledAt: Date | null;
  machineTime: string | null;
  cancelled: boolean;
  details: Rec;
  raw: Rec;
};

/** The id of a place: machines are the same for every configuration that sees them. */
export function placeOf(machineId: string): string {
  return `nayax:${machineId}`;
}

/** A record of `GET /v1/machines/{id}/lastSales`. */
export function readSale(rec: Rec, machineId: string | null): ReadSale {
  const transactionId = id(rec, 'TransactionID');
  if (!transactionId) return { reason: 'A sale without a TransactionID.' };
  const several = number(rec, 'MultivendNumberOfProducts', 'MultivendNumverOfProducts') ?? 0;
  const quantity = several > 1 ? several : (number(rec, 'Quantity') ?? 1);
  return salesOf({
    transactionId,
    machineId: id(rec, 'MachineID') ?? machineId,
    orderId: text(rec, 'PaymentServiceTransactionID'),
    authorized: amount(rec, 'AuthorizationValue'),
    settled: amount(rec, 'SettlementValue'),
    currency: text(rec, 'CurrencyCode'),
    paymentMethod: text(rec, 'PaymentMethod'),
    recognition: text(rec, 'RecognitionMethod'),
    cardType: text(rec, 'CardBrand'),
    lastFour: lastFour(text(rec, 'CardNumber')),
    lines: productLines(text(rec, 'ProductName')),
    quantity,
    authorizedAt: instant(rec, 'AuthorizationDateTimeGMT'),
    settledAt: instant(rec, 'SettlementDateTimeGMT'),
    machineTime: text(rec, 'MachineAuthorizationTime'),
    cancelled: false,
    details: { provider: text(rec, 'PaymentServiceProviderName'), site: text(rec, 'SiteName') },
    raw: scrubbed(rec),
  });
}

/**
 * One row a line of a multivend: the first keeps the transaction's id, further ones add `-2`, `-3`. So a sale that is
 * pending with one line and settles with three stays the same sale. The ledger's source is 'nayax' whoever tells it:
 * two configurations and the queue name one sale alike, and it is booked once.
 */
export function salesOf(told: Transaction): ReadSale {
  const soldAt = told.authorizedAt ?? told.settledAt;
  if (!soldAt) return { reason: `Sale ${told.transactionId} has no time that can be read.` };
  const total = told.settledAt ? told.settled : (told.authorized ?? told.settled);
  if (total === null) return { reason: `Sale ${told.transactionId} has no amount that can be read.` };
  const lines = told.lines.length ? told.lines : [{ name: null, code: null, slotNumber: null, price: null }];
  const amounts = shares(total, lines);
  const quantity = lines.length > 1 ? 1 : Math.min(Math.max(1, Math.round(told.quantity)), 1000);
  return {
    sales: lines.map((line, index) => {
      const suffix = index === 0 ? null : String(index + 1);
      const lineAmount = amounts[index] ?? '0.00';
      return {
        ...common(told, soldAt),
        vendorId: suffix ? `${told.transactionId}-${suffix}` : told.transactionId,
        ledger: { source: 'nayax', transactionId: told.transactionId, line: suffix },
        slotNumber: line.slotNumber,
        productName: line.name,
        productCode: line.code,
        quantity,
        unitPrice: decimals(Number(lineAmount) / quantity),
        amount: lineAmount,
      };
    }),
  };
}

function common(told: Transaction, soldAt: Date) {
  const paymentMethod = methodOf(told.paymentMethod, told.recognition);
  // Lynx names cash as the brand of a card that there was none of.
  const card = paymentMethod === 'cash' ? { cardType: null, lastFour: null } : told;
  return {
    deviceId: told.machineId,
    integrationId: told.machineId ? placeOf(told.machineId) : null,
    orderId: told.orderId,
    category: null,
    tax: null,
    fee: null,
    currency: currencyOf(told.currency),
    paymentMethod,
    cardType: card.cardType,
    lastFour: card.lastFour,
    status: statusOf(told),
    soldAt,
    soldAtText: told.machineTime,
    processedAt: told.settledAt,
    version: null,
    movesStock: true,
    details: {
      ...told.details,
      paymentMethod: told.paymentMethod,
      recognition: told.recognition,
      authorized: told.authorized,
      settled: told.settled,
    },
    raw: told.raw,
  };
}

/** Settled for less than authorised is normal: what settled is what was paid. Nothing settled is a failed vend. */
function statusOf({ settledAt, settled, cancelled }: Transaction): VendorSaleStatus {
  if (cancelled) return 'failed';
  if (!settledAt) return 'pending';
  return Number(settled ?? 0) > 0 ? 'completed' : 'failed';
}

function currencyOf(told: string | null): string {
  return told && /^[A-Za-z]{3}$/.test(told) ? told.toUpperCase() : 'USD';
}

/** Nayax names dozens of methods; reports count cash, credit, contactless, mobile and prepaid, and any other by name. */
function methodOf(method: string | null, recognition: string | null): string | null {
  const words = `${method ?? ''} ${recognition ?? ''}`.toLowerCase();
  if (words.trim() === '') return null;
  if (/\bcash\b|\bcoin|\bbill/.test(words)) return 'cash';
  if (/prepaid|loyalty|closed loop/.test(words)) return 'prepaid';
  if (/mobile|monyx|wallet|\bapp\b|apple|google|\bqr\b/.test(words)) return 'mobile';
  if (/contactless|\bnfc\b|\btap\b/.test(words)) return 'contactless';
  if (/credit|debit|card/.test(words)) return 'credit';
  return method?.toLowerCase().slice(0, 50) ?? null;
}

/** Whether anything happened to a sale after an instant: a settlement of an older sale counts. */
export function changedSince(sale: VendorSale, since: Date | null): boolean {
  if (since === null) return true;
  return Math.max(sale.soldAt.getTime(), sale.processedAt?.getTime() ?? 0) >= since.getTime();
}
