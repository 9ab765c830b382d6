import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { webhookDeliveries } from './tables.ts';

onEachDatabase('views of messages', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  let stored = 0;
  async function store(system: string, body: Buffer | null, query: [string, string][] = []): Promise<void> {
    stored += 1;
    await database.db.insert(webhookDeliveries).values({
      ...{ configId: 1, system, dedupeKey: `message ${stored}`, eventType: 'queue.event', method: 'POST', query },
      ...{ body, bodyBytes: body?.length ?? 0 },
    });
  }

  /** What each message's payload is to a reader of the view, in the order in which they came. */
  async function payloads(system: 'nayax' | 'cantaloupe', messages: readonly (Uint8Array | string | null)[]) {
    for (const body of messages) await store(system, body === null ? null : Buffer.from(body));
    const view = sql.identifier(`${system}_webhooks`);
    const found = await rows<{ payload: unknown }>(database.db, sql`select payload from ${view} order by id`);
    return found.slice(-messages.length).map(({ payload }) => payload);
  }

  it('a payload of Nayax is the JSON that came, and is asked by its fields', async () => {
    const event = { EventLogID: 7, machineId: 3, machineName: 'Café “Zürich”', note: 'a\\b "c"\n' };
    expect(await payloads('nayax', [JSON.stringify(event), '[1, null]'])).toEqual([event, [1, null]]);
    const [asked] = await rows(
      database.db,
      sql`select payload ->> 'machineName' as name, jsonb_typeof(payload) as kind from nayax_webhooks
          where (payload ->> 'EventLogID')::int = 7`,
    );
    expect(asked).toEqual({ name: event.machineName, kind: 'object' });
  });

  it('what is no JSON, or none that is kept, stays readable as text, whatever its bytes are', async () => {
    const form = 'trans_id=9&signature=a%2Bb=';
    expect(await payloads('nayax', [form, '', '{"cut', '{"a":"\\u0000"}', Buffer.from([0x7b, 0, 0xff]), null])).toEqual(
      [...[form, '', '{"cut', '{"a":"\\u0000"}', '{\\000\\377'], null],
    );
  });

  it('of a message that came by its address alone the payload is what the address told', async () => {
    const told: [string, string][] = [
      ['trans_id', '77'],
      ['reply_code', '000'],
    ];
    await store('nayax', Buffer.alloc(0), told);
    const [newest] = await rows(database.db, sql`select payload from nayax_webhooks order by id desc limit 1`);
    expect(newest).toEqual({ payload: Object.fromEntries(told) });
  });

  it('a payload of Cantaloupe is the text as it came', async () => {
    const text = 'Device,Name\r\n"A\\1","Café"\n';
    expect(await payloads('cantaloupe', [text, Buffer.from([0x80, 0x41]), null])).toEqual([text, '\\200A', null]);
  });
});
