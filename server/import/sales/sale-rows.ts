import { createHash } from 'node:crypto';
import { isCurrency } from '../../../domain/currency.ts';
import { fitting, isRounded, otherCurrency, readMoney, readWhole, squeezed } from '../file/cells.ts';
import { type Aliases, type Columns, machineNumberNames, plainName } from '../file/columns.ts';
import { readWritten, type Written } from '../file/dates.ts';
import type { SourceRow } from '../file/read-table.ts';
import type { Longest } from '../run.ts';

export const saleAliases = {
  transactionId: ['transaction', 'transactionid', 'transid', 'transactionnumber', 'receipt', 'orderid'],
  deviceId: ['deviceid', ...machineNumberNames, 'device', 'terminal'],
  machineName: ['machine', 'machinename'],
  location: ['location', 'place', 'site', 'locationname'],
  productName: ['product', 'productname', 'item', 'itemname', 'itemdescription', 'coffeename', 'description'],
  productCode: ['barcode', 'productcode', 'upc', 'gtin', 'ean', 'sku'],
  category: ['category', 'productcategory'],
  soldAt: [
    ...['datetime', 'timestamp', 'soldat', 'saledate', 'transdate', 'transactiondate', 'transactiontime', 'datesold'],
    ...['solddate', 'salesdate', 'date'],
  ],
  // Read where the date says no time of day.
  soldTime: ['time', 'timesold', 'soldtime', 'saletime', 'timeofsale', 'transtime', 'transactiontime'],
  processedOn: ['prcddate', 'processeddate', 'processedon', 'processedat', 'settlementdate'],
  paymentMethod: ['paymentmethod', 'paymenttype', 'cashtype', 'payment', 'tender', 'type'],
  card: ['card', 'cardnumber', 'cardid'],
  slotNumber: ['rcoil', 'coil', 'slot', 'slotnumber', 'selection', 'mcoil'],
  price: ['rprice', 'price', 'unitprice', 'mprice', 'vendprice', 'sellprice', 'saleprice'],
  mappedPrice: ['mprice'],
  quantity: ['rqty', 'quantity', 'qty', 'units', 'mqty', 'quantitysold', 'qtysold', 'unitssold'],
  // The total of a whole transaction stands on each of its lines: it is never read.
  amount: ['linetotal', 'money', 'amount', 'total', 'totalamount', 'sales', 'revenue', 'saleamount'],
  currency: ['currency', 'currencycode'],
  status: ['status', 'state', 'transactionstatus'],
} satisfies Aliases<string>;

export type SaleField = keyof typeof saleAliases;

/** A line of a sale as a row tells it, before machine and clock are known. */
export type SoldRow = ReadSale & { price: bigint; total: bigint; isPricedNow: boolean };

/** As read, before a file without prices was given them. */
export type ReadSale = {
  line: number;
  deviceId: string;
  machineName: string | null;
  location: string | null;
  transactionId: string | null;
  /** Row text that tells sales without a transaction id apart. */
  fingerprint: string;
  productName: string | null;
  productCode: string | null;
  category: string | null;
  slotNumber: string | null;
  quantity: number;
  /** Hundredths; null where the file has no column that says. */
  price: bigint | null;
  total: bigint | null;
  currency: string | null;
  paymentMethod: string | null;
  written: Written;
  successful: boolean;
  refunded: boolean;
  flags: string[];
};

const failedStates = new Set(['failed', 'declined', 'void', 'voided', 'cancelled', 'canceled', 'rejected', 'timeout']);
const refundedStates = new Set(['refunded', 'refund', 'reversed', 'chargeback']);
const soldStates = new Set([
  '',
  'processed',
  'completed',
  'complete',
  'success',
  'successful',
  'settled',
  'approved',
  'ok',
]);

const methods = new Map(
  Object.entries({
    card: 'credit',
    creditcard: 'credit',
    debit: 'credit',
    debitcard: 'credit',
    coin: 'cash',
    coins: 'cash',
    bill: 'cash',
    nfc: 'contactless',
    tap: 'contactless',
    app: 'mobile',
    mobilepay: 'mobile',
  }),
);

export const longestOfSale = {
  ...{ deviceId: 100, machineName: 255, location: 255, transactionId: 100, productName: 255, productCode: 50 },
  ...{ category: 100, slotNumber: 20 },
} satisfies Longest<SaleField>;

/** Reads one row; a text is the reason why it is no sale. `fileMachine` stands in where no column names a machine. */
export function readSale(columns: Columns<SaleField>, row: SourceRow, fileMachine: string): ReadSale | string {
  const read: Read = (field) => squeezed(columns.read(row, field));
  const written = readSold(read);
  if (!written)
    return read('soldAt') ? `has a date that cannot be read: ${read('soldAt').slice(0, 40)}` : 'has no date';
  const sums = readSums(read, columns.has('price') || columns.has('amount'));
  if (typeof sums === 'string') return sums;
  const currency = read('currency').toUpperCase();
  if (currency !== '' && !isCurrency(currency))
    return `has the currency ${currency.slice(0, 20)}, which is no code of a currency`;
  const status = plainName(read('status'));
  const machineName = fitting(read('machineName'), longestOfSale.machineName);
  return {
    line: row.line,
    deviceId: fitting(read('deviceId') || machineName || fileMachine, longestOfSale.deviceId) ?? fileMachine,
    machineName,
    location: fitting(read('location'), longestOfSale.location),
    transactionId: fitting(read('transactionId'), longestOfSale.transactionId),
    fingerprint: fingerprint(read),
    productName: fitting(read('productName'), longestOfSale.productName),
    productCode: isRounded(read('productCode')) ? null : fitting(read('productCode'), longestOfSale.productCode),
    category: fitting(read('category'), longestOfSale.category),
    slotNumber: fitting(read('slotNumber'), longestOfSale.slotNumber),
    ...sums,
    currency: currency || null,
    paymentMethod: methodOf(read('paymentMethod')),
    written,
    successful: !failedStates.has(status),
    refunded: refundedStates.has(status),
    flags: oddities(columns, read, written),
  };
}

/** The code or sign in a cell of money that stands for another currency than this; null where there is none. */
export function foreignMoney(columns: Columns<SaleField>, row: SourceRow, currency: string): string | null {
  const cells = (['price', 'amount'] as const).map((field) => squeezed(columns.read(row, field)));
  return cells.map((cell) => otherCurrency(cell, currency)).find((other) => other !== null) ?? null;
}

type Read = (field: SaleField) => string;

/** How a workbook holds a time of day that stands in a column of its own. */
const dayOfBareTimes = /^1899-12-3[01]T/;

/** Many exports hold the date and the time in two columns. */
function readSold(read: Read): Written | null {
  const written = readWritten(read('soldAt'));
  const time = read('soldTime').replace(dayOfBareTimes, '');
  if (!written || written.msOfDay !== null || time === '') return written;
  return readWritten(`${read('soldAt')} ${time}`) ?? written;
}

/** numeric(10,2). */
const maxHundredths = 9_999_999_999n;

type Sums = Pick<ReadSale, 'quantity' | 'price' | 'total'>;

function readSums(read: Read, hasPrices: boolean): Sums | string {
  const quantity = read('quantity') === '' ? 1 : readWhole(read('quantity'));
  if (quantity === null || quantity < 1 || quantity > 10_000) {
    return `has a quantity that is no whole number above 0: ${read('quantity').slice(0, 40)}`;
  }
  if (!hasPrices) return { quantity, price: null, total: null };
  const total = readMoney(read('amount'));
  const price = readMoney(read('price'));
  if (price === null && total === null) return 'has no price and no amount';
  if ((price ?? 0n) < 0n || (total ?? 0n) < 0n) return 'has a negative amount';
  if (price !== null) {
    const product = price * BigInt(quantity);
    return product > maxHundredths ? 'has an amount that is too large' : { quantity, price, total: product };
  }
  const all = total ?? 0n;
  return { quantity, price: (all + BigInt(quantity) / 2n) / BigInt(quantity), total: all };
}

function methodOf(cell: string): string | null {
  if (cell === '') return null;
  return fitting(methods.get(plainName(cell)) ?? cell.toLowerCase(), 50);
}

/** The card is hashed with the rest: it tells two sales apart and is stored nowhere. */
function fingerprint(read: Read): string {
  const told = (
    ['soldAt', 'card', 'paymentMethod', 'amount', 'price', 'quantity', 'productName', 'slotNumber'] as const
  )
    .map(read)
    // Only where there is one: a file that was imported before it was read stays the same file.
    .concat(read('soldTime') || [])
    .join('\n');
  return createHash('sha256').update(told).digest('hex').slice(0, 24);
}

/** What looks odd about a sale that is kept all the same. */
function oddities(columns: Columns<SaleField>, read: Read, written: Written): string[] {
  const lacks = (field: SaleField): boolean => columns.has(field) && read(field) === '';
  const state = plainName(read('status'));
  const isKnownState = [soldStates, failedStates, refundedStates].some((states) => states.has(state));
  const processed = readWritten(read('processedOn'));
  const [total, price] = [readMoney(read('amount')), readMoney(read('price'))];
  const differs = total !== null && price !== null && price * BigInt(readWhole(read('quantity') || '1') ?? 1) !== total;
  return [
    lacks('productName') ? 'no product' : '',
    lacks('category') ? 'no category' : '',
    isRounded(read('productCode')) ? 'barcode rounded by a spreadsheet: left out' : '',
    lacks('mappedPrice') ? `no ${columns.nameOf('mappedPrice')}` : '',
    isKnownState ? '' : `status ${read('status')}`,
    processed && processed.day < written.day ? 'processed before sold' : '',
    differs ? 'line total is not price x quantity: price x quantity is taken' : '',
  ].filter(Boolean);
}
