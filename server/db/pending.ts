import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from './database.ts';
import { firstRow } from './database.ts';
import { migrationsFolder } from './migrations.ts';

const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });

/** What the migrator is about to do, asked before it runs so that a backup can be taken. */
export const pendingMigrations = {
  hasTables: sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,

  any: async (db: Db): Promise<boolean> => {
    const text = readFileSync(path.join(migrationsFolder(), 'meta/_journal.json'), 'utf8');
    const newest = Math.max(...journal.parse(JSON.parse(text)).entries.map((entry) => entry.when));
    const done = await firstRow<{ at: string | number | null }>(
      db,
      sql`select max(created_at) as at from drizzle.__drizzle_migrations`,
    );
    return Number(done?.at ?? 0) < newest;
  },
};
