import path from 'node:path';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Clock } from '../deps.ts';
import type { FindPoint } from '../geocoding/service.ts';
import type { Caller } from '../http/caller.ts';
import { beginImport, endImport } from '../past-imports/service.ts';
import { ensureOperator, getOperator } from '../settings/service.ts';
import type { ColumnMap } from './file/columns.ts';
import { openTable } from './file/read-table.ts';
import { importIncidents } from './incidents.ts';
import { importLocations } from './locations.ts';
import { importPlanogram } from './planogram.ts';
import { importProducts } from './products.ts';
import { type ImportReport, newTally, type Watch } from './report.ts';
import type { LocatedRows, Outcome, Run } from './run.ts';
import { importSales } from './sales/sales.ts';
import { locateRows } from './unplaced.ts';

export { readColumns, type TableReading } from './fields.ts';
export { type ColumnMap, columnMap } from './file/columns.ts';
export type { ImportReport, Watch } from './report.ts';

const importers: Record<string, (run: Run) => Promise<Outcome>> = {
  locations: importLocations,
  products: importProducts,
  sales: importSales,
  planogram: importPlanogram,
  incidents: importIncidents,
};
export const importKinds: readonly string[] = Object.keys(importers);

export type ImportRequest = {
  kind: string;
  file: string;
  /** Says what would happen and changes nothing. */
  dryRun: boolean;
  map: ColumnMap;
  currency: string | null;
  machine: string | null;
  watch?: Watch;
  /** Where addresses are; null or left out: no address search is set up. */
  find?: FindPoint | null;
};

/** Thrown to undo a dry run once its report is complete. */
class DryRun extends Error {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super('dry run');
    this.report = report;
  }
}

/**
 * Imports a file wholly or not at all: one transaction, rows streamed. Throws AppError with one sentence when the file
 * cannot be taken; single rows that cannot are refused in the report.
 */
export async function importFile(
  deps: { db: Db; clock: Clock },
  caller: Caller | null,
  request: ImportRequest,
): Promise<ImportReport> {
  const located = await locate(deps.db, request);
  const table = await openTable(request.file);
  try {
    return await deps.db.transaction(async (tx) => {
      const at = deps.clock.now();
      const about = { kind: request.kind, file: path.basename(request.file), by: caller?.userId ?? null, at };
      const id = request.dryRun ? null : await beginImport(tx, about);
      const report = await write(tx, { request, table, at, located });
      if (id === null) throw new DryRun(report);
      await endImport(tx, id, { ...report, refused: report.refused.length });
      await audit(tx, caller, report);
      return report;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.report;
    throw error;
  } finally {
    await table.close();
  }
}

async function locate(db: Db, { kind, file, map, find, watch }: ImportRequest): Promise<LocatedRows | null> {
  return kind === 'locations' && find ? locateRows({ db, file, map, find, watch }) : null;
}

type Started = Pick<Run, 'table' | 'at' | 'located'> & { request: ImportRequest };

async function write(tx: Db, { request, table, at, located }: Started): Promise<ImportReport> {
  const importer = importers[request.kind];
  if (!importer) throw new RangeError(`no import of ${request.kind}`);
  const tally = newTally(request.watch);
  // Whoever began at the command line has set nothing yet.
  await ensureOperator(tx);
  const operator = await getOperator(tx);
  const given = { currency: request.currency, machine: request.machine };
  const { columns, ...more } = await importer({
    tx,
    at,
    isDry: request.dryRun,
    table,
    map: request.map,
    tally,
    operator,
    located,
    given,
  });
  for (const note of table.notes()) tally.note(note);
  const about = { kind: request.kind, file: path.basename(request.file), dryRun: request.dryRun, columns };
  return { ...tally.report(about), ...more };
}

async function audit(tx: Db, caller: Caller | null, report: ImportReport): Promise<void> {
  const { rows, created, updated, unchanged, repeated } = report;
  await recordAudit(tx, caller, {
    action: `import.${report.kind}`,
    objectType: 'file',
    objectId: report.file.slice(0, 50),
    detail: { file: report.file, rows, created, updated, unchanged, repeated, refused: report.refused.length },
  });
}
