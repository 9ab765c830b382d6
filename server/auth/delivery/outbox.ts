import { desc, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import type { Message } from '../../deps.ts';
import { demoOutbox } from '../tables.ts';

const kept = 50;

/** Shows a message on the sign-in screen of the demo; only the newest are kept. */
export async function keepForDemo(db: Db, message: Message, at: Date): Promise<void> {
  const { to, ...rest } = message;
  await db.insert(demoOutbox).values({ recipient: to, ...rest, at });
  await db.execute(
    sql`delete from demo_outbox where id not in (select id from demo_outbox order by id desc limit ${kept})`,
  );
}

/** The demo's messages, newest first. */
export async function listOutbox(db: Db) {
  const found = await db.select().from(demoOutbox).orderBy(desc(demoOutbox.id));
  return found.map(({ recipient, channel, subject, text, code, at }) => ({
    to: recipient,
    channel: channel === 'sms' ? ('sms' as const) : ('email' as const),
    subject,
    text,
    code,
    at: at.toISOString(),
  }));
}
