import { type SQL, sql } from 'drizzle-orm';
import { type DeliveryTold, deliveryStatus, type Replayed } from '../../contract/integration-review.ts';
import { AppError } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import { firstRow } from '../db/database.ts';
import { findPage, type Page } from '../db/paging.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { tell } from '../integrations/service.ts';
import { findDelivery, updateDeliveries } from './inbox.ts';
import { leaseMs, processLeased } from './worker.ts';

type Wish = {
  configId?: number | undefined;
  status: 'all' | 'pending' | 'dead';
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
      ${iso(sql`w.processed_at`)} as "processedAt", w.error, w.body is not null as "canReplay"`,
    source: sql`webhook_deliveries w join integration_configs c on c.id = w.config_id`,
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
