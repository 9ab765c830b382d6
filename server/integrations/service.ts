import { randomBytes } from 'node:crypto';
import type { Connector } from '../../connectors/connector.ts';
import type {
  ConfigUpdate,
  IntegrationConfig,
  IntegrationState,
  IntegrationSystemInfo,
} from '../../contract/integrations.ts';
import { AppError } from '../../domain/errors.ts';
import { type IntegrationSystem, integrationSystem, type Settings } from '../../domain/integration.ts';
import { checkSettings, secretEnding } from '../../domain/integration-settings.ts';
import { type Actor, changedFields, recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { nothingToChange } from '../http/handle.ts';
import { publish } from '../live/hub.ts';
import { refuseAddresses } from './addresses.ts';
import { isConnected } from './connected.ts';
import {
  type ConfigRow,
  findConfig,
  findConfigLocked,
  findConfigs,
  findFreshness,
  insertConfig,
  updateConfigFields,
} from './queries.ts';
import { toConfig } from './replies.ts';
import { problemOrRest } from './rest.ts';
import { openSecrets, type SecretValues, sealValues } from './secrets.ts';

export { refuseAddresses } from './addresses.ts';
export { isConnected } from './connected.ts';
export { flatErrors } from './flat-errors.ts';
export { isOnTimetable } from './next-sync.ts';
export {
  type ConfigRow,
  countRejected,
  findConfig,
  findConfigOfAddress,
  findConfigs,
  updateConfigFields,
} from './queries.ts';
export { problemOrRest, restOf } from './rest.ts';
export { openPreviousSettings, openSettings } from './secrets.ts';
export { renewTokens, saveTokens, storedTokens } from './tokens.ts';

const hourMs = 3_600_000;

/** The connector of a system, or a refusal that says so. */
export function connectorOf(deps: Deps, system: string): Connector {
  const found = deps.connectors.find((one) => one.manifest.system === system);
  if (!found) throw new AppError('not-found', 'This system cannot be connected with this release.');
  return found;
}

/**
 * Configurations in use that something is wrong with, the longest first. Not one whose partner asked to wait, nor one in
 * maintenance: whoever put it there knows.
 */
export async function findFailing({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const wrong = (await findConfigs(db, null)).flatMap(({ isActive, status, problemAt: since, ...row }) => {
    const { problem } = problemOrRest(row, clock.now());
    return isActive && status !== 'maintenance' && problem !== null && since
      ? [{ id: row.id, name: row.name, problem, failure: row.problemKind, since }]
      : [];
  });
  return wrong.sort((a, b) => a.since.getTime() - b.since.getTime());
}

/** The state of each system as it is now. */
export async function listIntegrations({ db, connectors, clock }: Deps): Promise<IntegrationState[]> {
  const now = clock.now();
  const all = (await findConfigs(db, null)).map((config) => ({ ...config, ...problemOrRest(config, now) }));
  return integrationSystem.options.map((system) => {
    const own = all.filter((config) => config.system === system);
    const active = own.filter((config) => config.isActive);
    const running = active.filter((config) => config.status !== 'maintenance');
    const failing = running.find((config) => config.problem !== null);
    const last = active.map((config) => config.lastSyncAt).filter((at) => at !== null);
    const connected = active.some((config) =>
      isConnected(connectors, { ...config, hasTokens: config.tokens !== null }),
    );
    const resting = running.find((config) => config.waitsUntil !== null);
    const otherwise = connected ? 'connected' : 'not-connected';
    const unlessFailing = resting ? 'waiting' : otherwise;
    const whileRunning = failing ? 'failing' : unlessFailing;
    const isPutAway = active.length > 0 && running.length === 0;
    return {
      system,
      configurations: own.length,
      connected,
      state: isPutAway ? 'maintenance' : whileRunning,
      problem: failing?.problem ? problemOf(failing.name, failing.problem, active.length) : null,
      waitsUntil: resting?.waitsUntil ?? null,
      lastSyncAt: last.length ? new Date(Math.max(...last.map(Number))).toISOString() : null,
    };
  });
}

/** Where there are several, it is said which one. */
const problemOf = (name: string, problem: string, configurations: number): string =>
  configurations > 1 ? `${name}: ${problem}` : problem;

/** What can be connected with this release. */
export function listSystems({ connectors }: Deps): IntegrationSystemInfo[] {
  return connectors.map(({ manifest, webhook, oauth }) => ({
    system: manifest.system,
    label: manifest.label,
    basis: manifest.basis,
    fields: manifest.fields.map(({ options, theyCall: _, ...field }) => ({
      ...field,
      ...(options ? { options: [...options] } : {}),
    })),
    resources: [...manifest.resources],
    backfills: manifest.backfills,
    hasWebhooks: webhook !== undefined,
    joinsBySignIn: oauth !== undefined,
  }));
}

/** Configurations of one system, or of all; secrets are only said to be set. */
export async function listConfigs(deps: Deps, system: IntegrationSystem | null): Promise<IntegrationConfig[]> {
  const fresh = await findFreshness(deps.db);
  return (await findConfigs(deps.db, system)).map((config) => toConfig(deps, config, fresh));
}

export async function getConfig(deps: Deps, id: number): Promise<IntegrationConfig> {
  return toConfig(deps, await requireConfig(deps.db, id), await findFreshness(deps.db));
}

/** The stored row of a configuration, or a refusal. `system`: only of this one. */
export async function requireConfig(db: Db, id: number, system?: IntegrationSystem): Promise<ConfigRow> {
  const config = await findConfig(db, id);
  if (!config || (system && config.system !== system)) throw notFoundConfig();
  return config;
}

const notFoundConfig = (): AppError => new AppError('not-found', 'This configuration does not exist.');

export type NewConfig = {
  system: IntegrationSystem;
  name: string;
  settings: Readonly<Record<string, unknown>>;
  isActive?: boolean;
  syncEnabled?: boolean;
};

export async function createConfig(deps: Deps, caller: Actor, input: NewConfig): Promise<IntegrationConfig> {
  const { manifest } = connectorOf(deps, input.system);
  const { open, secret } = checked(deps, manifest.fields, input.settings, {});
  await refuseAddresses(deps, manifest, open);
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const id = await insertConfig(tx, {
      system: input.system,
      name: input.name,
      settings: open,
      secretHints: hintsOf(secret),
      publicId: randomBytes(16).toString('hex'),
      isActive: input.isActive ?? true,
      syncEnabled: input.syncEnabled ?? true,
      createdAt: at,
      updatedAt: at,
    });
    if (id === null) throw new AppError('internal', 'The configuration was not stored.');
    await updateConfigFields(tx, id, {
      secrets: await sealValues(deps, tx, { id, column: 'secrets', values: mergeSecrets({}, secret) }),
    });
    const detail = { system: input.system, name: input.name };
    await recordAudit(tx, caller, { action: 'integration.create', objectType: 'integration', objectId: id, detail });
    await tell(tx, id);
    return toConfig(deps, await requireConfig(tx, id), []);
  });
}

export async function updateConfig(
  deps: Deps,
  caller: Actor,
  id: number,
  input: ConfigUpdate,
): Promise<IntegrationConfig> {
  if (isNoChange(input)) throw nothingToChange();
  // Before the row is locked: looking a name up takes its time.
  const { system } = await requireConfig(deps.db, id);
  await refuseAddresses(deps, connectorOf(deps, system).manifest, input.settings ?? {});
  return deps.db.transaction(async (tx) => {
    const before = await findConfigLocked(tx, id);
    if (!before) throw notFoundConfig();
    refuseStale(before, input.version);
    const secretsBefore = await openSecrets(deps, before);
    const { manifest } = connectorOf(deps, before.system);
    const known = { ...before.settings, ...secretsBefore };
    const { open, secret } = checked(deps, manifest.fields, input.settings ?? {}, known);
    const at = deps.clock.now();
    const fields: Partial<ConfigRow> = {
      settings: { ...before.settings, ...open },
      version: before.version + 1,
      updatedAt: at,
      ...(input.name === undefined ? {} : { name: input.name }),
      ...(input.isActive === undefined ? {} : { isActive: input.isActive }),
      ...(input.syncEnabled === undefined ? {} : { syncEnabled: input.syncEnabled }),
    };
    const after = mergeSecrets(secretsBefore, secret);
    const replaced = Object.keys(secretsBefore).filter((field) => secretsBefore[field] !== after[field]);
    const added = Object.keys(after).filter((field) => secretsBefore[field] === undefined);
    if (replaced.length + added.length > 0) {
      fields.secrets = await sealValues(deps, tx, { id, column: 'secrets', values: after });
      fields.secretHints = hintsOf(after);
    }
    if (replaced.length > 0) {
      const hours = input.acceptPreviousHours ?? 24;
      const values = hours > 0 ? secretsBefore : {};
      fields.previousSecrets = await sealValues(deps, tx, { id, column: 'previous_secrets', values });
      fields.previousSecretsUntil = hours > 0 ? new Date(at.getTime() + hours * hourMs) : null;
    }
    // What was wrong may be what was just put right: it is tried anew.
    if (input.settings || input.isActive) Object.assign(fields, { problem: null, problemKind: null, breaker: {} });
    await updateConfigFields(tx, id, fields);
    const told = { name: input.name, isActive: input.isActive, syncEnabled: input.syncEnabled, ...open };
    const detail = {
      ...changedFields({ ...before.settings, ...before }, told),
      ...(replaced.length + added.length > 0 ? { secretsChanged: [...replaced, ...added] } : {}),
    };
    await recordAudit(tx, caller, { action: 'integration.update', objectType: 'integration', objectId: id, detail });
    await tell(tx, id);
    return toConfig(deps, await requireConfig(tx, id), await findFreshness(tx));
  });
}

/** Settings without a field in them, and for how long secrets of before are accepted, change nothing by themselves. */
const isNoChange = ({ name, settings = {}, isActive, syncEnabled }: ConfigUpdate): boolean =>
  [name, isActive, syncEnabled].every((value) => value === undefined) && Object.keys(settings).length === 0;

/** Takes a configuration off the lists and erases its secrets. Its sales, devices and links stay. */
export async function removeConfig(deps: Deps, caller: Actor, id: number): Promise<{ id: number }> {
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const before = await findConfigLocked(tx, id);
    if (!before) throw notFoundConfig();
    await updateConfigFields(tx, id, {
      removedAt: at,
      updatedAt: at,
      isActive: false,
      secrets: null,
      secretHints: {},
      previousSecrets: null,
      previousSecretsUntil: null,
      tokens: null,
      tokensExpireAt: null,
    });
    const detail = { system: before.system, name: before.name };
    await recordAudit(tx, caller, { action: 'integration.remove', objectType: 'integration', objectId: id, detail });
    await tell(tx, id);
    return { id };
  });
}

type Wrong = { kind: string; sentence: string } | null;

/** Keeps what is wrong with a configuration, or that all is well again; written only when that changed. */
export async function noteProblem(db: Db, id: number, wrong: Wrong, at: Date): Promise<void> {
  const config = await findConfig(db, id);
  if (!config || config.problem === (wrong?.sentence ?? null)) return;
  // It fails since it began to, whatever it says of that meanwhile; a pause it asked for is no failure.
  const isFailing = config.problem !== null && config.problemKind !== 'rate-limit';
  const since = isFailing ? (config.problemAt ?? at) : at;
  await updateConfigFields(db, id, {
    problem: wrong?.sentence ?? null,
    problemKind: wrong?.kind ?? null,
    problemAt: wrong ? since : null,
  });
  await tell(db, id);
}

/** Tells screens that a configuration, its runs or its records changed. */
export async function tell(db: Db, configId: number): Promise<void> {
  await publish(db, { topic: 'integrations', ids: [configId] });
}

type Fields = Connector['manifest']['fields'];

/** Settings of a form, those to be sealed apart from the others. Refuses what is wrong, by field. */
function checked(deps: Deps, fields: Fields, given: Readonly<Record<string, unknown>>, before: Settings) {
  const { values, errors } = checkSettings({ fields, given, before, sandboxUrl: deps.env.sandboxUrl });
  const [name] = Object.keys(errors);
  if (name) {
    const named = Object.fromEntries(
      Object.entries(errors).map(([field, sentence]) => [`settings.${field}`, sentence]),
    );
    throw new AppError('invalid-input', errors[name] ?? '', { fields: named });
  }
  const isSecret = (field: string): boolean => fields.some((one) => one.name === field && one.kind === 'secret');
  const entries = Object.entries(values);
  return {
    open: Object.fromEntries(entries.filter(([field]) => !isSecret(field))),
    secret: Object.fromEntries(entries.filter(([field]) => isSecret(field))),
  };
}

function mergeSecrets(before: SecretValues, change: Record<string, string | boolean | null>): SecretValues {
  const merged = Object.entries({ ...before, ...change });
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function hintsOf(secrets: Record<string, string | boolean | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mergeSecrets({}, secrets)).map(([field, value]) => [field, secretEnding(value)]),
  );
}

function refuseStale(before: ConfigRow, version: number | undefined): void {
  if (version === undefined || version === before.version) return;
  const sentence = 'This configuration was changed by someone else in the meantime. Look at it again, then save.';
  throw new AppError('conflict', sentence, { fields: { version: sentence } });
}
