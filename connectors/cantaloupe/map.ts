import type { VendorBatch, VendorDevice, VendorSale, VendorSaleStatus } from '../../domain/integration.ts';
import { fromHundredths } from '../../domain/units.ts';
import type { Part } from './amounts.ts';
import { readCsv } from './csv.ts';
import { type Cells, keyColumn, type LayoutName, layoutTitle, type Report, recogniseReport } from './layouts.ts';
import { inFileOrder, zoneClock } from './local-time.ts';
import { joinLines, readRow, type Told, type ToldDevice, totalOf } from './told.ts';

export type About = { timeZone: string; receivedAt: Date };

/**
 * Reads one report. Null: not one of the layouts. Rows that cannot be read are kept with the reason. A file that stops in
 * the middle of a row is read up to the transaction before it: half of one would be booked as if it were whole.
 */
export function readReport(text: string, about: About): { layout: LayoutName; batch: VendorBatch } | null {
  const csv = readCsv(text.replace(/^\uFEFF/, ''));
  const report = recogniseReport(csv.rows);
  if (!report) return null;
  if (report.layout === 'rollup') return { layout: report.layout, batch: { devices: rollupDevices(report, about) } };
  const unreadable: { reason: string; raw: unknown }[] = [];
  const told: Told[] = [];
  const last = report.rows.at(-1);
  const isCut = csv.endsOpen && last !== undefined && last.width < report.width;
  const cutReference = isCut ? referenceOf(report.layout, last.cells) : null;
  for (const row of report.rows) {
    const where = `Line ${row.line} of ${layoutTitle[report.layout]}`;
    const isPart = isCut && (row === last || referenceOf(report.layout, row.cells) === cutReference);
    const read = isPart ? 'stands where the file stops: it is only half written' : readRow(report.layout, row.cells);
    if (typeof read === 'string') unreadable.push({ reason: `${where} ${read}.`, raw: { line: row.line } });
    else told.push(read);
  }
  const whole = report.layout === 'line-items' ? joinLines(told) : told;
  return { layout: report.layout, batch: { ...batchOf(whole, about), unreadable } };
}

const referenceOf = (layout: LayoutName, cells: Cells): string => cells(keyColumn[layout]);

function rollupDevices(report: Report, about: About): VendorDevice[] {
  const devices = new Map<string, VendorDevice>();
  for (const { cells } of report.rows) {
    const device = cells('serial #');
    if (device === '') continue;
    const told = { device, location: cells('location'), city: cells('city'), state: cells('state') };
    devices.set(device, toDevice({ ...told, zip: cells('zip'), asset: cells('asset #') }, about.receivedAt));
  }
  return [...devices.values()];
}

/** Sales and devices of transactions, whatever layout or pull told them. */
export function batchOf(told: readonly Told[], { timeZone, receivedAt }: About): VendorBatch {
  const clock = zoneClock(timeZone);
  const byDevice = new Map<string, Told[]>();
  for (const one of told) {
    const rows = byDevice.get(one.device);
    if (rows) rows.push(one);
    else byDevice.set(one.device, [one]);
  }
  const sales: VendorSale[] = [];
  const devices: VendorDevice[] = [];
  for (const rows of byDevice.values()) {
    const times = inFileOrder(
      clock,
      rows.map((row) => row.time),
      isFalling(rows),
    );
    let latest = 0;
    for (const [at, row] of rows.entries()) {
      const soldAt = times[at] ?? receivedAt;
      latest = Math.max(latest, soldAt.getTime());
      sales.push(...toSales(row, { soldAt, receivedAt }));
    }
    const first = rows.find((row) => row.location !== '') ?? rows[0];
    if (first) devices.push(toDevice(first, new Date(latest)));
  }
  return { devices, sales };
}

/** Newest first, by the days of the rows: hours say nothing where a clock is put back. */
function isFalling(rows: readonly Told[]): boolean {
  let steps = 0;
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1];
    if (!before) continue;
    const [a, b] = [before.time.day, row.time.day].map((day) => Date.parse(day)) as [number, number];
    const step = Math.sign(b - a) || Math.sign(row.time.seconds - before.time.seconds);
    steps += step;
  }
  return steps < 0;
}

function toDevice(told: ToldDevice, lastSeenAt: Date): VendorDevice {
  const text = (value: string, most: number): string | null => value.slice(0, most) || null;
  return {
    vendorId: told.device,
    locationType: 'vending_machine',
    integrationId: `cantaloupe:${told.device}`,
    machineNumber: text(told.asset, 100),
    name: text(told.location, 255) ?? told.device,
    serialNumber: told.device,
    ...{ model: null, firmware: null, address: null, latitude: null, longitude: null },
    city: text(told.city, 100),
    state: text(told.state, 50),
    zipCode: text(told.zip, 20),
    status: 'active',
    lastSeenAt,
    removed: false,
    details: {},
    raw: null,
  };
}

/** A transaction as one row an item: sorted, so that every layout and order of rows gives each the same number. */
function toSales(told: Told, { soldAt, receivedAt }: { soldAt: Date; receivedAt: Date }): VendorSale[] {
  const isRefund = told.amount < 0n || /refund/i.test(told.tradeType);
  const items = itemsOf(told);
  return items.map((item, at): VendorSale => {
    const line = isRefund ? `refund-${at + 1}` : String(at + 1);
    const sign = isRefund && item.price > 0n ? -1n : 1n;
    const code = item.label.slice(0, 50) || null;
    return {
      vendorId: items.length === 1 && !isRefund ? told.reference : `${told.reference}:${line}`,
      ledger: { source: 'cantaloupe', transactionId: told.reference, line },
      deviceId: told.device,
      integrationId: `cantaloupe:${told.device}`,
      orderId: told.reference,
      slotNumber: code === null ? null : slotOf(code),
      productName: null,
      productCode: code,
      category: null,
      quantity: item.quantity,
      unitPrice: fromHundredths(sign * item.price),
      amount: fromHundredths(sign * item.price * BigInt(item.quantity)),
      ...{ tax: null, fee: null },
      currency: /^[A-Z]{3}$/.test(told.currency) ? told.currency : 'USD',
      ...paymentOf(told),
      status: isRefund ? 'refunded' : statusOf(told.settleState),
      soldAt,
      soldAtText: told.time.text,
      processedAt: receivedAt,
      version: null,
      movesStock: !isRefund,
      details: {
        transactionAmount: fromHundredths(told.amount),
        ...(at === 0 && told.surcharge !== 0n ? { surcharge: fromHundredths(told.surcharge) } : {}),
        ...(told.differs ? { flag: 'items and fees do not add up to the amount' } : {}),
        tradeType: told.tradeType,
      },
      raw: told.raw,
    };
  });
}

/** What was bought; the whole amount as one piece where the report does not say what. */
function itemsOf(told: Told): Part[] {
  const amount = told.amount - told.surcharge;
  const [only] = told.parts;
  if (!only) return [{ label: '', quantity: 1, price: amount }];
  if (told.parts.length === 1 && told.differs && told.amount > 0n && amount % BigInt(only.quantity) === 0n) {
    return [{ ...only, price: amount / BigInt(only.quantity) }];
  }
  // A refund tells what was bought by its prices; what is given back is its amount.
  if (told.amount < 0n && totalOf(told.parts) !== -amount && totalOf(told.parts) !== amount) {
    return [{ label: only.label, quantity: 1, price: amount }];
  }
  return [...told.parts].sort(inOrder);
}

function inOrder(a: Part, b: Part): number {
  if (a.label !== b.label) return a.label < b.label ? -1 : 1;
  return Number(a.price - b.price) || a.quantity - b.quantity;
}

/** `0B06` is what stands at B6: codes are filled up with zeros. */
function slotOf(code: string): string {
  const groups = /^0*(?<row>[A-Za-z]?)0*(?<number>\d{1,4})$/.exec(code)?.groups;
  return (groups ? `${(groups.row ?? '').toUpperCase()}${groups.number}` : code).slice(0, 20);
}

function paymentOf(told: Told): Pick<VendorSale, 'paymentMethod' | 'cardType' | 'lastFour'> {
  const kind = /^(?<name>[^(]*)(?:\((?<wallet>[^)]*)\))?/.exec(told.tradeType)?.groups;
  const name = (kind?.name ?? '').trim().toLowerCase();
  const isCash = name === 'cash' || name === 'c';
  const wallet = kind?.wallet ?? '';
  const method = isCash ? 'cash' : methodOf(name, wallet);
  const digits = /(\d{4})\D*$/.exec(told.cardNumber)?.[1] ?? null;
  return {
    paymentMethod: method,
    cardType: isCash ? null : told.cardType || null,
    lastFour: isCash ? null : digits,
  };
}

function methodOf(name: string, wallet: string): string {
  if (/pay\b/i.test(wallet)) return 'mobile';
  if (/contactless/i.test(wallet)) return 'contactless';
  return /prepaid|special|access|pass|campus/.test(name) ? 'prepaid' : 'credit';
}

function statusOf(settleState: string): VendorSaleStatus {
  if (/fail|declin|denied|error|cancel|void|reject/i.test(settleState)) return 'failed';
  if (/unsettled|pend|process|incomplete|author|open/i.test(settleState)) return 'pending';
  return 'completed';
}
