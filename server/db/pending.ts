import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from './database.ts';
import { firstRow } from './database.ts';
import { migrationsFolder } from './migrations.ts';

const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });

/** Time of the newest migration that this program knows. */
export function newestKnown(): number {
  const text = readFileSync(path.join(migrationsFolder(), 'meta/_journal.json'), 'utf8');
  return Math.max(...journal.parse(JSON.parse(text)).entries.map((entry) => entry.when));
}

/** Time of the newest migration that the database has gone through; 0 for none. */
export async function newestMigration(db: Db): Promise<number> {
  const done = await firstRow<{ at: string | number | null }>(
    db,
    sql`select max(created_at) as at from drizzle.__drizzle_migrations`,
  );
  return Number(done?.at ?? 0);
}

/** What the migrator is about to do, asked before it runs so that a backup can be taken. */
export const pendingMigrations = {
  hasTables: sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,

  any: async (db: Db): Promise<boolean> => (await newestMigration(db)) < newestKnown(),
};
