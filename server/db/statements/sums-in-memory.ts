import { sql } from 'drizzle-orm';
import type { Db } from '../database.ts';

/** For sums over a quarter of all places: they are to stay in memory, and what is read in several statements is of one moment. */
export const sumsInMemory = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(
    async (tx) => {
      // Sums of money in parts cost more to hand over than to make.
      await tx.execute(sql`select set_config('work_mem', '32MB', true), set_config('jit', 'off', true),
                                set_config('max_parallel_workers_per_gather', '0', true)`);
      return work(tx);
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
