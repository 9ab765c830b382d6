import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { RawRequest, Verdict } from '../../connectors/connector.ts';
import { isCardNumber } from '../../domain/card-numbers.ts';
import { AppError } from '../../domain/errors.ts';
import { type Db, rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import {
  type ConfigRow,
  connectorOf,
  countRejected,
  findConfigOfAddress,
  openPreviousSettings,
  openSettings,
} from '../integrations/service.ts';
import { getOperator } from '../settings/service.ts';
import { hash } from '../vendor-sync/service.ts';
import { webhookDeliveries } from './tables.ts';

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** Headers that say nothing about the message, or that carry somebody's credentials. */
const keptHeaders = /^(?:content-type|user-agent|soapaction|date|(?:x-|webhook-|stripe-)[\w-]*)$/;
const secretHeaders = /auth|token|cookie|secret|password/;

/**
 * Takes a partner's message in: verified over the bytes as they came, stored, and only then answered. A message told
 * again is the same row. One that is not genuine is refused and counted, never stored.
 */
export async function takeIn(
  deps: Deps,
  { system, publicId }: { system: string; publicId: string },
  request: RawRequest,
): Promise<{ isNew: boolean }> {
  const config = await findConfigOfAddress(deps.db, system, publicId);
  if (!config?.isActive) throw new AppError('not-found', 'There is nothing at this address.');
  const reader = connectorOf(deps, config.system).webhook;
  if (!reader) throw new AppError('not-found', 'This system sends no messages.');
  const verdict = reader.verify(request, await webhookContext(deps, config));
  if (!verdict.genuine) {
    await countRejected(deps.db, config.id, { at: deps.clock.now(), reason: verdict.reason.slice(0, 500) });
    throw new AppError('not-signed-in', 'The message is not signed as agreed.');
  }
  return { isNew: await store(deps, config, request, verdict) };
}

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

async function store(
  deps: Deps,
  config: ConfigRow,
  request: RawRequest,
  verdict: Extract<Verdict, { genuine: true }>,
): Promise<boolean> {
  const at = deps.clock.now();
  const eventId = verdict.eventId?.slice(0, 255) ?? null;
  const made = await deps.db
    .insert(webhookDeliveries)
    .values({
      configId: config.id,
      system: config.system,
      dedupeKey: eventId === null ? `body:${bodyHash(request)}` : `event:${verdict.eventType.slice(0, 30)}:${eventId}`,
      eventId,
      eventType: verdict.eventType.slice(0, 100),
      signature: verdict.signature,
      method: request.method,
      path: request.path.slice(0, 500),
      query: request.query.map(([name, value]) => [name, value]),
      headers: keptOf(request.headers),
      body: withoutCards(request.body),
      bodyBytes: request.body.length,
      receivedAt: at,
      nextAttemptAt: at,
    })
    .onConflictDoUpdate({
      target: [webhookDeliveries.configId, webhookDeliveries.dedupeKey],
      set: { repeats: sql`${webhookDeliveries.repeats} + 1` },
    })
    .returning({ repeats: webhookDeliveries.repeats });
  return made[0]?.repeats === 0;
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

export async function updateDelivery(
  db: Db,
  id: number,
  fields: Partial<typeof webhookDeliveries.$inferInsert>,
): Promise<void> {
  await db.update(webhookDeliveries).set(fields).where(eq(webhookDeliveries.id, id));
}
