import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import writeXlsxFile from 'write-excel-file/node';
import { exportFormat, listPayments, type Payment } from '../../contract/payments.ts';
import { AppError } from '../../domain/errors.ts';
import { paymentSource } from '../../domain/payment.ts';
import type { Deps } from '../deps.ts';
import { admitted, parseInput, type Recognise } from '../http/handle.ts';
import { countPayments, findChunk, type RowWish } from './row-queries.ts';
import { rowWish, toPayment } from './service.ts';

const asked = listPayments.query.omit({ page: true, limit: true }).extend({ format: exportFormat.default('csv') });
type Format = 'csv' | 'xlsx' | 'json';

const chunkRows = 5_000;
/** A workbook is made in memory. */
const mostRows: Record<Format, number> = { csv: 2_000_000, json: 500_000, xlsx: 100_000 };
const types: Record<Format, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

type Cell = string | number | null;
const columns: readonly { header: string; value: (row: Payment) => Cell }[] = [
  { header: 'ID', value: (row) => row.id },
  { header: 'Date (UTC)', value: (row) => row.date },
  { header: 'System', value: (row) => paymentSource(row.system) },
  { header: 'Device', value: (row) => row.deviceId },
  { header: 'Location', value: (row) => row.location?.name ?? null },
  { header: 'Product', value: (row) => row.productName },
  { header: 'Quantity', value: (row) => row.quantity },
  { header: 'Amount', value: (row) => row.amount },
  { header: 'Revenue', value: (row) => row.revenue },
  { header: 'Fee', value: (row) => row.fee },
  { header: 'Currency', value: (row) => row.currency },
  { header: 'Payment method', value: (row) => row.paymentMethod },
  { header: 'Card type', value: (row) => row.cardType },
  { header: 'Last four', value: (row) => row.lastFour },
  { header: 'Status', value: (row) => row.status },
  { header: 'Refunded', value: (row) => (row.refunded ? 'yes' : 'no') },
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
      .send(await fileOf(format, deps, wish));
  });
}

function fileOf(format: Format, deps: Deps, wish: RowWish): Promise<Buffer> | Readable {
  if (format === 'xlsx') return workbook(deps, wish);
  return Readable.from(format === 'csv' ? csv(deps, wish) : json(deps, wish));
}

async function* chunks(deps: Deps, wish: RowWish): AsyncGenerator<Payment[]> {
  let after: { exactAt: string; sortId: string } | null = null;
  for (;;) {
    const found: Awaited<ReturnType<typeof findChunk>> = await findChunk(deps.db, wish, after, chunkRows);
    const last = found.at(-1);
    if (!last) return;
    yield found.map(toPayment);
    if (found.length < chunkRows) return;
    after = { exactAt: last.exactAt, sortId: last.sortId };
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

const numeric = new Set(['Quantity', 'Amount', 'Revenue', 'Fee']);

async function workbook(deps: Deps, wish: RowWish): Promise<Buffer> {
  const sheet: {
    value: string | number;
    type?: typeof String | typeof Number;
    fontWeight?: 'bold';
    format?: string;
  }[][] = [columns.map(({ header }) => ({ value: header, fontWeight: 'bold' as const }))];
  for await (const rows of chunks(deps, wish)) {
    for (const row of rows) {
      sheet.push(
        columns.map(({ header, value }) => {
          const cell = value(row);
          if (cell === null) return { value: '', type: String };
          if (!numeric.has(header)) return { value: String(cell), type: String };
          return { value: Number(cell), type: Number, ...(header === 'Quantity' ? {} : { format: '0.00' }) };
        }),
      );
    }
  }
  return writeXlsxFile(sheet, { sheet: 'Payments', stickyRowsCount: 1 }).toBuffer();
}
