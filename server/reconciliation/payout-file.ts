import { parse } from 'csv-parse/sync';
import { AppError } from '../../domain/errors.ts';
import { fromHundredths } from '../../domain/units.ts';
import type { NewPayoutLine } from './queries.ts';

/** Names under which processors have the columns. */
const aliases = {
  reference: ['reference', 'reference #', 'transaction', 'transaction id', 'transactionid', 'trans id', 'order id'],
  net: ['net', 'net amount', 'settled amount', 'payout amount', 'paid'],
  amount: ['amount'],
  gross: ['gross', 'gross amount'],
  fee: ['fee', 'fees', 'processing fee', 'commission'],
  paidOn: ['date', 'payout date', 'paid on', 'settlement date', 'deposit date'],
  payout: ['payout', 'payout id', 'batch', 'batch #', 'deposit', 'deposit id'],
} as const;
type Field = keyof typeof aliases;

export type PayoutFile = { lines: NewPayoutLine[]; refused: { line: number; reason: string }[] };

/** Reads a processor's payout file. Throws AppError for a file without the columns; odd lines are refused with the reason. */
export function readPayoutFile(name: string, content: string): PayoutFile {
  const { header, rows } = tableOf(content);
  const at = (field: Field): number =>
    header.findIndex((column) => (aliases[field] as readonly string[]).includes(column));
  const [reference, paidOn, gross] = [at('reference'), at('paidOn'), at('gross')];
  // What arrives is meant: beside a net amount, the amount is the one before fees.
  const amount = [at('net'), at('amount'), gross].find((column) => column >= 0) ?? -1;
  if (reference < 0 || amount < 0 || paidOn < 0) {
    throw new AppError(
      'invalid-input',
      'The file needs the columns Reference, Amount and Date; Fee and Payout are read too.',
    );
  }
  const file: PayoutFile = { lines: [], refused: [] };
  const seen = new Map<string, number>();
  for (const { line, cells } of rows) {
    const cell = (column: number): string => (column < 0 ? '' : (cells[column] ?? '').trim());
    if (isTotal(cells, [cell(reference), cell(paidOn)])) continue;
    const told = { reference: cell(reference), amount: centsOf(cell(amount)), paidOn: dayOf(cell(paidOn)) };
    const fee = cell(at('fee')) === '' ? 0n : centsOf(cell(at('fee')));
    const reason = reasonOf(told, fee);
    if (reason !== null || told.amount === null || fee === null || told.paidOn === null) {
      file.refused.push({ line, reason: reason ?? 'cannot be read' });
      continue;
    }
    const isNamed = cell(at('payout')) !== '';
    const payout = (isNamed ? cell(at('payout')) : nameOf(name, told.paidOn)).slice(0, 100);
    const key = `${payout}|${told.reference}`;
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    // Fees stand as amounts kept, whatever their sign in the file.
    const kept = fee < 0n ? -fee : fee;
    const arrived = amount === gross ? told.amount - kept : told.amount;
    file.lines.push({
      ...{ payout, isNamed, reference: told.reference, line: number },
      ...{ amount: fromHundredths(arrived), fee: fromHundredths(kept), paidOn: told.paidOn },
    });
  }
  return file;
}

const totalWord = /^(?:grand |sub-?)?total/i;

/** A sum begins with the word and names no payment. What begins so may be a place: Total Fitness. */
function isTotal(cells: readonly string[], [reference, paidOn]: readonly [string, string]): boolean {
  if (!totalWord.test(cells.find((one) => one.trim() !== '')?.trim() ?? '')) return false;
  return reference === '' || paidOn === '' || totalWord.test(reference);
}

/** Of a long name the end is dropped, never the day. */
const nameOf = (file: string, day: string): string => `${file.slice(0, 89)} ${day}`;

type Told = { reference: string; amount: bigint | null; paidOn: string | null };

function reasonOf({ reference, amount, paidOn }: Told, fee: bigint | null): string | null {
  if (reference === '' || reference.length > 100) return 'has no reference';
  if (amount === null) return 'has an amount that cannot be read';
  if (fee === null) return 'has a fee that cannot be read';
  return paidOn === null ? 'has a date that cannot be read' : null;
}

type Row = { line: number; cells: string[] };

function tableOf(content: string): { header: string[]; rows: Row[] } {
  const all: Row[] = [];
  try {
    // The parser takes a CRLF within quotes for two lines.
    parse(content.replaceAll(/\r\n?/g, '\n'), {
      ...{ bom: true, relaxColumnCount: true, skipEmptyLines: true },
      onRecord: (cells, { lines }) => {
        all.push({ line: lines - breaksIn(cells), cells });
        return cells;
      },
    });
  } catch {
    throw new AppError('invalid-input', 'The file is no CSV table. Export it as CSV and try again.');
  }
  const [header, ...rows] = all;
  return { header: (header?.cells ?? []).map((cell) => cell.trim().toLowerCase()), rows };
}

/** A row is looked for by the line that it begins in. */
const breaksIn = (cells: readonly string[]): number => cells.join('').split('\n').length - 1;

/**
 * Null too where a comma stands otherwise than between thousands, since 12,34 is not 1,234, and of a number that no payout comes to: it
 * would cost the other lines of the file.
 */
function centsOf(text: string): bigint | null {
  const groups =
    /^(?<minus>-|\()?\$?(?<inner>-)?(?<whole>\d{1,3}(?:,\d{3}){1,2}|\d{1,9})(?:\.(?<part>\d{1,2}))?\)?$/.exec(
      text,
    )?.groups;
  if (!groups || text.startsWith('(') !== text.endsWith(')')) return null;
  const cents = BigInt((groups.whole ?? '0').replaceAll(',', '')) * 100n + BigInt((groups.part ?? '').padEnd(2, '0'));
  return groups.minus || groups.inner ? -cents : cents;
}

function dayOf(text: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  const us = /^(?<month>\d{1,2})\/(?<date>\d{1,2})\/(?<year>\d{4})/.exec(text)?.groups;
  const parts = us ? [us.year, us.month, us.date] : iso?.slice(1, 4);
  if (!parts) return null;
  const [year, month, day] = parts.map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : null;
}
