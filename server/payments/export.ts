import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { exportFormat, listPayments, type Payment } from '../../contract/payments.ts';
import { AppError } from '../../domain/errors.ts';
import { paymentSource } from '../../domain/payment.ts';
import type { Deps } from '../deps.ts';
import { admitted, parseInput, type Recognise } from '../http/handle.ts';
import { countPayments, findChunk, type RowWish } from './row-queries.ts';
import { rowWish, toPayment } from './service.ts';
import { type Cell, type Column, workbook } from './workbook.ts';

const asked = listPayments.query.omit({ page: true, limit: true }).extend({ format: exportFormat.default('csv') });
type Format = 'csv' | 'xlsx' | 'json';

/** Few enough that whoever comes meanwhile does not wait long for the embedded database. */
const chunkRows = 1_000;
/** Larger workbooks are slow to open. */
const mostRows: Record<Format, number> = { csv: 2_000_000, json: 500_000, xlsx: 100_000 };
const types: Record<Format, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const columns: readonly (Column & { value: (row: Payment) => Cell })[] = [
  { header: 'ID', kind: 'text', value: (row) => row.id },
  { header: 'Date (UTC)', kind: 'text', value: (row) => row.date },
  { header: 'System', kind: 'text', value: (row) => paymentSource(row.system) },
  { header: 'Device', kind: 'text', value: (row) => row.deviceId },
  { header: 'Location', kind: 'text', value: (row) => row.location?.name ?? null },
  { header: 'Product', kind: 'text', value: (row) => row.productName },
  { header: 'Quantity', kind: 'count', value: (row) => row.quantity },
  { header: 'Amount', kind: 'money', value: (row) => row.amount },
  { header: 'Revenue', kind: 'money', value: (row) => row.revenue },
  { header: 'Fee', kind: 'money', value: (row) => row.fee },
  { header: 'Currency', kind: 'text', value: (row) => row.currency },
  { header: 'Payment method', kind: 'text', value: (row) => row.paymentMethod },
  { header: 'Card type', kind: 'text', value: (row) => row.cardType },
  { header: 'Last four', kind: 'text', value: (row) => row.lastFour },
  { header: 'Status', kind: 'text', value: (row) => row.status },
  { header: 'Refunded', kind: 'text', value: (row) => (row.refunded ? 'yes' : 'no') },
];

/** The payments of a report as a file. Not in the contract, because it is no JSON document; written while it is read. */
export function mountPaymentExport(app: FastifyInstance, deps: Deps, recognise: Recognise): void {
  app.get('/api/payment-reports/export', async (request, reply) => {
    admitted('office:read', await recognise(request, 'office:read'));
    const query = parseInput(asked, request.query);
    const { format } = query;
    const wish = await rowWish(deps, query);
    const count = await countPayments(deps.db, wish);
    if (count > mostRows[format]) {
      const most = mostRows[format].toLocaleString('en-US');
      throw new AppError(
        'invalid-input',
        `A file takes at most ${most} rows. Choose fewer days${format === 'csv' ? '' : ', or CSV'}.`,
      );
    }
    const name = `payments-${wish.range.from}-to-${wish.range.to}${wish.system ? `-${wish.system}` : ''}.${format}`;
    return reply
      .type(types[format])
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
      .send(fileOf(format, deps, wish));
  });
}

function fileOf(format: Format, deps: Deps, wish: RowWish): Readable {
  if (format === 'xlsx') return Readable.from(workbook('Payments', columns, cells(deps, wish)));
  return Readable.from(format === 'csv' ? csv(deps, wish) : json(deps, wish));
}

async function* chunks(deps: Deps, wish: RowWish): AsyncGenerator<Payment[]> {
  let after: { exactAt: string; sortId: string } | null = null;
  for (;;) {
    const found: Awaited<ReturnType<typeof findChunk>> = await findChunk(deps.db, wish, after, chunkRows);
    const last = found.at(-1);
    if (!last) return;
    yield found.map(({ sortId: _sortId, exactAt: _exactAt, ...row }) => toPayment(row));
    if (found.length < chunkRows) return;
    after = { exactAt: last.exactAt, sortId: last.sortId };
    // The embedded database works in this very thread: others are let in before the next rows.
    await nextTurn();
  }
}

async function* csv(deps: Deps, wish: RowWish): AsyncGenerator<string> {
  yield `\uFEFF${columns.map(({ header }) => header).join(',')}\r\n`;
  for await (const rows of chunks(deps, wish)) {
    yield rows.map((row) => `${columns.map(({ value }) => cellOf(value(row))).join(',')}\r\n`).join('');
  }
}

/** A cell that a spreadsheet would run as a formula; numbers below zero are none. */
const formula = /^(?:[=+@\t\r]|-(?!\d+(?:\.\d+)?$))/;

function cellOf(value: Cell): string {
  const text = value === null ? '' : String(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

async function* json(deps: Deps, wish: RowWish): AsyncGenerator<string> {
  yield `{"range":${JSON.stringify(wish.range)},"system":${JSON.stringify(wish.system)},"transactions":[`;
  let isFirst = true;
  for await (const rows of chunks(deps, wish)) {
    yield `${isFirst ? '' : ','}${rows.map((row) => JSON.stringify(row)).join(',')}`;
    isFirst = false;
  }
  yield ']}';
}

async function* cells(deps: Deps, wish: RowWish): AsyncGenerator<Cell[][]> {
  for await (const rows of chunks(deps, wish)) yield rows.map((row) => columns.map(({ value }) => value(row)));
}
