import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type DeliveryTold, deliveryStatus, type Replayed } from '../../contract/integration-review.ts';
import { AppError } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import { type Db, firstRow } from '../db/database.ts';
import { findPage, type Page } from '../db/statements/paging.ts';
import { personName } from '../db/statements/person-name.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { tell } from '../integrations/service.ts';
import { type DeliveryRow, findDelivery, notLeftOut, updateDeliveries } from './inbox.ts';
import { webhookDeliveries } from './tables.ts';
import { leaseMs, processLeased } from './worker.ts';

type Wish = {
  configId?: number | undefined;
  status: 'all' | 'pending' | 'dead' | 'left_out';
  page?: string | undefined;
  limit: number;
};

const iso = (column: SQL): SQL => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Messages of partners, newest first. */
export function pageDeliveries({ db }: Deps, wish: Wish): Promise<Page<DeliveryTold>> {
  const condition = sql`(${wish.configId ?? null}::int is null or w.config_id = ${wish.configId ?? null})
    and (${wish.status} = 'all' or w.status = ${wish.status})`;
  return findPage<DeliveryTold>(db, {
    fields: sql`w.id, w.config_id as "configId", w.system, c.name as "configName", w.event_type as "eventType",
      w.event_id as "eventId", w.status, w.attempts, w.repeats, w.body_bytes as "bodyBytes",
      ${iso(sql`w.received_at`)} as "receivedAt", ${iso(sql`w.next_attempt_at`)} as "nextAttemptAt",
      ${iso(sql`w.processed_at`)} as "processedAt", w.error, w.body is not null as "canReplay",
      case when w.status = 'dead' then (select count(*)::int from webhook_deliveries o
        where o.status = 'dead' and o.config_id = w.config_id and o.error is not distinct from w.error) else 1 end as alike,
      case when w.status = 'left_out' then json_build_object('at', ${iso(sql`w.left_out_at`)}, 'reason', w.left_out_reason,
        'by', ${personName('u')}) end as "leftOut"`,
    source: sql`webhook_deliveries w join integration_configs c on c.id = w.config_id left join users u on u.id = w.left_out_by`,
    condition,
    order: { name: 'newest', down: true, id: sql`w.id`, value: sql`w.id`, type: 'bigint' },
    page: wish.page,
    limit: wish.limit,
    total: async () => {
      const found = await firstRow<{ n: number }>(
        db,
        sql`select count(*)::int as n from webhook_deliveries w where ${condition}`,
      );
      return found?.n ?? 0;
    },
  });
}

/** Processes a message once more and tells what came of it: of one that was booked, only what is new is booked. */
export async function replayDelivery(deps: Deps, caller: Caller, id: number): Promise<Replayed> {
  const leased = await deps.db.transaction(async (tx) => {
    const found = await findDelivery(tx, id, { forUpdate: true });
    if (found.body === null) throw new AppError('conflict', 'Messages are kept for 30 days. This one is older.');
    const lease = {
      status: 'pending',
      attempts: 1,
      nextAttemptAt: new Date(deps.clock.now().getTime() + leaseMs),
      error: null,
      processedAt: null,
      ...notLeftOut,
    };
    await updateDeliveries(tx, [{ id }], lease);
    await recordAudit(tx, caller, {
      action: 'integration.replay',
      objectType: 'integration',
      objectId: found.configId,
      detail: { delivery: id },
    });
    await tell(tx, found.configId);
    return { ...found, ...lease };
  });
  await processLeased(deps, leased);
  const { status, error } = await findDelivery(deps.db, id);
  return { id, status: deliveryStatus.parse(status), error };
}

type LeftOut = { messages: number };

/** A person says that failed messages are not processed, and why. They are kept, and can be taken back. */
export function leaveOutDelivery(
  deps: Deps,
  caller: Caller,
  id: number,
  { reason, alike }: { reason: string; alike: boolean },
): Promise<LeftOut> {
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const found = await findDelivery(tx, id, { forUpdate: true });
    if (found.status !== 'dead')
      throw new AppError(
        'conflict',
        'Only a message that failed is left out. Somebody decided about this one meanwhile.',
      );
    const sameCause = and(
      eq(webhookDeliveries.status, 'dead'),
      eq(webhookDeliveries.configId, found.configId),
      sql`${webhookDeliveries.error} is not distinct from ${found.error}`,
    );
    const left = await tx
      .update(webhookDeliveries)
      .set({ status: 'left_out', leftOutAt: at, leftOutBy: caller.userId, leftOutReason: reason })
      .where(alike ? sameCause : eq(webhookDeliveries.id, id))
      .returning({ id: webhookDeliveries.id });
    await note(tx, caller, found, { action: 'integration.leave-out-message', messages: left.length });
    return { messages: left.length };
  });
}

/** Puts a message that was left out, or all that were left out together with it, back among those that failed. */
export function takeBackDelivery(deps: Deps, caller: Caller, id: number, alike: boolean): Promise<LeftOut> {
  return deps.db.transaction(async (tx) => {
    const found = await findDelivery(tx, id, { forUpdate: true });
    if (found.status !== 'left_out' || !found.leftOutAt)
      throw new AppError('conflict', 'This message is not left out any more.');
    const together = and(
      eq(webhookDeliveries.status, 'left_out'),
      eq(webhookDeliveries.configId, found.configId),
      eq(webhookDeliveries.leftOutAt, found.leftOutAt),
    );
    const back = await tx
      .update(webhookDeliveries)
      .set({ status: 'dead', ...notLeftOut })
      .where(alike ? together : eq(webhookDeliveries.id, id))
      .returning({ id: webhookDeliveries.id });
    await note(tx, caller, found, { action: 'integration.take-back-message', messages: back.length });
    return { messages: back.length };
  });
}

async function note(
  tx: Db,
  caller: Caller,
  { id, configId }: DeliveryRow,
  { action, messages }: { action: string; messages: number },
): Promise<void> {
  const detail = { delivery: id, messages };
  await recordAudit(tx, caller, { action, objectType: 'integration', objectId: configId, detail });
  await tell(tx, configId);
}
