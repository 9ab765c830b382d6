import { setTimeout as delay } from 'node:timers/promises';
import type { SyncAllReply } from '../../contract/moma.ts';
import type { ConfigSync } from '../../contract/nayax.ts';
import { AppError } from '../../domain/errors.ts';
import { integrationSystem } from '../../domain/integration.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { listConfigs, requireConfig } from '../integrations/service.ts';
import { noCounts } from '../vendor-records/service.ts';
import { goOn, refusalOf, type SyncOutcome, trySync } from '../vendor-sync/service.ts';
import type { LynxSystem } from './configs.ts';
import { countDevices, findLastHeard } from './queries.ts';

/** A button is answered within this time; a longer sync goes on by itself. */
const patienceMs = 25_000;
/** Pages of a partner that answers come faster than this. */
const silentMs = 15_000;

type Asking = Pick<Caller, 'userId'>;
type Patience = (signal: AbortSignal) => Promise<unknown>;
const usualPatience: Patience = (signal) => delay(patienceMs, null, { signal, ref: false });

/** Reads everything of one configuration. Refused with the sentence for the screen when it fails or one is at work. */
export async function syncConfig(deps: Deps, caller: Caller, system: LynxSystem, id: number): Promise<ConfigSync> {
  await requireConfig(deps.db, id, system);
  const outcome = await syncOne(deps, caller, id);
  if (outcome && outcome.state !== 'done') throw refusalOf(outcome);
  return toReply(deps, id, outcome);
}

/** Null: it takes longer than a person waits, and goes on by itself. */
async function syncOne(
  deps: Deps,
  caller: Asking,
  id: number,
  patience: Patience = usualPatience,
): Promise<SyncOutcome | null> {
  const done = trySync(deps, id, { callerId: caller.userId });
  // Kept among what goes on by itself, so that a stop of the server waits for it; whoever asked hears of the failure.
  goOn(deps, () => done.catch(() => null));
  const stop = new AbortController();
  const late = patience(stop.signal).then(
    () => null,
    () => null,
  );
  return Promise.race([done, late]).finally(() => stop.abort());
}

async function toReply(deps: Deps, id: number, outcome: SyncOutcome | null): Promise<ConfigSync> {
  const synced = await countDevices(deps.db, id);
  // Also of a run that was stopped or failed: what it had stored by then stays.
  const { added, updated, sales, booked, held } = outcome?.counts ?? noCounts;
  const heard = outcome ? null : await heardOf(deps, id);
  return { synced, finished: hasEnded(outcome), heard, added, updated, sales, booked, held };
}

/** A partner that hangs must not pass for one that has much to tell. */
async function heardOf(deps: Deps, id: number): Promise<ConfigSync['heard']> {
  const { pageAt, waitsUntil } = await findLastHeard(deps.db, id);
  const now = deps.clock.now();
  if (waitsUntil !== null && waitsUntil > now) return 'wait';
  return pageAt !== null && now.getTime() - pageAt.getTime() < silentMs ? 'records' : 'nothing';
}

const hasEnded = (outcome: SyncOutcome | null): boolean =>
  outcome?.state === 'done' || outcome?.state === 'stopped' || outcome?.state === 'failed';

/** What the process leaves on its way out goes on as what takes long does: by itself. */
const stateOf = (outcome: SyncOutcome | null): SyncAllReply[number]['state'] =>
  !outcome || outcome.state === 'left' ? 'going-on' : outcome.state;

/** Reads all active configurations of both systems; one that fails leaves the others going. */
export async function syncAll(deps: Deps, caller: Asking, patience?: Patience): Promise<SyncAllReply> {
  const [nayax, moma] = await Promise.all([listConfigs(deps, 'nayax'), listConfigs(deps, 'moma')]);
  const active = [...nayax, ...moma].filter((config) => config.isActive);
  return Promise.all(
    active.map(async ({ id, system, name }) => {
      const outcome = await syncOne(deps, caller, id, patience).catch((error: unknown) => failureOf(deps, id, error));
      return {
        ...{ configId: id, system: integrationSystem.parse(system), name },
        ...(await toReply(deps, id, outcome)),
        state: stateOf(outcome),
        error: outcome?.state === 'failed' ? outcome.sentence : null,
      };
    }),
  );
}

function failureOf(deps: Deps, config: number, error: unknown): SyncOutcome {
  const failed = { state: 'failed', counts: noCounts, isPassing: true } as const;
  if (error instanceof AppError) return { ...failed, sentence: error.message, isOurs: false };
  deps.log.error({ err: error, config }, 'sync failed');
  return { ...failed, sentence: 'The sync failed. The log of the server says why.', isOurs: true };
}
