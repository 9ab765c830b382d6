import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importCommand } from '../cli/commands/import.ts';
import type { Db } from '../db/database.ts';
import type { FindPoint } from '../geocoding/service.ts';
import type { ImportReport } from '../import/service.ts';

export type Imported = { code: number; out: string; err: string };

/** Options of the command, and where addresses are, if anybody knows. */
type Wanted = [options?: readonly string[], find?: FindPoint | null];

/** The clock of imports under test. */
const importedAt = new Date('2026-03-12T15:00:00Z');

/** Runs the import command as a person would; what it prints is kept apart by stream. */
export async function runImport(db: Db, args: readonly string[], find: FindPoint | null = null): Promise<Imported> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await importCommand(args, {
    db,
    find,
    clock: { now: () => importedAt },
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** Imports a file of this name and content; the file is gone afterwards. */
export async function importContent(
  db: Db,
  [kind, name]: readonly [string, string],
  content: string | Uint8Array,
  ...[options = [], find = null]: Wanted
): Promise<Imported> {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-import-'));
  try {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return await runImport(db, [kind, file, ...options], find);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** As `importContent`, with the report; throws when the file was not taken. */
export async function reportOf(
  db: Db,
  about: readonly [string, string],
  content: string | Uint8Array,
  ...[options = [], find = null]: Wanted
): Promise<ImportReport> {
  return parsed(await importContent(db, about, content, [...options, '--json'], find));
}

export function parsed({ code, out, err }: Imported): ImportReport {
  if (code !== 0) throw new Error(`import refused: ${err}`);
  return JSON.parse(out) as ImportReport;
}
