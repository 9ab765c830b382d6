import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import {
  type ImportKind,
  type ImportResult,
  type ImportUpload,
  importKinds,
  shownRefusals,
} from '../../contract/imports.ts';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import {
  type ColumnMap,
  type ImportReport,
  importFile,
  readColumns,
  type TableReading,
  type Watch,
} from '../import/service.ts';
import { fileOf, keepFile, keepRefusals, removeFiles, safeName } from './files.ts';
import {
  deleteChoice,
  deleteUpload,
  deleteUploadsBefore,
  findChoice,
  findUpload,
  insertUpload,
  saveChoice,
  setKind,
  type Upload,
} from './queries.ts';
import { scanFile } from './scanner.ts';

export { scanFile } from './scanner.ts';

const dayMs = 86_400_000;
const shownLines = 10;

type Sent = { name: string; kind: ImportKind | null; content: Readable };

/** Keeps a file that a person sends and reads its columns; one that is no table is not kept. */
export async function takeUpload(deps: Deps, caller: Caller, { name, kind, content }: Sent): Promise<ImportUpload> {
  const kept = { name: safeName(name), kind: kind ?? '', uploadedBy: caller.userId, uploadedAt: deps.clock.now() };
  const id = await insertUpload(deps.db, kept);
  try {
    await keepFile(deps.env, { id, name: kept.name }, content);
    await scanFile(deps.env, createReadStream(fileOf(deps.env, { id, name: kept.name })));
    return await read(deps, { ...kept, id }, kind);
  } catch (error) {
    await forget(deps, id);
    throw error;
  }
}

const abilities = ({ findPoint }: Deps) => ({ findsAddresses: findPoint !== null });

type Asked = { id: number; kind: ImportKind | null };

/** The columns of a person's own upload, read as `kind`, or as before. */
export async function getUpload(deps: Deps, caller: Caller, { id, kind }: Asked): Promise<ImportUpload> {
  const upload = await ownUpload(deps, caller, id);
  return read(deps, upload, kind ?? kindOf(upload.kind));
}

async function read(deps: Deps, upload: Upload, kind: ImportKind | null): Promise<ImportUpload> {
  const reading = await readColumns(fileOf(deps.env, upload), kind, abilities(deps));
  await setKind(deps.db, { id: upload.id, kind: reading.kind });
  const choice = await findChoice(deps.db, { kind: reading.kind, header: headerHash(reading) });
  const columns = reading.columns.map((column) => ({ ...column, field: meant(reading, choice?.map, column) }));
  const { fields, needs } = reading;
  const as = kindOf(reading.kind);
  if (!as) throw new Error(`an upload was read as ${reading.kind}`);
  return { id: upload.id, name: upload.name, kind: as, columns, fields, needs, remembered: choice !== undefined };
}

type Column = TableReading['columns'][number];

/** What was chosen last, if that can still be meant. */
function meant({ fields }: TableReading, map: ColumnMap | undefined, { name, field }: Column): string | null {
  const chosen = map?.[name];
  if (chosen === null) return null;
  return chosen !== undefined && fields.includes(chosen) ? chosen : field;
}

const kindOf = (text: string): ImportKind | null => importKinds.find((kind) => kind === text) ?? null;

function headerHash({ columns }: TableReading): string {
  return createHash('sha256')
    .update(JSON.stringify(columns.map(({ name }) => name)))
    .digest('hex');
}

export type RunAsked = {
  id: number;
  kind: ImportKind;
  map: ColumnMap;
  dryRun: boolean;
  currency: string | null;
  machine: string | null;
  watch?: Watch;
};

/** Uploads being imported by this process. */
const underWay = new Set<number>();

/** Imports an upload with the meanings chosen for its columns; what a person corrected is remembered for the next file of its form. */
export async function runUpload(deps: Deps, caller: Caller, asked: RunAsked): Promise<ImportResult> {
  const upload = await ownUpload(deps, caller, asked.id);
  if (underWay.has(upload.id)) {
    throw new AppError('conflict', 'This file is being imported already. Wait for it, then check again.');
  }
  underWay.add(upload.id);
  try {
    const file = fileOf(deps.env, upload);
    const reading = await readColumns(file, asked.kind, abilities(deps));
    const map = mapOf(reading, asked.map);
    const { kind, dryRun, currency } = asked;
    const report = await importFile(deps, caller, {
      kind,
      file,
      dryRun,
      map,
      currency,
      machine: asked.machine || null,
      find: deps.findPoint,
      ...(asked.watch ? { watch: asked.watch } : {}),
    });
    // Meanings by which every row was refused are better not offered again.
    if (report.refused.length < report.rows) {
      await keepChoice(deps, reading, asked);
    }
    await keepRefusals(deps.env, upload.id, refusalLines(report));
    return resultOf(kind, report);
  } finally {
    underWay.delete(upload.id);
  }
}

/** Remembers what was corrected alone: what was left as found follows a later, better guess. */
async function keepChoice(deps: Deps, reading: TableReading, { kind, map }: RunAsked): Promise<void> {
  const header = headerHash(reading);
  const found = new Map(reading.columns.map(({ name, field }) => [name, field]));
  const corrected = Object.entries(map).filter(([name, field]) => found.get(name) !== field);
  if (corrected.length === 0) await deleteChoice(deps.db, { kind, header });
  else await saveChoice(deps.db, { kind, header, map: Object.fromEntries(corrected), chosenAt: deps.clock.now() });
}

/** The map for the import. Where it says what the import finds by itself it is left out: nothing it finds is lost. */
function mapOf({ columns }: TableReading, map: ColumnMap): ColumnMap {
  const names = new Map<string, string>();
  for (const [column, field] of Object.entries(map)) {
    const other = field === null ? undefined : names.get(field);
    if (other !== undefined) {
      throw new AppError('invalid-input', `'${other}' and '${column}' mean the same. Choose one of them.`);
    }
    if (field !== null) names.set(field, column);
  }
  const isAsFound = columns.every(({ name, field }) => (name in map ? map[name] : field) === field);
  return isAsFound && Object.keys(map).every((name) => columns.some((column) => column.name === name)) ? {} : map;
}

function* refusalLines({ refused }: ImportReport): Generator<string> {
  yield 'Line,Reason\r\n';
  for (const { line, reason } of refused) yield `${line},"${reason.replaceAll('"', '""')}"\r\n`;
}

function resultOf(kind: ImportKind, report: ImportReport): ImportResult {
  const { file, dryRun, rows, created, updated, unchanged, repeated, notes, sales, swapped = false } = report;
  return {
    ...{ kind, file, dryRun, rows, created, updated, unchanged, repeated, notes, swapped },
    refused: { total: report.refused.length, first: report.refused.slice(0, shownRefusals) },
    flagged: report.flagged.map((group) => ({ ...group, lines: group.lines.slice(0, shownLines) })),
    sales: sales ? sumsOf(sales) : null,
  };
}

function sumsOf(sales: NonNullable<ImportReport['sales']>): NonNullable<ImportResult['sales']> {
  const { transactions, units, currency, amount, firstDay, lastDay, machinesCreated } = sales;
  return { transactions, units, currency, amount, firstDay, lastDay, machinesCreated };
}

/** Removes a person's own upload. */
export async function removeUpload(deps: Deps, caller: Caller, id: number): Promise<void> {
  await forget(deps, (await ownUpload(deps, caller, id)).id);
}

/** Removes the files of yesterday and before. */
export async function purgeUploads(deps: Deps): Promise<void> {
  const gone = await deleteUploadsBefore(deps.db, new Date(deps.clock.now().getTime() - dayMs));
  for (const id of gone) await removeFiles(deps.env, id);
}

async function forget(deps: Deps, id: number): Promise<void> {
  await deleteUpload(deps.db, id);
  await removeFiles(deps.env, id);
}

export async function ownUpload(deps: Deps, caller: Caller, id: number): Promise<Upload> {
  const found = await findUpload(deps.db, { id, uploadedBy: caller.userId });
  // With several servers the file may be in another one's data folder.
  if (!found || !existsSync(fileOf(deps.env, found)))
    throw new AppError('not-found', 'This file is not here any more: files are kept for a day. Choose it again.');
  return found;
}
