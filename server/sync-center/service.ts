import type { SyncStatus } from '../../contract/sync-center.ts';
import { AppError } from '../../domain/errors.ts';
import { type IntegrationSystem, integrationSystem, systemLabel } from '../../domain/integration.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { isConnected, problemOrRest, updateConfig } from '../integrations/service.ts';
import { refusalOf, startSync, trySync } from '../vendor-sync/service.ts';
import { type ConfigState, countSynced, findConfigStates } from './queries.ts';

const latest = (instants: readonly (string | null)[]): string | null =>
  instants
    .filter((at) => at !== null)
    .sort()
    .at(-1) ?? null;

export async function statusOfSync({ db, connectors, clock }: Deps): Promise<SyncStatus> {
  const [configs, totalDevices] = await Promise.all([findConfigStates(db), countSynced(db)]);
  const active = configs.filter((config) => isConnected(connectors, config));
  const now = clock.now();
  const systems = integrationSystem.options.map((system) => {
    const own = configs
      .filter((config) => config.system === system && config.isActive)
      .map((config) => ({ ...config, ...problemOrRest(config, now) }));
    return {
      system,
      connected: active.some((config) => config.system === system),
      problem: problemOf(own),
      waitsUntil: own.find(({ waitsUntil }) => waitsUntil !== null)?.waitsUntil ?? null,
      lastSync: latest(own.map(({ lastSync }) => lastSync)),
      running: own.some(({ running }) => running),
    };
  });
  const connectedSystems = systems.filter(({ connected }) => connected).map(({ system }) => system);
  const connected = connectedSystems.length === systems.length;
  return {
    connected,
    connectedSystems,
    missingConnections: systems.filter((one) => !one.connected).map(({ system }) => system),
    totalDevices,
    lastSync: latest(systems.map(({ lastSync }) => lastSync)),
    autoSyncEnabled: connected && active.every(({ syncEnabled }) => syncEnabled),
    systems,
  };
}

/** What is wrong with a system, and with which of its configurations where it has several. */
function problemOf(own: readonly ConfigState[]): string | null {
  const failing = own.find(({ problem }) => problem !== null);
  if (!failing) return null;
  return own.length > 1 ? `${failing.name}: ${failing.problem}` : failing.problem;
}

/** The configurations to read, where all systems are connected. */
async function connectedConfigs(deps: Deps): Promise<ConfigState[]> {
  const { missingConnections } = await statusOfSync(deps);
  if (missingConnections.length > 0) {
    const names = missingConnections.map((system) => systemLabel[system]).join(', ');
    throw new AppError('conflict', `Connect all systems first. Missing: ${names}.`);
  }
  return (await findConfigStates(deps.db)).filter((config) => isConnected(deps.connectors, config));
}

type Failure = { system: IntegrationSystem; message: string };

async function syncOne(deps: Deps, configId: number): Promise<{ added: number; updated: number }> {
  const outcome = await trySync(deps, configId);
  if (outcome.state === 'done') return outcome.counts;
  if (outcome.state === 'failed' || outcome.state === 'left') throw refusalOf(outcome);
  // Being read at this moment by somebody else is as good as read.
  return { added: 0, updated: 0 };
}

/** Reads every configuration to its end, side by side: one that fails leaves the others on their way. */
export async function triggerAll(deps: Deps) {
  const configs = await connectedConfigs(deps);
  const failures: Failure[] = [];
  const counts = await Promise.all(
    configs.map((config) =>
      syncOne(deps, config.id).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        failures.push({ system: integrationSystem.parse(config.system), message: error.message });
        return { added: 0, updated: 0 };
      }),
    ),
  );
  return {
    success: failures.length === 0,
    devicesAdded: counts.reduce((sum, { added }) => sum + added, 0),
    devicesUpdated: counts.reduce((sum, { updated }) => sum + updated, 0),
    failures,
  };
}

/** Every configuration that is not in maintenance goes by its timetable from now on, beginning with a run in the background. */
export async function autoTriggerAll(deps: Deps, caller: Caller) {
  const configs = (await connectedConfigs(deps)).filter((config) => !config.inMaintenance);
  for (const config of configs) {
    if (!config.syncEnabled) await updateConfig(deps, caller, config.id, { syncEnabled: true });
    await startSync(deps, caller, config.id);
  }
  return { queued: configs.length, autoSyncEnabled: true };
}
