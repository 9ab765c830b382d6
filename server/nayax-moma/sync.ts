import { setTimeout as delay } from 'node:timers/promises';
import type { SyncAllReply } from '../../contract/moma.ts';
import type { ConfigSync } from '../../contract/nayax.ts';
import { AppError } from '../../domain/errors.ts';
import { integrationSystem } from '../../domain/integration.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { listConfigs, requireConfig } from '../integrations/service.ts';
import { goOn, runSync } from '../vendor-sync/service.ts';
import type { LynxSystem } from './configs.ts';
import { countDevices } from './queries.ts';

/** A button is answered within this time; a longer sync goes on by itself. */
const patienceMs = 25_000;
const nothing = { added: 0, updated: 0, sales: 0, booked: 0, held: 0 };

/** Reads everything of one configuration. Refused with the sentence for the screen when it fails or one is at work. */
export async function syncConfig(deps: Deps, caller: Caller, system: LynxSystem, id: number): Promise<ConfigSync> {
  await requireConfig(deps.db, id, system);
  return syncOne(deps, caller, id);
}

async function syncOne(deps: Deps, caller: Caller, id: number): Promise<ConfigSync> {
  const done = runSync(deps, id, undefined, { callerId: caller.userId });
  // Kept among what goes on by itself, so that a stop of the server waits for it; whoever asked hears of the failure.
  goOn(deps, () => done.catch(() => null));
  const stop = new AbortController();
  const late = delay(patienceMs, null, { signal: stop.signal, ref: false }).catch(() => null);
  const counts = await Promise.race([done, late]).finally(() => stop.abort());
  const synced = await countDevices(deps.db, id);
  if (!counts) return { synced, finished: false, ...nothing };
  const { added, updated, sales, booked, held } = counts;
  return { synced, finished: true, added, updated, sales, booked, held };
}

/** Reads all active configurations of both systems; one that fails leaves the others going. */
export async function syncAll(deps: Deps, caller: Caller): Promise<SyncAllReply> {
  const [nayax, moma] = await Promise.all([listConfigs(deps, 'nayax'), listConfigs(deps, 'moma')]);
  const active = [...nayax, ...moma].filter((config) => config.isActive);
  return Promise.all(
    active.map(async ({ id, system, name }) => {
      const who = { configId: id, system: integrationSystem.parse(system), name };
      try {
        return { ...who, ...(await syncOne(deps, caller, id)), error: null };
      } catch (error) {
        if (!(error instanceof AppError)) deps.log.error({ err: error, config: id }, 'sync failed');
        const told = error instanceof AppError ? error.message : 'The sync failed. The log of the server says why.';
        return { ...who, synced: await countDevices(deps.db, id), finished: true, ...nothing, error: told };
      }
    }),
  );
}
