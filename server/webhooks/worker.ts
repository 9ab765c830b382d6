import { sql } from 'drizzle-orm';
import type { Delivery } from '../../connectors/connector.ts';
import { VendorError } from '../../connectors/connector.ts';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { connectorOf, findConfig, tell } from '../integrations/service.ts';
import { againOnConflict, goOn, pullSoon, takeBatch } from '../vendor-sync/service.ts';
import { type DeliveryRow, leaseDue, requestOf, updateDelivery, webhookContext } from './inbox.ts';

const leaseMs = 60_000;
const most = 100;
/** About a day in all, on average. */
const tries = 14;
const firstPauseMs = 5_000;
const longestPauseMs = 6 * 3_600_000;

/** One at a time in a process; whoever calls meanwhile is served by another look at the end. */
const atWork = new WeakMap<Deps, { again: boolean }>();

/** Lets the messages that wait be processed by and by; the answer to the partner does not wait for it. */
export function processSoon(deps: Deps): void {
  const going = atWork.get(deps);
  if (going) {
    going.again = true;
    return;
  }
  const mark = { again: false };
  atWork.set(deps, mark);
  goOn(deps, async () => {
    try {
      do {
        mark.again = false;
        await processDue(deps);
      } while (mark.again);
    } finally {
      atWork.delete(deps);
    }
  });
}

/** Processes every message that is due, oldest first; one that fails is put off and holds up no other. */
export async function processDue(deps: Deps): Promise<void> {
  for (;;) {
    const at = deps.clock.now();
    const leased = await leaseDue(deps.db, { at, until: new Date(at.getTime() + leaseMs), most });
    if (leased.length === 0) return;
    for (const delivery of leased) await processOne(deps, delivery);
  }
}

async function processOne(deps: Deps, delivery: DeliveryRow): Promise<void> {
  try {
    await process(deps, delivery);
  } catch (error) {
    await putOff(deps, delivery, error);
  }
}

async function process(deps: Deps, delivery: DeliveryRow): Promise<void> {
  const at = deps.clock.now();
  const config = await findConfig(deps.db, delivery.configId);
  if (!config) {
    await updateDelivery(deps.db, delivery.id, { status: 'done', processedAt: at, error: null, nextAttemptAt: null });
    return;
  }
  const reader = connectorOf(deps, config.system).webhook;
  const told: Delivery = reader?.parse(requestOf(delivery), await webhookContext(deps, config)) ?? {
    batch: {},
    pull: [],
  };
  await againOnConflict(() =>
    deps.db.transaction(async (tx) => {
      await takeBatch(tx, { config, at, heardAt: delivery.receivedAt }, told.batch);
      await updateDelivery(tx, delivery.id, { status: 'done', processedAt: at, error: null, nextAttemptAt: null });
      await tell(tx, config.id);
    }),
  );
  if (told.pull.length > 0) await pullSoon(deps, config, told.pull);
}

async function putOff(deps: Deps, delivery: DeliveryRow, error: unknown): Promise<void> {
  const isLast = delivery.attempts >= tries || isHopeless(error);
  const pauseMs = Math.random() * Math.min(longestPauseMs, firstPauseMs * 4 ** (delivery.attempts - 1));
  await updateDelivery(deps.db, delivery.id, {
    status: isLast ? 'dead' : 'pending',
    nextAttemptAt: isLast ? null : new Date(deps.clock.now().getTime() + pauseMs),
    error: sentenceFor(error),
  });
  await tell(deps.db, delivery.configId);
  if (!(error instanceof VendorError)) deps.log.error({ err: error, delivery: delivery.id }, 'delivery failed');
}

/** What cannot be read will not become readable by waiting. */
const isHopeless = (error: unknown): boolean => error instanceof VendorError && error.kind === 'bad-data';

function sentenceFor(error: unknown): string {
  if (error instanceof VendorError || error instanceof AppError) return error.message;
  return 'It failed in this program. The log of the server says why.';
}

const keptMs = 30 * 24 * 3_600_000;

/** Bytes and headers of messages go after 30 days; that they came, and once, stays known for ever. */
export async function purgeDeliveries(deps: Deps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - keptMs).toISOString();
  await deps.db.execute(
    sql`update webhook_deliveries set body = null, headers = null, query = '[]' where body is not null and received_at < ${before}::timestamptz`,
  );
}
