import { sql } from 'drizzle-orm';
import { type Db, run } from '../db/database.ts';
import { gather } from '../db/gather.ts';
import { seenOnly } from '../db/lately.ts';
import { isPassing } from '../http/error-reply.ts';

type Use = { sid: string; at: Date; expire: Date };

const mostTogether = 500;

const takers = new WeakMap<Db, (use: Use) => Promise<unknown>>();

/**
 * Notes that a session is used and until when it stands. After a start everybody comes at once, and again each time their use is to be
 * noted: what comes together is one statement. One that another process notes or ends at this moment is passed over.
 */
export async function noteSessionUse(db: Db, use: Use): Promise<void> {
  const known = takers.get(db);
  const take = known ?? gather({ ...kind, work: (together) => write(db, together) }).take;
  if (!known) takers.set(db, take);
  await take(use);
}

const kind = {
  ...{ most: mostTogether, weightOf: () => 1, concernsAll: isPassing },
  namesOf: ({ sid }: Use) => [sid],
};

async function write(db: Db, together: readonly Use[]): Promise<readonly Use[]> {
  await run(
    db,
    seenOnly(sql`update sessions s set last_seen_at = u.at, expire = u.expire
        from (select f.sid from sessions f where f.sid = any(${sql.param(together.map(({ sid }) => sid))}) for update skip locked) f
          join jsonb_to_recordset(${JSON.stringify(together)}::jsonb) as u(sid text, at timestamptz, expire timestamptz) using (sid)
        where s.sid = f.sid`),
  );
  return together;
}
