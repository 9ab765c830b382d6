import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { IncidentImport } from '../../contract/incidents.ts';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { importFile } from '../import/service.ts';

/** Imports the text of a file that a person chose in the browser; the copy on disk is gone afterwards. */
export async function importUpload(
  deps: Deps,
  caller: Caller,
  { name, content }: { name: string; content: string },
): Promise<IncidentImport> {
  // Text is all that comes here: what a browser made of the bytes of a workbook is no table any more.
  if (content.startsWith('PK\u0003\u0004'))
    throw new AppError('invalid-input', `${name} is a workbook. Save its sheet as CSV and import that.`);
  const folder = await mkdtemp(path.join(tmpdir(), 'milkrun-incidents-'));
  try {
    const file = path.join(folder, path.basename(name.replaceAll(/[^\w. -]/g, '_')) || 'incidents.csv');
    await writeFile(file, content);
    const request = { kind: 'incidents', file, dryRun: false, map: {}, currency: null, machine: null };
    const { rows, created, updated, unchanged, refused, notes } = await importFile(deps, caller, request);
    return { rows, created, updated, unchanged, refused, notes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
