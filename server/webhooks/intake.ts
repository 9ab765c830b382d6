import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RawRequest, WebhookReader } from '../../connectors/connector.ts';
import { AppError } from '../../domain/errors.ts';
import { gather } from '../db/gather.ts';
import type { Deps } from '../deps.ts';
import { isPassing } from '../http/error-reply.ts';
import { type ConfigRow, connectorOf, countRejected, findConfigOfAddress } from '../integrations/service.ts';
import { type Genuine, storeDeliveries, webhookContext } from './inbox.ts';

/** Of one statement: enough to keep up with a burst, little enough to be stored in a moment. */
const mostTogether = 100;
const mostBytesTogether = 2_000_000;

type Address = { system: string; publicId: string };
type Message = { address: Address; request: RawRequest };
/** Why a message was not taken in; null where it was. */
type Refusal = { error: unknown } | null;

/** What came in and is not stored yet, by process. */
const lines = new WeakMap<Deps, ReturnType<typeof lineFor>>();

const lineFor = (deps: Deps) =>
  gather<Message, Refusal>({
    most: 1,
    weightOf: ({ request }) => Math.max(1 / mostTogether, request.body.length / mostBytesTogether),
    namesOf: () => [],
    work: (together) => takeInTogether(deps, together),
    concernsAll: isPassing,
  });

function lineOf(deps: Deps) {
  const known = lines.get(deps) ?? lineFor(deps);
  lines.set(deps, known);
  return known;
}

/**
 * Takes a partner's message in: verified over the bytes as they came, stored, and only then answered. A message told
 * again is the same row. One that is not genuine is refused and counted, never stored. What comes while others are being
 * stored is stored together next.
 */
export async function takeIn(deps: Deps, address: Address, request: RawRequest): Promise<void> {
  const refusal = await lineOf(deps).take({ address, request });
  if (refusal) throw refusal.error;
}

/**
 * Lets what came in be stored first: nobody who waits for an answer stands behind work that can wait. The embedded
 * database works in this very thread, one statement right after the other, so what came in has to be read first.
 */
export async function letStore(deps: Deps): Promise<void> {
  await nextTurn();
  await lineOf(deps).underWay();
}

async function takeInTogether(deps: Deps, together: readonly Message[]): Promise<Refusal[]> {
  const genuine: Genuine[] = [];
  const rejected: Rejected[] = [];
  const refusals = new Map<Message, Refusal>();
  for (const { address, all } of byAddress(together)) {
    try {
      const { config, verified, refused, reasons } = await verifyAll(deps, await receiverOf(deps, address), all);
      genuine.push(...verified);
      for (const [message, error] of refused) refusals.set(message, { error });
      if (reasons.length > 0) rejected.push({ config, reasons });
    } catch (error) {
      for (const message of all) refusals.set(message, { error });
    }
  }
  if (genuine.length > 0) countTaken(deps, genuine, await storeDeliveries(deps.db, genuine, deps.clock.now()));
  // Counted last: what could not be stored is looked at once more.
  for (const one of rejected) await countAll(deps, one);
  return together.map((message) => refusals.get(message) ?? null);
}

/** `first`: the systems of the messages that came for the first time. */
function countTaken({ watch }: Deps, genuine: readonly Genuine[], first: readonly string[]): void {
  for (const system of new Set(genuine.map(({ config }) => config.system))) {
    const all = genuine.filter(({ config }) => config.system === system).length;
    const accepted = first.filter((one) => one === system).length;
    watch.webhooks.add({ system, outcome: 'accepted' }, accepted);
    watch.webhooks.add({ system, outcome: 'repeated' }, all - accepted);
  }
}

function byAddress(together: readonly Message[]): { address: Address; all: Message[] }[] {
  const groups = new Map<string, { address: Address; all: Message[] }>();
  for (const one of together) {
    const key = `${one.address.system} ${one.address.publicId}`;
    const group = groups.get(key) ?? { address: one.address, all: [] };
    group.all.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
}

type Receiver = { config: ConfigRow; reader: WebhookReader };

async function receiverOf(deps: Deps, { system, publicId }: Address): Promise<Receiver> {
  const config = await findConfigOfAddress(deps.db, system, publicId);
  if (!config?.isActive) throw new AppError('not-found', 'There is nothing at this address.');
  const reader = connectorOf(deps, config.system).webhook;
  if (!reader) throw new AppError('not-found', 'This system sends no messages.');
  return { config, reader };
}

/** Why messages of a configuration were not genuine, the last one at the end. */
type Rejected = { config: ConfigRow; reasons: string[] };
type Verified = Rejected & { verified: Genuine[]; refused: Map<Message, unknown> };

async function verifyAll(deps: Deps, { config, reader }: Receiver, all: readonly Message[]): Promise<Verified> {
  const context = await webhookContext(deps, config);
  const found: Verified = { config, verified: [], refused: new Map(), reasons: [] };
  for (const message of all) {
    try {
      const verdict = reader.verify(message.request, context);
      if (verdict.genuine) {
        found.verified.push({ config, request: message.request, verdict });
        continue;
      }
      found.reasons.push(verdict.reason);
      found.refused.set(message, new AppError('not-signed-in', 'The message is not signed as agreed.'));
    } catch (error) {
      found.refused.set(message, error);
    }
  }
  return found;
}

async function countAll(deps: Deps, { config, reasons }: Rejected): Promise<void> {
  const reason = (reasons.at(-1) ?? '').slice(0, 500);
  await countRejected(deps.db, config.id, { at: deps.clock.now(), reason, count: reasons.length });
  deps.watch.webhooks.add({ system: config.system, outcome: 'refused' }, reasons.length);
}
