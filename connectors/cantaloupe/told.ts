import { isFee, type Part, readCents, readParts } from './amounts.ts';
import type { Cells, LayoutName } from './layouts.ts';
import { type LocalTime, readLocalTime } from './local-time.ts';

/**
 * One row as a report tells it, before its time is placed. `parts` are what was bought; `surcharge` is what was added for
 * paying by card. All amounts are hundredths with their sign.
 */
export type Told = {
  reference: string;
  device: string;
  location: string;
  city: string;
  state: string;
  zip: string;
  asset: string;
  time: LocalTime;
  amount: bigint;
  parts: Part[];
  surcharge: bigint;
  tradeType: string;
  cardType: string;
  cardNumber: string;
  settleState: string;
  currency: string;
  /** The items and fees do not add up to the amount. */
  differs: boolean;
  raw: Record<string, string>;
};

export type ToldDevice = Pick<Told, 'device' | 'location' | 'city' | 'state' | 'zip' | 'asset'>;

/** Reads a row; text: why it cannot be read. A row of the line item layout is a piece of a transaction: see `joinLines`. */
export function readRow(layout: Exclude<LayoutName, 'rollup'>, cells: Cells): Told | string {
  return { transactions: readTransaction, 'line-items': readLineItem, 'daily-items': readDailyItem }[layout](cells);
}

function readTransaction(cells: Cells): Told | string {
  const told = base(cells, {
    ...{ reference: 'reference #', device: 'device', time: cells('date'), amount: 'amount' },
    ...{ tradeType: cells('trans type'), settleState: cells('settle state'), cardNumber: cells('card number') },
  });
  return typeof told === 'string' ? told : withParts(told, cells('details'));
}

function readDailyItem(cells: Cells): Told | string {
  const told = base(cells, {
    ...{ reference: 'item ref #', device: 'device', time: cells('item date'), amount: 'amount' },
    ...{ tradeType: cells('item type'), settleState: cells('settle status'), cardNumber: cells('card number') },
  });
  return typeof told === 'string' ? told : withParts(told, cells('column(s)'));
}

function readLineItem(cells: Cells): Told | string {
  const told = base(cells, {
    ...{ reference: 'ref nbr', device: 'device serial num', amount: 'tran amount' },
    ...{ time: `${cells('tran date')} ${cells('tran time')}`, tradeType: cells('trans type code') },
    ...{ settleState: '', cardNumber: cells('masked card number') },
  });
  if (typeof told === 'string') return told;
  const price = readCents(cells('line item price'));
  if (price === null) return `has a line item price that is no amount: ${cells('line item price').slice(0, 40)}`;
  const quantity = readQuantity(cells('quantity'));
  if (quantity === null) return `has a quantity that is no whole number above 0: ${cells('quantity').slice(0, 40)}`;
  const label = cells('item');
  if (isFee(label)) return { ...told, surcharge: price * BigInt(quantity) };
  return { ...told, parts: label === '' && price === 0n ? [] : [{ label, quantity, price }] };
}

type Where = {
  reference: string;
  device: string;
  time: string;
  amount: string;
  tradeType: string;
  settleState: string;
  cardNumber: string;
};

function base(cells: Cells, where: Where): Told | string {
  const [reference, device] = [cells(where.reference), cells(where.device)];
  if (reference === '' || reference.length > 80) return 'has no reference';
  if (device === '' || device.length > 100) return 'has no device';
  const time = readLocalTime(where.time);
  if (!time) return `has a date that cannot be read: ${where.time.slice(0, 40)}`;
  const amount = readCents(cells(where.amount));
  if (amount === null) return `has an amount that cannot be read: ${cells(where.amount).slice(0, 40)}`;
  return {
    ...{ reference, device, time, amount, parts: [], surcharge: 0n, differs: false },
    ...{ location: cells('location'), city: cells('city'), state: cells('state'), zip: cells('zip') },
    ...{ asset: cells('asset #'), cardType: cells('card type'), currency: cells('currency code').toUpperCase() },
    ...{ tradeType: where.tradeType, settleState: where.settleState, cardNumber: where.cardNumber },
    raw: rawOf(cells),
  };
}

/** Columns worth keeping beside what is read from them; a card number is cut down to its last four digits. */
const rawColumns = [
  ...['reference #', 'reconcile group', 'trans type', 'settle state', 'tran #', 'device', 'terminal', 'location'],
  ...['asset #', 'client', 'date', 'card type', 'amount', 'ap code', 'details', 'batch #', 'ref nbr', 'tran date'],
  ...['device serial num', 'tran time', 'tran amount', 'trans type code', 'item', 'line item price', 'quantity'],
  ...[
    'line item mdb number',
    'item ref #',
    'item type',
    'item date',
    'column(s)',
    'settle status',
    'city',
    'state',
    'zip',
  ],
];

function rawOf(cells: Cells): Record<string, string> {
  const raw: Record<string, string> = {};
  for (const column of rawColumns) {
    const cell = cells(column);
    if (cell !== '') raw[column] = cell.slice(0, 500);
  }
  return raw;
}

function readQuantity(text: string): number | null {
  if (text === '') return 1;
  const quantity = /^\d{1,4}(?:\.0+)?$/.test(text) ? Number.parseInt(text, 10) : 0;
  return quantity > 0 ? quantity : null;
}

function withParts(told: Told, cell: string): Told {
  const all = readParts(cell);
  if (all === null) return { ...told, differs: true };
  const parts = all.filter((part) => !isFee(part.label));
  const surcharge = totalOf(all.filter((part) => isFee(part.label)));
  return whole({ ...told, parts, surcharge, differs: all.length > 0 });
}

/**
 * A transaction with all of its parts. Money that is given back has an amount below nothing beside parts and fees that are
 * written as they were when it was taken: the fee then goes the way of the amount. `differs` comes as whether it is known at all.
 */
function whole(told: Told): Told {
  const sum = totalOf(told.parts) + told.surcharge;
  const isGivenBack = told.amount < 0n;
  const adds = sum === told.amount || (isGivenBack && sum === -told.amount);
  const surcharge = isGivenBack && told.surcharge > 0n ? -told.surcharge : told.surcharge;
  return { ...told, surcharge, differs: told.differs && !adds };
}

/** Cents of all parts together. */
export const totalOf = (parts: readonly Part[]): bigint =>
  parts.reduce((sum, part) => sum + part.price * BigInt(part.quantity), 0n);

/** Puts the rows of each transaction of the line item layout together, in the order in which they first appear. */
export function joinLines(rows: readonly Told[]): Told[] {
  const joined = new Map<string, Told>();
  for (const row of rows) {
    const key = JSON.stringify([row.reference, row.device, row.amount < 0n]);
    const known = joined.get(key);
    joined.set(
      key,
      known
        ? { ...known, parts: [...known.parts, ...row.parts], surcharge: known.surcharge + row.surcharge }
        : { ...row },
    );
  }
  return [...joined.values()].map((one) => whole({ ...one, differs: true }));
}
