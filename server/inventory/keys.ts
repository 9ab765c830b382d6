import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';

export type BareKey = { eventId: string; payloadHash: string; effectiveAt: string };

/** Takes event ids of what moves no stock, e.g. sales of unknown items. Returns those that were free. */
export async function recordKeys(tx: Db, keys: readonly BareKey[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const taken = await rows<{ eventId: string }>(
    tx,
    sql`insert into event_keys (event_id, payload_hash, outcome, effective_at)
        select g."eventId", g."payloadHash", 'applied', g."effectiveAt"
        from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
          as g("eventId" uuid, "payloadHash" text, "effectiveAt" timestamptz)
        order by 1 on conflict do nothing returning event_id as "eventId"`,
  );
  return new Set(taken.map((row) => row.eventId));
}
