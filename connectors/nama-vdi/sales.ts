import { schemeWithin } from '../../domain/card-types.ts';
import type { VendorSale } from '../../domain/integration.ts';
import type { Header } from './document.ts';
import { readInstant } from './time.ts';
import { child, descendants, type XmlNode } from './xml.ts';

export type Reading = {
  header: Header;
  timeZone: string;
  currency: string;
  /** Records that could not be read, each with the reason. */
  refuse: (reason: string, id: string, raw: unknown) => void;
};

/** Decimal text as a sender writes it; null for what is none. */
export function decimal(told: string | undefined): string | null {
  const found = /^\s*([+-]?)(\d{1,12})?(?:\.(\d{1,8}))?\s*$/.exec(told ?? '');
  if (!found || (found[2] === undefined && found[3] === undefined)) return null;
  const [, sign, whole = '0', fraction] = found;
  return `${sign === '-' ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}

/** Ten-thousandths, so that sums of four decimals are exact. */
const units = (told: string | null): number => Math.round(Number(told ?? 0) * 10_000);
const text = (tenThousandths: number): string => (tenThousandths / 10_000).toFixed(4).replace(/0{1,2}$/, '');

/** The same for every configuration that exchanges with this provider. */
export const integrationId = (header: Header, place: string): string =>
  `nama_vdi:${header.providerId}:${place}`.slice(0, 300);

/** The source of the ledger: sale ids are unique for an operator at one provider. */
export const ledgerSource = (header: Header): string =>
  `nama_vdi:${header.providerId}:${header.operatorId}`.slice(0, 50);

/**
 * Amounts of an item are per piece by the standard's text, per line with some senders: the reading under which the items
 * add up to the summary counts. Null: neither does.
 */
function lineFactor(items: readonly XmlNode[], total: string | null): 'piece' | 'line' | null {
  if (total === null) return 'piece';
  const sum = (pick: (item: XmlNode) => number): number => items.reduce((all, item) => all + pick(item), 0);
  const close = (a: number): boolean => Math.abs(a - units(total)) <= 100;
  const totalOf = (item: XmlNode): number => units(decimal(item.attributes.Total));
  if (close(sum((item) => totalOf(item) * quantityOf(item)))) return 'piece';
  return close(sum(totalOf)) ? 'line' : null;
}

const quantityOf = (item: XmlNode): number => {
  const told = Number(item.attributes.Quantity ?? 1);
  return Number.isInteger(told) && told > 0 && told <= 10_000 ? told : 1;
};

/** mms-sales: each item a row; how it was paid stands with every one. */
export function readSales(root: XmlNode, reading: Reading): VendorSale[] {
  return descendants(root, 'Sale').flatMap((sale) => readSale(sale, reading));
}

function readSale(sale: XmlNode, reading: Reading): VendorSale[] {
  const { MarketID: market = '', KioskID: kiosk, SaleID: id, SaleTime: told } = sale.attributes;
  const soldAt = readInstant(told, reading.timeZone);
  const items = descendants(sale, 'Item');
  if (!id) return refused(reading, 'A sale without SaleID', '', sale);
  if (!soldAt) return refused(reading, 'A sale whose SaleTime is no time', id, sale);
  if (items.length === 0) return refused(reading, 'A sale without items', id, sale);
  const total = decimal(child(sale, 'Summary')?.attributes.Total);
  const factor = lineFactor(items, total);
  const tenders = tendersOf(sale);
  const shared = { id, market, kiosk: kiosk ?? null, soldAt, told: told ?? '', factor, total, tenders };
  return items.map((item, line) => rowOf(item, line, { ...shared, reading }));
}

function refused(reading: Reading, reason: string, id: string, raw: XmlNode): [] {
  reading.refuse(reason, id, withoutPerson(raw));
  return [];
}

/** Names of customers are nothing we need. */
function withoutPerson(node: XmlNode): unknown {
  const { ConsumerName, ...attributes } = node.attributes;
  return { name: node.name, attributes, children: node.children.map(withoutPerson) };
}

type Tender = { type: string; description: string | null; amount: string | null };

function tendersOf(sale: XmlNode): Tender[] {
  return descendants(sale, 'Tender').map(({ attributes }) => ({
    type: (attributes.Type ?? '').toLowerCase(),
    // A reference may be a card number; the type and the amount say enough.
    description: attributes.Description?.replaceAll(/\d{5,}/g, '…') ?? null,
    amount: decimal(attributes.Amount),
  }));
}

/** The scheme where all cards of a sale are of one. */
function schemeOf(tenders: readonly Tender[]): string | null {
  const named = new Set(tenders.map(({ description }) => schemeWithin(description)).filter((one) => one !== null));
  return named.size === 1 ? ([...named][0] ?? null) : null;
}

function methodOf(tenders: readonly Tender[]): string | null {
  const types = [...new Set(tenders.map(({ type }) => type).filter((type) => type !== ''))];
  return types.length > 1 ? 'mixed' : (types[0] ?? null);
}

type Shared = {
  reading: Reading;
  id: string;
  market: string;
  kiosk: string | null;
  soldAt: Date;
  told: string;
  factor: 'piece' | 'line' | null;
  total: string | null;
  tenders: Tender[];
};

function rowOf(item: XmlNode, line: number, shared: Shared): VendorSale {
  const { reading, id, market, kiosk, soldAt, told, factor, total, tenders } = shared;
  const { header, currency } = reading;
  const quantity = quantityOf(item);
  const [price, itemTotal] = [decimal(item.attributes.Price), decimal(item.attributes.Total)];
  const byLine = factor === 'line';
  const amount = byLine ? units(itemTotal ?? price) : units(itemTotal ?? price) * quantity;
  const unitPrice = byLine ? units(price) / quantity : units(price);
  const taxes = decimal(child(item, 'Taxes')?.attributes.Total);
  const code = item.attributes.Code?.trim();
  // One of several things may be brought back where others are bought.
  const isRefund = units(total) < 0 || amount < 0;
  return {
    vendorId: `${id}#${line + 1}`.slice(0, 200),
    ledger: { source: ledgerSource(header), transactionId: id.slice(0, 100), line: String(line + 1) },
    deviceId: kiosk,
    integrationId: market === '' ? null : integrationId(header, market),
    orderId: id.slice(0, 200),
    slotNumber: null,
    productName: item.attributes.ProductName?.slice(0, 255) ?? null,
    productCode: (code || item.attributes.ProductID)?.slice(0, 100) ?? null,
    category: null,
    quantity,
    unitPrice: text(unitPrice),
    amount: text(amount),
    tax: taxes === null ? null : text(byLine ? units(taxes) : units(taxes) * quantity),
    fee: null,
    currency,
    paymentMethod: methodOf(tenders),
    cardType: schemeOf(tenders),
    lastFour: null,
    status: isRefund ? 'refunded' : 'completed',
    soldAt,
    soldAtText: told,
    processedAt: null,
    version: null,
    // What becomes of a product that was brought back the next count tells.
    movesStock: !isRefund,
    details: {
      transactionType: 'sale',
      deviceType: 'kiosk',
      productId: item.attributes.ProductID ?? null,
      paymentData: tenders,
      ...(factor === null ? { errorMessage: 'The items do not add up to the total of the sale.' } : {}),
    },
    raw: withoutPerson(item),
  };
}

/** A row that only accounts for money. */
function moneyRow(
  node: XmlNode,
  reading: Reading,
  told: { id: string; time: string | undefined; transactionType: string; method: string | null },
): VendorSale[] {
  const amount = decimal(node.attributes.Amount);
  const at = readInstant(told.time, reading.timeZone);
  if (!told.id || amount === null || !at) {
    return refused(reading, 'A record without id, time or amount', told.id, node);
  }
  const { MarketID: market } = node.attributes;
  const vendorId = `${told.transactionType}:${told.id}`.slice(0, 200);
  return [
    {
      vendorId,
      ledger: { source: ledgerSource(reading.header), transactionId: vendorId.slice(0, 100), line: null },
      deviceId: node.attributes.KioskID ?? null,
      integrationId: market ? integrationId(reading.header, market) : null,
      orderId: null,
      slotNumber: null,
      productName: null,
      productCode: null,
      category: null,
      quantity: 1,
      unitPrice: text(units(amount)),
      amount: text(units(amount)),
      tax: null,
      fee: null,
      currency: reading.currency,
      paymentMethod: told.method,
      cardType: null,
      lastFour: null,
      status: 'completed',
      soldAt: at,
      soldAtText: told.time ?? null,
      processedAt: null,
      version: null,
      movesStock: false,
      details: { transactionType: told.transactionType, deviceType: 'kiosk' },
      raw: withoutPerson(node),
    },
  ];
}

/** mms-transactions: money put on consumers' accounts, and corrections of them. */
export function readAccountTransactions(root: XmlNode, reading: Reading): VendorSale[] {
  return descendants(root, 'ConsumerTransaction').flatMap((node) => {
    const { Type: type = '', TransactionID: id = '', TransactionTime: time } = node.attributes;
    const isAdjustment = type.toUpperCase() === 'ADJUSTMENT';
    const transactionType = isAdjustment ? 'adjustment' : 'account_deposit';
    return moneyRow(node, reading, { id, time, transactionType, method: isAdjustment ? null : type.toLowerCase() });
  });
}

/** mms-collections: cash taken out of kiosks. */
export function readCollections(root: XmlNode, reading: Reading): VendorSale[] {
  return descendants(root, 'CashCollection').flatMap((node) => {
    const { CollectionTime: time, KioskID: kiosk = '' } = node.attributes;
    const id = time ? `${time}:${kiosk}` : '';
    return moneyRow(node, reading, { id, time, transactionType: 'cash_collection', method: 'cash' });
  });
}
