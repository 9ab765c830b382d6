import { cardScheme, schemeWithin } from '../../domain/card-types.ts';
import type { VendorBatch, VendorSale } from '../../domain/integration.ts';
import { alertOf } from '../lynx/alert.ts';
import type { ProductLine } from '../lynx/product-lines.ts';
import { amount, decimals, flag, id, instant, isRec, number, type Rec, readInstant, text } from '../lynx/read.ts';
import { type ReadSale, salesOf } from '../lynx/sale.ts';
import { lastFour, scrubbed } from '../lynx/scrub.ts';
import { type HostedFields, requestTypeOf } from './signatures.ts';

const unreadable = (reason: string, raw: unknown): VendorBatch => ({ unreadable: [{ reason, raw }] });

/** A payment on a hosted page: money only, nothing came out of a machine. */
export function readHosted(fields: HostedFields): VendorBatch {
  const rec: Rec = Object.fromEntries(fields);
  const transactionId = text(rec, 'trans_id');
  const total = amount(rec, 'trans_amount');
  const soldAt = hostedTime(text(rec, 'trans_date'));
  if (!transactionId || total === null) return unreadable('A notification without trans_id or trans_amount.', rec);
  if (!soldAt) return unreadable(`Notification ${transactionId} has no trans_date that can be read.`, rec);
  const code = text(rec, 'reply_code', 'replyCode');
  const paid = text(rec, 'payment_details');
  return {
    sales: [
      payment({
        source: 'nayax-hosted',
        transactionId,
        orderId: text(rec, 'trans_order'),
        total,
        currency: text(rec, 'trans_currency'),
        approved: code === '000' || code === '000.000.000',
        method: paid?.replace(/[\d*\s]+$/, '').toLowerCase() || 'credit',
        lastFour: lastFour(paid),
        soldAt,
        details: { responseCode: code, responseMessage: text(rec, 'reply_desc', 'replyDesc') },
        raw: { ...scrubbed(rec), signature: null },
      }),
    ],
  };
}

/** `2026-11-21 14:30:05`, or day first with slashes; GMT. */
function hostedTime(told: string | null): Date | null {
  if (!told) return null;
  const european = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d(?::\d\d)?)$/.exec(told);
  return readInstant(european ? `${european[3]}-${european[2]}-${european[1]}T${european[4]}` : told);
}

/** An e-commerce notification. Its Hmac does not cover the amount, which is therefore marked as unsigned. */
export function readEcom(body: Rec): VendorBatch {
  const transactionId = text(body, 'NayaxTransactionId', 'MerchantRequestId');
  const total = amount(body, 'Amount');
  if (!transactionId) return unreadable('A notification without NayaxTransactionId.', scrubbed(body));
  const undone = undoneBy[requestTypeOf(body)] ?? null;
  if (undone && flag(body, 'IsApproved') !== true) return {};
  if (undone && total === null) return unreadable(undoneWithoutAmount(transactionId, undone), scrubbed(body));
  // Settlements name no amount of their own: the transaction is known from its sale.
  if (total === null) return {};
  const soldAt = instant(body, 'RequestDate', 'TransactionDate');
  if (!soldAt) return unreadable(`Notification ${transactionId} has no RequestDate that can be read.`, scrubbed(body));
  const card = isRec(body.CardInfo) ? body.CardInfo : {};
  const machineId = id(body, 'MachineId');
  return {
    sales: [
      (undone ? givenBack : payment)({
        source: 'nayax-ecom',
        transactionId,
        orderId: text(body, 'MerchantRequestId'),
        total,
        currency: text(body, 'Currency'),
        approved: flag(body, 'IsApproved') === true,
        method: text(body, 'PaymentMethodVariant', 'PaymentMethod')?.toLowerCase() ?? 'credit',
        lastFour: lastFour(text(card, 'CardFinalDigits')),
        soldAt,
        details: { terminal: machineId, amountSigned: false, cardBrand: text(card, 'Brand') },
        raw: scrubbed(body),
      }),
    ],
  };
}

/** Requests that take an approved payment back, and how that is said. */
const undoneBy: Readonly<Record<string, string>> = {
  ...{ Refund: 'was paid back', Cancel: 'was cancelled', Void: 'was cancelled', Reversal: 'was cancelled' },
};

const undoneWithoutAmount = (transactionId: string, undone: string): string =>
  `Payment ${transactionId} ${undone}, and Nayax does not say how much of it. Look it up in Nayax Core: until then it counts in full. Then leave this message out.`;

type Payment = {
  source: string;
  transactionId: string;
  orderId: string | null;
  total: string;
  currency: string | null;
  approved: boolean;
  method: string;
  lastFour: string | null;
  soldAt: Date;
  details: Rec;
  raw: Rec;
};

/** Money that went back, beside the payment it is of: parts of one may go back one after the other. */
function givenBack(told: Payment): VendorSale {
  const line = `refund-${told.soldAt.toISOString()}`;
  const paid = payment(told);
  const amount = `-${told.total.replace('-', '')}`;
  return {
    ...paid,
    ...{ vendorId: `${paid.vendorId}:${line}`, ledger: { ...paid.ledger, line } },
    ...{ unitPrice: amount, amount, status: 'refunded' },
  };
}

function payment(told: Payment): VendorSale {
  return {
    vendorId: `${told.source}:${told.transactionId}`,
    ledger: { source: told.source, transactionId: told.transactionId, line: null },
    deviceId: null,
    integrationId: null,
    orderId: told.orderId,
    slotNumber: null,
    productName: null,
    productCode: null,
    category: null,
    quantity: 1,
    unitPrice: told.total,
    amount: told.total,
    tax: null,
    fee: null,
    currency: told.currency && /^[A-Za-z]{3}$/.test(told.currency) ? told.currency.toUpperCase() : 'USD',
    // A scheme is no way of paying: who pays by Visa pays by card.
    paymentMethod: schemeWithin(told.method) ? 'credit' : told.method.slice(0, 50),
    cardType: cardScheme(text(told.details, 'cardBrand')) ?? schemeWithin(told.method),
    lastFour: told.lastFour,
    status: told.approved ? 'completed' : 'failed',
    soldAt: told.soldAt,
    soldAtText: null,
    processedAt: told.soldAt,
    version: null,
    movesStock: false,
    details: told.details,
    raw: told.raw,
  };
}

/** A transaction message of the queue: the same sale that `lastSales` tells, under names with blanks in them. */
export function readTransaction(body: Rec): VendorBatch {
  const data = isRec(body.Data) ? body.Data : null;
  const transactionId = id(body, 'TransactionId');
  const raw = scrubbed(body);
  if (!data || !transactionId) return unreadable('A transaction message without TransactionId or Data.', raw);
  const read: ReadSale = salesOf({
    transactionId,
    machineId: id(body, 'MachineId'),
    orderId: text(data, 'PayServTransid', 'Authorization RRN'),
    authorized: amount(data, 'Authorization Value'),
    settled: amount(data, 'SeValue'),
    currency: text(data, 'Currency'),
    paymentMethod: text(data, 'Payment Method Description'),
    recognition: text(data, 'Recognition Description'),
    cardType: text(data, 'Brand'),
    lastFour: lastFour(text(data, 'Card Last 4 Digits')),
    lines: linesOf(data.Products),
    quantity: 1,
    authorizedAt: instant(data, 'Authorization Time'),
    settledAt: instant(data, 'Settlement Time'),
    machineTime: text(data, 'Machine AuTime') ?? text(body, 'MachineTime'),
    cancelled: isCancelled(body, data),
    details: { provider: text(data, 'Billing Provider Name') },
    raw,
  });
  return 'reason' in read ? unreadable(read.reason, raw) : { sales: read.sales };
}

/** 255 is the cancel type of a sale that settled. */
function isCancelled(body: Rec, data: Rec): boolean {
  const cancel = number(data, 'Cancel Type');
  return flag(body, 'Void') === true || flag(data, 'Settlment Failed') === true || (cancel !== null && cancel !== 255);
}

function linesOf(products: unknown): ProductLine[] {
  if (!Array.isArray(products)) return [];
  return products.filter(isRec).map((product) => {
    const code = text(product, 'Product PA Code', 'Product Code in Map');
    const price = amount(product, 'Product Bruto');
    return {
      name: text(product, 'Product Name'),
      code,
      slotNumber: code,
      price: price === null ? null : Number(decimals(Number(price))),
    };
  });
}

/** An event message of the queue. */
export function readEvent(body: Rec): VendorBatch {
  const machineId = id(body, 'machineId');
  const raisedAt = instant(body, 'eventDateTimeGMT');
  const code = text(body, 'eventCode');
  if (!machineId || !raisedAt) return unreadable('An event without machine or time.', body);
  return {
    alerts: [
      alertOf({
        machineId,
        code,
        name: text(body, 'eventName') ?? `Event ${code ?? 'without a code'}`,
        category: text(body, 'eventCategoryName', 'eventSourceName'),
        data: text(body, 'eventData'),
        raisedAt,
        raw: { ...body, enc_key: null },
      }),
    ],
  };
}

/** A DEX file in a message of the queue: one letter a byte. */
export function readDex(body: Rec): VendorBatch {
  const file = typeof body.DexData === 'string' ? body.DexData : '';
  const serialNumber = text(body, 'HWSerial');
  if (file === '') return unreadable('A DEX message without a file.', body);
  const bytes = Uint8Array.from(file, (letter) => letter.charCodeAt(0) & 0xff);
  return { dexReads: [{ deviceId: null, serialNumber, bytes, readAt: null }] };
}
