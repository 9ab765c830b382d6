import { sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { type Db, firstRow } from '../db/database.ts';
import type { Caller } from '../http/caller.ts';

/** How long a key is remembered. */
const knownMs = 24 * 3_600_000;

const sentBefore =
  'This was sent before, and may be saved. Look whether it is in the list already; if it is not, send it again.';

/**
 * Refuses a call that makes something new and was sent before with the same key. What became of it is not kept: whoever sends
 * again looks at the list, which also holds where the first try was broken off.
 */
export async function refuseSentBefore(db: Db, { userId }: Caller, key: string, at: Date): Promise<void> {
  const until = new Date(at.getTime() + knownMs).toISOString();
  const fresh = await firstRow(
    db,
    sql`insert into rate_limits (key, count, window_ends_at) values (${`once:${userId}:${key}`}, 1, ${until})
        on conflict do nothing returning key`,
  );
  if (!fresh) throw new AppError('conflict', sentBefore);
}
