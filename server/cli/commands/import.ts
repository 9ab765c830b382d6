import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isCurrency, noCurrency } from '../../../domain/currency.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Db } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { parseEnv } from '../../env.ts';
import { type FindPoint, pointFinder } from '../../geocoding/service.ts';
import { type ColumnMap, columnMap, type ImportReport, importFile, importKinds } from '../../import/service.ts';
import { openDatabase } from '../../start.ts';
import type { Command, ExitCode, Io } from '../command.ts';

const importUsage =
  'import locations|products|sales|planogram|incidents FILE [--dry-run] [--map FILE] [--currency CODE] [--machine ID] [--json]';

/** Most lines printed of one group; --json has all. */
const shownLines = 10;

/** Imports one file and prints what became of its rows. The database is opened, and closed, by whoever calls. */
export async function importCommand(
  args: readonly string[],
  io: Io & { db: Db; clock: Clock; find?: FindPoint | null },
): Promise<ExitCode> {
  const asked = readArgs(args);
  if (typeof asked === 'string') {
    io.err(`${asked}\nUsage: milkrun ${importUsage}`);
    return 2;
  }
  try {
    const { json, mapFile, ...request } = asked;
    const report = await importFile(io, null, { ...request, map: readMap(mapFile), find: io.find ?? null });
    io.out(json ? JSON.stringify(report) : inWords(report));
    return 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    io.err(`${error.message} Nothing was changed.`);
    return 1;
  }
}

function readArgs(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        map: { type: 'string' },
        currency: { type: 'string' },
        machine: { type: 'string' },
      },
    });
    const [kind = '', file = '', ...more] = positionals;
    if (!importKinds.includes(kind)) return `Say what to import: ${importKinds.join(', ')}.`;
    if (file === '' || more.length) return 'Name one file.';
    const currency = values.currency?.toUpperCase() ?? null;
    if (currency !== null && !isCurrency(currency)) return `--currency ${currency}: ${noCurrency}.`;
    const { json, map: mapFile, machine = null } = values;
    return { kind, file, dryRun: values['dry-run'], json, mapFile, currency, machine };
  } catch (error) {
    // parseArgs explains an unknown or incomplete option in its message.
    return error instanceof Error ? error.message : String(error);
  }
}

function readMap(file: string | undefined): ColumnMap {
  if (!file) return {};
  try {
    return columnMap.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    const wanted = 'a JSON file such as {"Column name": "field"}';
    throw new AppError('invalid-input', `The map ${file} cannot be read: it must be ${wanted}.`);
  }
}

function inWords(report: ImportReport): string {
  const { rows, created, updated, unchanged, repeated, refused } = report;
  const lines = refused.map((one) => `line ${one.line}: refused, ${one.reason}`);
  for (const { reason, count, amount, lines: where } of report.flagged) {
    const shown = where.slice(0, shownLines).join(', ') + (count > shownLines ? ', ...' : '');
    lines.push(`note: ${count} x ${reason}${amount === null ? '' : ` (${amount})`}, line ${shown}`);
  }
  lines.push(...report.notes.map((note) => `note: ${note}`), ...salesInWords(report));
  const again = repeated ? `, ${repeated} repeated` : '';
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged${again}, ${refused.length} refused`;
  lines.push(`${report.dryRun ? 'Dry run, nothing changed: ' : ''}${rows} rows read: ${counts}.`);
  return lines.join('\n');
}

function salesInWords({ sales }: ImportReport): string[] {
  if (!sales || sales.firstDay === null) return [];
  const { transactions, units, amount, currency, firstDay, lastDay } = sales;
  return [`${transactions} transactions, ${units} units, ${amount} ${currency}, ${firstDay} to ${lastDay}`];
}

export const importData: Command = {
  usage: importUsage,
  summary: 'reads a list of yours; a second time it changes nothing',
  run: async (args, io) => {
    const env = parseEnv(process.env);
    const database = await openDatabase(env, io.err);
    try {
      return await importCommand(args, {
        ...io,
        db: database.db,
        clock: { now: () => new Date() },
        find: pointFinder(env),
      });
    } finally {
      await database.close();
    }
  },
};
