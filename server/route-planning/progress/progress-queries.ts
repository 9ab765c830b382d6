import { sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';

/** When stops are expected now, in one statement. */
export async function updateExpected(db: Db, expected: readonly { id: number; at: string }[]): Promise<void> {
  if (expected.length === 0) return;
  await db.execute(
    sql`update route_stops s set expected_arrival = c.at
        from jsonb_to_recordset(${JSON.stringify(expected)}::jsonb) as c(id int, at timestamptz) where s.id = c.id`,
  );
}
