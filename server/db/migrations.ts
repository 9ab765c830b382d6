import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of migrations: beside the bundle in production, beside this file in tests. */
export function migrationsFolder(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  return existsSync(path.join(here, 'migrations')) ? path.join(here, 'migrations') : path.join(here, 'db/migrations');
}

/** Runs `work` with a folder that ends with the migration of this time: the schema as it was then. */
export async function withMigrationsUpTo(time: number | undefined, work: (folder: string) => Promise<void>) {
  const all = migrationsFolder();
  if (time === undefined) return work(all);
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-migrations-'));
  try {
    cpSync(all, folder, { recursive: true });
    const file = path.join(folder, 'meta/_journal.json');
    const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { when: number }[] };
    journal.entries = journal.entries.filter((entry) => entry.when <= time);
    writeFileSync(file, JSON.stringify(journal));
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** drizzle names columns in snake_case from the camelCase of the tables. */
export const casing = 'snake_case' as const;
