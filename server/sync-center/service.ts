import type { EndedRun, SyncStatus } from '../../contract/sync-center.ts';
import { latestRunsShown } from '../../contract/sync-center.ts';
import { AppError } from '../../domain/errors.ts';
import { type IntegrationSystem, integrationSystem, systemLabel } from '../../domain/integration.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { isConnected, problemOrRest, updateConfig } from '../integrations/service.ts';
import { noCounts } from '../vendor-records/service.ts';
import { type SyncOutcome, startSync, trySync } from '../vendor-sync/service.ts';
import { type ConfigState, countSynced, findConfigStates, findLatestRuns } from './queries.ts';

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

/** How the systems fared of late, each of them, also one that never ran. */
export async function latestRuns({ db }: Deps): Promise<{ system: IntegrationSystem; runs: EndedRun[] }[]> {
  const found = await findLatestRuns(db, latestRunsShown);
  return integrationSystem.options.map((system) => ({
    system,
    runs: found.filter((run) => run.system === system).map(({ system: _, ...run }) => run),
  }));
}

/** What is wrong with one of so many configurations of a system: with which, where there are several. */
const namedProblem = (of: number, name: string, problem: string): string => (of > 1 ? `${name}: ${problem}` : problem);

function problemOf(own: readonly ConfigState[]): string | null {
  const failing = own.find(({ problem }) => problem !== null);
  return failing?.problem ? namedProblem(own.length, failing.name, failing.problem) : null;
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

type Read = { name: string; system: IntegrationSystem; outcome: SyncOutcome };

async function readOne(deps: Deps, { id, name, system }: ConfigState): Promise<Read> {
  const outcome = await trySync(deps, id).catch((error: unknown): SyncOutcome => {
    // Switched off or taken away in between, say.
    if (!(error instanceof AppError)) throw error;
    return { state: 'failed', sentence: error.message, counts: noCounts, isPassing: false, isOurs: false };
  });
  return { name, system: integrationSystem.parse(system), outcome };
}

/**
 * Reads every configuration to its end, side by side: one that fails leaves the others on their way. What was written is
 * counted also of one that broke off; being read at this moment by somebody else is as good as read.
 */
export async function triggerAll(deps: Deps) {
  const reads = await Promise.all((await connectedConfigs(deps)).map((config) => readOne(deps, config)));
  const sum = (of: 'added' | 'updated'): number => reads.reduce((all, { outcome }) => all + outcome.counts[of], 0);
  const countOf = (of: string): number => reads.filter(({ system }) => system === of).length;
  const failures = reads.flatMap(({ name, system, outcome }) => {
    if (outcome.state !== 'failed' && outcome.state !== 'left') return [];
    return [{ system, message: namedProblem(countOf(system), name, outcome.sentence) }];
  });
  const systemsIn = (state: SyncOutcome['state']): IntegrationSystem[] => [
    ...new Set(reads.filter(({ outcome }) => outcome.state === state).map(({ system }) => system)),
  ];
  const stopped = systemsIn('stopped');
  return {
    success: failures.length === 0 && stopped.length === 0,
    devicesAdded: sum('added'),
    devicesUpdated: sum('updated'),
    failures,
    stopped,
    busy: systemsIn('busy'),
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
