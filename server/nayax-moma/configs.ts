import type { IntegrationConfig } from '../../contract/integrations.ts';
import type { MomaConfig } from '../../contract/moma.ts';
import type { NayaxConfig } from '../../contract/nayax.ts';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import {
  createConfig,
  flatErrors,
  listConfigs,
  removeConfig,
  requireConfig,
  updateConfig,
} from '../integrations/service.ts';
import { type ConfigFigures, findConfigFigures } from './queries.ts';

/** The two systems of this screen; both read one operational API. */
export type LynxSystem = 'nayax' | 'moma';

const none: ConfigFigures = { configId: 0, devices: 0, unlinked: 0, run: null };

export const listNayaxConfigs = (deps: Deps): Promise<NayaxConfig[]> => listAs(deps, 'nayax', toNayax);
export const listMomaConfigs = (deps: Deps): Promise<MomaConfig[]> => listAs(deps, 'moma', toMoma);

async function listAs<C>(
  deps: Deps,
  system: LynxSystem,
  shape: (config: IntegrationConfig, figures: ConfigFigures) => C,
): Promise<C[]> {
  const [configs, figures] = await Promise.all([listConfigs(deps, system), findConfigFigures(deps.db, system)]);
  const byId = new Map(figures.map((one) => [one.configId, one]));
  return configs.map((config) => shape(config, byId.get(config.id) ?? none));
}

/** Fields of the form as they stand beside each other on the wire. */
export type Flat = Readonly<Record<string, unknown>> & {
  name?: string | undefined;
  isActive?: boolean | undefined;
  syncEnabled?: boolean | undefined;
  version?: number | undefined;
};

/** Creates a configuration; what was created is told by its list. */
export async function addConfig(deps: Deps, caller: Caller, system: LynxSystem, flat: Flat): Promise<number> {
  const { name = '', isActive, syncEnabled, ...settings } = flat;
  const wish = { system, name, settings, ...onlyIf({ isActive, syncEnabled }) };
  return (await flatErrors(() => createConfig(deps, caller, wish))).id;
}

export async function changeConfig(
  deps: Deps,
  caller: Caller,
  { system, id }: { system: LynxSystem; id: number },
  flat: Flat,
): Promise<number> {
  await requireConfig(deps.db, id, system);
  const { name, isActive, syncEnabled, version, ...given } = flat;
  const settings = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string | boolean | null] => entry[1] !== undefined),
  );
  const change = {
    ...onlyIf({ name, isActive, syncEnabled, version }),
    ...(Object.keys(settings).length ? { settings } : {}),
  };
  await flatErrors(() => updateConfig(deps, caller, id, change));
  return id;
}

export async function dropConfig(deps: Deps, caller: Caller, system: LynxSystem, id: number): Promise<{ id: number }> {
  await requireConfig(deps.db, id, system);
  return removeConfig(deps, caller, id);
}

/** Of a list, the one just written. */
export async function oneOf<C extends { id: number }>(list: Promise<C[]>, id: number): Promise<C> {
  const found = (await list).find((config) => config.id === id);
  if (!found) throw new AppError('not-found', 'This configuration does not exist.');
  return found;
}

function onlyIf<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function stateOf(config: IntegrationConfig, { devices, unlinked, run }: ConfigFigures) {
  const { id, name, isActive, syncEnabled, status, problem, createdAt, updatedAt, version } = config;
  const environment: 'production' | 'sandbox' = config.settings.environment === 'production' ? 'production' : 'sandbox';
  const lastSync = config.lastSyncAt;
  const { waitsUntil, nextSync } = config;
  const own = { id, name, environment, isActive, syncEnabled, lastSync, status, problem, waitsUntil, nextSync };
  return { ...own, devices, unlinked, run, createdAt, updatedAt, version };
}

const textOf = (value: string | boolean | null | undefined): string | null =>
  typeof value === 'string' ? value : null;
const unset = { configured: false, ending: null };

function toNayax(config: IntegrationConfig, figures: ConfigFigures): NayaxConfig {
  return {
    ...stateOf(config, figures),
    merchantId: textOf(config.settings.merchantId) ?? '',
    hashCode: config.secrets.hashCode ?? unset,
    apiEndpoint: textOf(config.settings.apiEndpoint),
    webhookPath: config.webhookPath,
  };
}

function toMoma(config: IntegrationConfig, figures: ConfigFigures): MomaConfig {
  return {
    ...stateOf(config, figures),
    apiKey: config.secrets.apiKey ?? unset,
    apiSecret: config.secrets.apiSecret ?? unset,
    baseUrl: textOf(config.settings.baseUrl),
  };
}
