import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { rows } from '../../server/db/database.ts';
import type { Running } from '../../server/start.ts';
import type { Figures } from '../baseline.ts';
import { compare, table } from '../measure.ts';
import { signedIn } from '../signed-in.ts';

const batch = 200;

/** Batches of a phone's counts over HTTP, against the bare insertion of as many rows in one statement. */
export async function syncUpload({ deps, address }: Running, say: (line: string) => void): Promise<Figures> {
  const cookie = await signedIn(deps);
  // A day counts a slot once or twice: batches go through the operator's items one after the other.
  const items = await rows<{ itemType: string; itemId: number }>(
    deps.db,
    sql`select 'machine_slot' as "itemType", id as "itemId" from vending_machine_inventory where deleted_at is null
        union all select 'market_item', id from inventory_items where deleted_at is null order by 1, 2 limit ${20 * batch}`,
  );
  const deviceId = randomUUID();
  let deviceSeq = 0;
  const upload = async (): Promise<void> => {
    deviceSeq += 1;
    const at = new Date().toISOString();
    const events = Array.from({ length: batch }, (_, n) => ({
      ...{ eventId: randomUUID(), schemaVersion: 1, ...items[(deviceSeq * batch + n) % items.length] },
      ...{ kind: 'count', reason: 'manual_count', quantity: n % 9, shown: null, deviceSeq, lastServerTime: null },
      occurredAtClient: at,
    }));
    const reply = await fetch(`${address}/api/sync/events`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ deviceId, sentAtClient: at, events }),
    });
    const { results = [] } = (await reply.json()) as { results?: { status: string }[] };
    if (results.length !== batch) throw new Error(`the upload answered ${reply.status} with ${results.length} results`);
  };
  await deps.db.execute(
    sql`create table if not exists bench_rows (id uuid primary key, item int, quantity int, at timestamptz)`,
  );
  const insert = async (): Promise<void> => {
    const lines = Array.from({ length: batch }, (_, n) => ({ id: randomUUID(), item: n, quantity: n % 9 }));
    await deps.db.execute(
      sql`insert into bench_rows select id, item, quantity, now()
          from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l(id uuid, item int, quantity int)`,
    );
  };
  const contenders = [
    { name: `${batch} bare rows in one statement`, call: insert },
    { name: `POST /api/sync/events, ${batch} counts`, call: upload },
  ];
  const costs = await compare(contenders, { rounds: 3, calls: 4 });
  await deps.db.execute(sql`drop table bench_rows`);
  say(
    `${table('Upload of a phone', contenders, costs)}\n  ${(batch * (costs[1]?.perSecond ?? 0)).toFixed(0)} events/s`,
  );
  return { 'sync upload': (costs[1]?.cpuMsPerCall ?? 0) / (costs[0]?.cpuMsPerCall || 1) };
}
