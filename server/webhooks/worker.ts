import { sql } from 'drizzle-orm';
import type { Delivery } from '../../connectors/connector.ts';
import { VendorError } from '../../connectors/connector.ts';
import { AppError } from '../../domain/errors.ts';
import { againOnConflict } from '../db/statements/again.ts';
import type { Deps } from '../deps.ts';
import { type ConfigRow, connectorOf, findConfig, tell } from '../integrations/service.ts';
import { goOn, pullSoon, stopSignal, takeBatch } from '../vendor-sync/service.ts';
import { type DeliveryRow, leaseDue, requestOf, updateDone, updateLeased, webhookContext } from './inbox.ts';
import { letStore } from './intake.ts';
import { groups, nothing, type Read, storedTogether } from './together.ts';

/** How long a message belongs to the worker that took it. */
export const leaseMs = 60_000;
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

/** To Prometheus a counter that is first seen at 1 never rose: the first message that dies would raise no alert. */
export function countDeadFromZero({ connectors, watch }: Deps): void {
  for (const { manifest } of connectors) watch.webhooks.add({ system: manifest.system, outcome: 'dead' }, 0);
}

/**
 * Processes every message that is due, oldest first, until the process stops; one that fails is put off and holds up no
 * other.
 */
export async function processDue(deps: Deps): Promise<void> {
  const signal = stopSignal(deps);
  while (!signal.aborted) {
    await letStore(deps);
    const at = deps.clock.now();
    const leased = await leaseDue(deps.db, { at, until: new Date(at.getTime() + leaseMs), most });
    if (leased.length === 0) return;
    for (const all of groups(leased, (delivery) => delivery.configId)) await processOfOne(deps, all);
  }
}

/** Processes one message that the caller has leased; what came of it stands in its row. */
export async function processLeased(deps: Deps, delivery: DeliveryRow): Promise<void> {
  await letStore(deps);
  await processOfOne(deps, [delivery]);
}

/** Messages to one configuration; those that this process cannot begin any more are given back. */
async function processOfOne(deps: Deps, all: readonly DeliveryRow[]): Promise<void> {
  const signal = stopSignal(deps);
  if (signal.aborted) return giveBack(deps, all);
  const [first] = all;
  const config = first && (await findConfig(deps.db, first.configId));
  if (!config) {
    await updateDone(deps.db, all, deps.clock.now());
    return;
  }
  const read: Read[] = [];
  try {
    const reader = connectorOf(deps, config.system).webhook;
    const context = await webhookContext(deps, config);
    for (const delivery of all) {
      const told = await reading(deps, delivery, () => reader?.parse(requestOf(delivery), context) ?? nothing);
      if (told) read.push({ delivery, told });
    }
  } catch (error) {
    for (const delivery of all) await putOff(deps, delivery, error);
    return;
  }
  for (const together of storedTogether(read)) {
    await letStore(deps);
    const left = signal.aborted ? together.map(({ delivery }) => delivery) : null;
    await (left ? giveBack(deps, left) : storeTold(deps, config, together));
  }
}

/** As if they had never been taken: the next process begins them at once. */
async function giveBack(deps: Deps, all: readonly DeliveryRow[]): Promise<void> {
  for (const delivery of all) {
    const before = { attempts: delivery.attempts - 1, nextAttemptAt: deps.clock.now() };
    await updateLeased(deps.db, delivery, before);
  }
}

async function reading(deps: Deps, delivery: DeliveryRow, parse: () => Delivery): Promise<Delivery | null> {
  try {
    return parse();
  } catch (error) {
    await putOff(deps, delivery, error);
    return null;
  }
}

async function storeTold(deps: Deps, config: ConfigRow, together: readonly Read[]): Promise<void> {
  const [first] = together;
  if (!first) return;
  const at = deps.clock.now();
  const [only] = together.length === 1 ? together : [];
  const batch = only ? only.told.batch : { sales: together.flatMap(({ told }) => told.batch.sales ?? []) };
  const deliveries = together.map(({ delivery }) => delivery);
  try {
    const done = await againOnConflict(() =>
      deps.db.transaction(async (tx) => {
        await takeBatch(tx, { config, at, heardAt: first.delivery.receivedAt }, batch);
        const finished = await updateDone(tx, deliveries, at);
        await tell(tx, config.id);
        return finished;
      }),
    );
    deps.watch.webhooks.add({ system: config.system, outcome: 'processed' }, done);
    const pull = new Set(together.flatMap(({ told }) => told.pull));
    if (pull.size > 0) await pullSoon(deps, config, [...pull]);
  } catch (error) {
    // One of them cannot be stored: it is put off alone, and costs the others nothing.
    if (together.length > 1) for (const one of together) await storeTold(deps, config, [one]);
    else await putOff(deps, first.delivery, error);
  }
}

async function putOff(deps: Deps, delivery: DeliveryRow, error: unknown): Promise<void> {
  const isLast = delivery.attempts >= tries || isHopeless(error);
  const pauseMs = Math.random() * Math.min(longestPauseMs, firstPauseMs * 4 ** (delivery.attempts - 1));
  if (!(error instanceof VendorError)) deps.log.error({ err: error, delivery: delivery.id }, 'delivery failed');
  const isOurs = await updateLeased(deps.db, delivery, {
    status: isLast ? 'dead' : 'pending',
    nextAttemptAt: isLast ? null : new Date(deps.clock.now().getTime() + pauseMs),
    error: sentenceFor(error),
  });
  if (!isOurs) return;
  await tell(deps.db, delivery.configId);
  deps.watch.webhooks.add({ system: delivery.system, outcome: isLast ? 'dead' : 'failed' });
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
