import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DexError } from '../../../connectors/dex/dex-error.ts';
import { readDex } from '../../../connectors/dex/read-dex.ts';
import type { Counter, DexReading } from '../../../connectors/dex/reading.ts';
import { maxDexBytes } from '../../../connectors/dex/segments.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Command, ExitCode, Io } from '../command.ts';

function readBytes(file: string): Uint8Array {
  try {
    // One byte too many is enough to refuse a file, whatever its size.
    if (statSync(file).size > maxDexBytes) return new Uint8Array(maxDexBytes + 1);
    return readFileSync(file);
  } catch {
    throw new AppError('invalid-input', `${file} cannot be read. Is the name right, and may you read it?`);
  }
}

function readFile(file: string): DexReading {
  try {
    return readDex(readBytes(file));
  } catch (error) {
    if (error instanceof DexError) throw new AppError('invalid-input', `${file}: ${error.message}`);
    throw error;
  }
}

const crcWords = {
  ok: 'checksum holds',
  mismatch: 'checksum does not hold',
  absent: 'no checksum',
};

function inWords(reading: DexReading): string {
  const { decimalPoint, scaleKnown, currency } = reading;
  const money = (value: Counter): string => {
    if (value === null) return '-';
    return scaleKnown ? (value / 10 ** (decimalPoint ?? 0)).toFixed(decimalPoint ?? 0) : String(value);
  };
  const count = (value: Counter): string => (value === null ? '-' : String(value));
  const head = `${reading.model || 'Machine'} ${reading.serial || 'without a serial number'}, ${crcWords[reading.crc]}`;
  const totals = `${count(reading.vends)} vends, value ${money(reading.value)}, cash ${money(reading.cash)}, cashless ${money(reading.cashless)} ${currency ?? ''}`;
  const rows = reading.selections.map(({ id, price, vends, value, name }) =>
    `${id.padStart(6)} ${money(price).padStart(8)} ${count(vends).padStart(8)} ${money(value).padStart(11)}  ${name}`.trimEnd(),
  );
  const notes = reading.warnings.map(({ message }) => `note: ${message}`);
  return [head, totals.trim(), '  slot    price    vends       value  name', ...rows, ...notes].join('\n');
}

async function run(args: string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length) {
    io.err(`Name one file.\nUsage: milkrun ${dex.usage}`);
    return 2;
  }
  const reading = readFile(file);
  io.out(values.json ? JSON.stringify(reading) : inWords(reading));
  return 0;
}

export const dex: Command = { usage: 'dex FILE [--json]', summary: 'reads a DEX / EVA-DTS file of a machine', run };
