import { gzipSync, zipSync } from 'fflate';
import {
  detailsOf,
  deviceOf,
  localParts,
  money,
  type Trade,
  totalOf,
  transactionColumns,
  transactionRow,
} from './rows.ts';

export const reportNames = ['transactions', 'line-items', 'daily-items', 'rollup'] as const;
export type ReportName = (typeof reportNames)[number];

const quoted = (cells: readonly string[]): string => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');

/** A report as the vendor writes it: UTF-8 with a byte order mark, every cell in quotes. */
export function reportText(name: ReportName, trades: readonly Trade[], timeZone: string): string {
  const lines = { transactions, 'line-items': lineItems, 'daily-items': dailyItems, rollup }[name](trades, timeZone);
  return `\uFEFF${lines.map((cells) => `${quoted(cells)}\r\n`).join('')}`;
}

function transactions(trades: readonly Trade[], timeZone: string): string[][] {
  const rows = trades.map((trade) => transactionRow(trade, timeZone));
  return [[...transactionColumns], ...rows.map((row) => transactionColumns.map((column) => row[column]))];
}

const lastFour = (trade: Trade): string => String(1000 + (Number(trade.reference.slice(-4)) % 9000));
const plain = (cents: number): string => (cents / 100).toFixed(2);

function lineItems(trades: readonly Trade[], timeZone: string): string[][] {
  const header =
    'Ref Nbr,Device Serial Num,Tran Date,Tran Time,Tran Amount,Trans Type Code,Masked Card Number,Item,Line Item Price,Line Item MDB Number,Quantity,Card Id';
  const rows = trades.flatMap((trade) => {
    const { date, time24 } = localParts(trade.at, timeZone);
    const start = [trade.reference, deviceOf(trade.place), date, time24, plain(totalOf(trade)), codeOf(trade)];
    const card = trade.cash ? '' : `************${lastFour(trade)}`;
    const line = (item: string, price: number, quantity: number, at: number): string[] => [
      ...start,
      ...[card, item, plain(price), String(at), String(quantity), trade.cash ? '' : trade.reference.slice(-6)],
    ];
    const items = trade.items.map((item, at) => line(item.code, item.price, item.quantity, at + 11));
    return trade.fee ? [...items, line('Two-Tier Pricing', trade.fee, 1, 0)] : items;
  });
  return [header.split(','), ...rows];
}

const codeOf = (trade: Trade): string => {
  if (trade.refund) return 'R';
  return trade.cash ? 'C' : 'E';
};

function dailyItems(trades: readonly Trade[], timeZone: string): string[][] {
  const header =
    'Item Ref #,Device,Location,City,State,Zip,Item Type,Item Date,Card Number,Amount,Column(s),Quantity,Settle Status,Card Id';
  const rows = trades.map((trade) => {
    const { date, time12 } = localParts(trade.at, timeZone);
    const { site } = trade.place;
    const row = transactionRow(trade, timeZone);
    const count = trade.items.reduce((sum, item) => sum + item.quantity, 0);
    const place = [trade.reference, deviceOf(trade.place), site.name, site.city, site.state, ''];
    const paid = [row['Trans Type'], `${date} ${time12}`, trade.cash ? '' : `************${lastFour(trade)}`];
    return [...place, ...paid, money(totalOf(trade)), detailsOf(trade), String(count), trade.settle, ''];
  });
  return [header.split(','), ...rows];
}

function rollup(trades: readonly Trade[]): string[][] {
  const header =
    'Customer,Location,Serial #,City,State,Trans Type Name,Tran Count,Vend Count,Amount,Currency Code,Two-Tier Pricing,Loyalty Discount,Purchase Discount,Free Product Discount';
  const groups = new Map<string, Trade[]>();
  for (const trade of trades) {
    const key = `${deviceOf(trade.place)} ${trade.cash}`;
    groups.set(key, [...(groups.get(key) ?? []), trade]);
  }
  const rows = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { site } = first.place;
    const vends = group.reduce((sum, trade) => sum + trade.items.reduce((all, item) => all + item.quantity, 0), 0);
    const amount = group.reduce((sum, trade) => sum + totalOf(trade), 0);
    const fees = group.reduce((sum, trade) => sum + trade.fee, 0);
    const where = [site.designation, site.name, deviceOf(first.place), site.city, site.state];
    const sums = [first.cash ? 'Cash' : 'Credit', String(group.length), String(vends), money(amount), 'USD'];
    return [[...where, ...sums, money(fees), '$0.00', '$0.00', '$0.00']];
  });
  return [header.split(','), ...rows];
}

export function packed(body: Buffer, how: 'plain' | 'gzip' | 'zip', name: string): Buffer {
  if (how === 'gzip') return Buffer.from(gzipSync(body, { mtime: 0 }));
  if (how === 'zip') return Buffer.from(zipSync({ [name]: [body, { mtime: '2026-01-01T00:00:00Z' }] }));
  return body;
}
