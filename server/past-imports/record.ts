import { eq, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { imports } from './tables.ts';

type Begun = { kind: string; file: string; by: number | null; at: Date };

/** Notes that an import begins: from here to the end of the transaction every row it writes is kept, to be taken back. */
export async function beginImport(tx: Db, { kind, file, by, at }: Begun): Promise<number> {
  const [made] = await tx
    .insert(imports)
    .values({ kind, file: file.slice(-255), importedBy: by, importedAt: at })
    .returning({ id: imports.id });
  if (!made) throw new Error('an import was not stored');
  await tx.execute(sql`select set_config('milkrun.import', ${String(made.id)}, true)`);
  return made.id;
}

type Figures = { rows: number; created: number; updated: number; unchanged: number; repeated: number };

/** Notes what an import did. What the transaction writes after it is not the import's. */
export async function endImport(tx: Db, id: number, done: Figures & { refused: number }): Promise<void> {
  const { rows, created, updated, unchanged, repeated, refused } = done;
  await tx.execute(sql`select set_config('milkrun.import', '', true)`);
  await tx.update(imports).set({ rows, created, updated, unchanged, repeated, refused }).where(eq(imports.id, id));
}
