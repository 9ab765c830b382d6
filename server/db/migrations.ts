import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of migrations: beside the bundle in production, beside this file in tests. */
export function migrationsFolder(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  return existsSync(path.join(here, 'migrations')) ? path.join(here, 'migrations') : path.join(here, 'db/migrations');
}

/** drizzle names columns in snake_case from the camelCase of the tables. */
export const casing = 'snake_case' as const;
