import { sql } from 'drizzle-orm';
import type { Db } from '../database.ts';

/** For work on all rows there are, which takes longer than any call may at a large operator. */
export function inOneLongTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    return work(tx);
  });
}
