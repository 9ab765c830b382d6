import { createHash } from 'node:crypto';
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { RawRequest, Verdict } from '../../connectors/connector.ts';
import { isCardNumber } from '../../domain/card-numbers.ts';
import { AppError } from '../../domain/errors.ts';
import { type Db, rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { type ConfigRow, openPreviousSettings, openSettings } from '../integrations/service.ts';
import { getOperator } from '../settings/service.ts';
import { hash } from '../vendor-sync/service.ts';
import { webhookDeliveries } from './tables.ts';

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** Headers that say nothing about the message, or that carry somebody's credentials. */
const keptHeaders = /^(?:content-type|user-agent|soapaction|date|(?:x-|webhook-|stripe-)[\w-]*)$/;
const secretHeaders = /auth|token|cookie|secret|password/;

/** What `verify` and `parse` of a connector are handed. */
export async function webhookContext(deps: Deps, config: ConfigRow) {
  return {
    settings: await openSettings(deps, config),
    previousSettings: await openPreviousSettings(deps, config),
    now: () => deps.clock.now(),
    hash,
    timeZone: (await getOperator(deps.db)).timeZone,
  };
}

export type Genuine = { config: ConfigRow; request: RawRequest; verdict: Extract<Verdict, { genuine: true }> };

/**
 * Stores messages with one statement. One told again, here or earlier, is the same row and counted there. Answers with the
 * systems of those that came for the first time, one entry a message.
 */
export async function storeDeliveries(db: Db, told: readonly Genuine[], at: Date): Promise<string[]> {
  const once = new Map<string, typeof webhookDeliveries.$inferInsert & { repeats: number }>();
  const keyOf = (row: { configId: number; dedupeKey: string }): string => `${row.configId} ${row.dedupeKey}`;
  for (const one of told) {
    const row = toRow(one, at);
    const key = keyOf(row);
    const before = once.get(key);
    if (before) before.repeats += 1;
    else once.set(key, row);
  }
  const { system, configId, dedupeKey, repeats } = webhookDeliveries;
  const stored = await db
    .insert(webhookDeliveries)
    .values([...once.values()])
    .onConflictDoUpdate({
      target: [configId, dedupeKey],
      set: { repeats: sql`${repeats} + 1 + excluded.repeats` },
    })
    .returning({ system, configId, dedupeKey, repeats });
  // A row that was there has been told once more at least.
  return stored.filter((row) => row.repeats === once.get(keyOf(row))?.repeats).map((row) => row.system);
}

function toRow({ config, request, verdict }: Genuine, at: Date) {
  const eventId = verdict.eventId?.slice(0, 255) ?? null;
  return {
    configId: config.id,
    system: config.system,
    dedupeKey: eventId === null ? `body:${bodyHash(request)}` : `event:${verdict.eventType.slice(0, 30)}:${eventId}`,
    eventId,
    eventType: verdict.eventType.slice(0, 100),
    signature: verdict.signature,
    method: request.method,
    path: request.path.slice(0, 500),
    query: request.query.map(([name, value]): [string, string] => [name, value]),
    headers: keptOf(request.headers),
    body: withoutCards(request.body),
    bodyBytes: request.body.length,
    repeats: 0,
    receivedAt: at,
    nextAttemptAt: at,
  };
}

/** The same address and bytes are the same message; a message without a body is known by its query. */
function bodyHash({ path, query, body }: RawRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([path, query]))
    .update(body)
    .digest('hex');
}

function keptOf(headers: RawRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => keptHeaders.test(name) && !secretHeaders.test(name))
      .map(([name, value]) => [name, value.slice(0, 1000)]),
  );
}

const digits = /(?:\bid"?\s*[:=]\s*"?|Id"?\s*[:=>]\s*"?|ID"?\s*[:=>]\s*"?)?\d{13,19}/g;

/**
 * The bytes with card numbers masked, digit for digit, so that everything else stays where it was. What stands as an id
 * is left alone: systems number their sales with as many digits.
 */
function withoutCards(body: Uint8Array): Buffer {
  const text = Buffer.from(body).toString('latin1');
  const masked = text.replace(digits, (found) => {
    const number = /\d+$/.exec(found)?.[0] ?? '';
    if (found.length > number.length || !isCardNumber(number)) return found;
    return '*'.repeat(number.length - 4) + number.slice(-4);
  });
  return Buffer.from(masked, 'latin1');
}

/** The stored message in the shape in which it came. */
export function requestOf(row: DeliveryRow): RawRequest {
  return {
    method: row.method,
    path: row.path,
    query: row.query,
    headers: row.headers ?? {},
    body: new Uint8Array(row.body ?? Buffer.alloc(0)),
  };
}

/**
 * Takes messages that are due for this worker: each is leased, so that another worker goes on with the next ones and a
 * worker that dies gives its messages back by itself.
 */
export async function leaseDue(
  db: Db,
  { at, until, most }: { at: Date; until: Date; most: number },
): Promise<DeliveryRow[]> {
  const ids = await rows<{ id: number }>(
    db,
    sql`update webhook_deliveries set next_attempt_at = ${until.toISOString()}::timestamptz, attempts = attempts + 1
        where id in (select id from webhook_deliveries where status = 'pending' and next_attempt_at <= ${at.toISOString()}::timestamptz
          order by next_attempt_at, id limit ${most} for update skip locked)
        returning id`,
  );
  if (ids.length === 0) return [];
  const found = await db
    .select()
    .from(webhookDeliveries)
    .where(
      sql`${webhookDeliveries.id} in (${sql.join(
        ids.map(({ id }) => sql`${Number(id)}`),
        sql`, `,
      )})`,
    );
  return found.sort((a, b) => a.id - b.id);
}

/** A stored message, or a refusal. */
export async function findDelivery(db: Db, id: number, { forUpdate = false } = {}): Promise<DeliveryRow> {
  const wanted = db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
  const [found] = await (forUpdate ? wanted.for('update') : wanted);
  if (!found) throw new AppError('not-found', 'This message does not exist.');
  return found;
}

export async function updateDeliveries(
  db: Db,
  deliveries: readonly Pick<DeliveryRow, 'id'>[],
  fields: Partial<typeof webhookDeliveries.$inferInsert>,
): Promise<void> {
  const ids = deliveries.map(({ id }) => id);
  await db.update(webhookDeliveries).set(fields).where(inArray(webhookDeliveries.id, ids));
}

/**
 * Says of messages that they are done, in the transaction that books them: true whoever holds them meanwhile, so no lease is
 * asked for. One that another worker has done already keeps when that was. How many were not done before.
 */
export async function updateDone(db: Db, deliveries: readonly Pick<DeliveryRow, 'id'>[], at: Date): Promise<number> {
  const ids = deliveries.map(({ id }) => id);
  const changed = await db
    .update(webhookDeliveries)
    .set({ status: 'done', processedAt: at, error: null, nextAttemptAt: null, ...notLeftOut })
    .where(and(inArray(webhookDeliveries.id, ids), ne(webhookDeliveries.status, 'done')))
    .returning({ id: webhookDeliveries.id });
  return changed.length;
}

/** Of a message that nobody left out. */
export const notLeftOut = { leftOutAt: null, leftOutBy: null, leftOutReason: null };

/**
 * Changes a message as long as it belongs to the worker that took it: one that took too long has lost it to another, which may
 * be done with it. Whether it was changed.
 */
export async function updateLeased(
  db: Db,
  { id, attempts, nextAttemptAt }: DeliveryRow,
  fields: Partial<typeof webhookDeliveries.$inferInsert>,
): Promise<boolean> {
  const lease = webhookDeliveries.nextAttemptAt;
  const isOurs = and(
    eq(webhookDeliveries.id, id),
    eq(webhookDeliveries.status, 'pending'),
    eq(webhookDeliveries.attempts, attempts),
    nextAttemptAt ? eq(lease, nextAttemptAt) : isNull(lease),
  );
  const changed = await db.update(webhookDeliveries).set(fields).where(isOurs).returning({ id: webhookDeliveries.id });
  return changed.length > 0;
}
