import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RawRequest, WebhookReader } from '../../connectors/connector.ts';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { type ConfigRow, connectorOf, countRejected, findConfigOfAddress } from '../integrations/service.ts';
import { type Genuine, storeDeliveries, webhookContext } from './inbox.ts';

/** Of one statement: enough to keep up with a burst, little enough to be stored in a moment. */
const mostTogether = 100;
const mostBytesTogether = 2_000_000;

type Address = { system: string; publicId: string };
type Waiting = { address: Address; request: RawRequest; stored: () => void; failed: (error: unknown) => void };
type Line = { waiting: Waiting[]; isServed: boolean; beingStored: Promise<void> | null };

/** What came in and is not stored yet, by process. */
const lines = new WeakMap<Deps, Line>();

function lineOf(deps: Deps): Line {
  const known = lines.get(deps);
  if (known) return known;
  const made: Line = { waiting: [], isServed: false, beingStored: null };
  lines.set(deps, made);
  return made;
}

/**
 * Takes a partner's message in: verified over the bytes as they came, stored, and only then answered. A message told
 * again is the same row. One that is not genuine is refused and counted, never stored. What comes while others are being
 * stored is stored together next.
 */
export function takeIn(deps: Deps, address: Address, request: RawRequest): Promise<void> {
  const line = lineOf(deps);
  return new Promise((stored, failed) => {
    line.waiting.push({ address, request, stored, failed });
    if (!line.isServed) void serve(deps, line);
  });
}

async function serve(deps: Deps, line: Line): Promise<void> {
  line.isServed = true;
  while (line.waiting.length > 0) {
    line.beingStored = nextTurn().then(() => takeInTogether(deps, nextOf(line.waiting)));
    await line.beingStored;
  }
  line.beingStored = null;
  line.isServed = false;
}

/**
 * Lets what came in be stored first: nobody who waits for an answer stands behind work that can wait. The embedded
 * database works in this very thread, one statement right after the other, so what came in has to be read first.
 */
export async function letStore(deps: Deps): Promise<void> {
  await nextTurn();
  await lineOf(deps).beingStored;
}

function nextOf(waiting: Waiting[]): Waiting[] {
  let bytes = 0;
  const end = waiting.findIndex(({ request }, at) => {
    bytes += request.body.length;
    return at > 0 && (at >= mostTogether || bytes > mostBytesTogether);
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

async function takeInTogether(deps: Deps, together: readonly Waiting[]): Promise<void> {
  const genuine: Verified[] = [];
  for (const { address, all } of byAddress(together)) {
    try {
      genuine.push(...(await verifyAll(deps, await receiverOf(deps, address), all)));
    } catch (error) {
      for (const one of all) one.failed(error);
    }
  }
  await storeAll(deps, genuine);
}

function byAddress(together: readonly Waiting[]): { address: Address; all: Waiting[] }[] {
  const groups = new Map<string, { address: Address; all: Waiting[] }>();
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

type Verified = { one: Waiting; told: Genuine };

async function verifyAll(deps: Deps, { config, reader }: Receiver, all: readonly Waiting[]): Promise<Verified[]> {
  const context = await webhookContext(deps, config);
  const genuine: Verified[] = [];
  const refused: Waiting[] = [];
  let reason = '';
  for (const one of all) {
    try {
      const verdict = reader.verify(one.request, context);
      if (verdict.genuine) {
        genuine.push({ one, told: { config, request: one.request, verdict } });
        continue;
      }
      refused.push(one);
      reason = verdict.reason;
    } catch (error) {
      one.failed(error);
    }
  }
  if (refused.length > 0) {
    const at = deps.clock.now();
    await countRejected(deps.db, config.id, { at, reason: reason.slice(0, 500), count: refused.length });
    for (const one of refused) one.failed(new AppError('not-signed-in', 'The message is not signed as agreed.'));
  }
  return genuine;
}

async function storeAll(deps: Deps, genuine: readonly Verified[]): Promise<void> {
  if (genuine.length === 0) return;
  try {
    await storeDeliveries(
      deps.db,
      genuine.map(({ told }) => told),
      deps.clock.now(),
    );
    for (const { one } of genuine) one.stored();
  } catch (error) {
    const [only] = genuine;
    if (genuine.length === 1) only?.one.failed(error);
    // One that cannot be stored must not cost the others their answer.
    else for (const each of genuine) await storeAll(deps, [each]);
  }
}
