import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connector, type Hash, type VendorContext, VendorError } from '../../connectors/connector.ts';
import type { Settings } from '../../domain/integration.ts';
import type { Deps } from '../deps.ts';
import {
  type ConfigRow,
  connectorOf,
  openSettings,
  renewTokens,
  storedTokens,
  updateConfigFields,
} from '../integrations/service.ts';
import { SealError } from '../settings/envelope.ts';
import { getOperator } from '../settings/service.ts';
import { breakerOf } from './breaker.ts';
import { type FetchTools, type VendorCalls, vendorCalls } from './vendor-fetch.ts';

/** Hashing that connectors are handed. */
export const hash: Hash = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  hmacSha256: (key, bytes) => createHmac('sha256', key).update(bytes).digest(),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
  uuid: () => randomUUID(),
};

export type Connection = {
  connector: Connector;
  context: VendorContext;
  comeBackAt: VendorCalls['comeBackAt'];
  restsUntil: VendorCalls['restsUntil'];
  asked: VendorCalls['asked'];
  /** Until when nothing is called. */
  openUntil: () => Date | null;
  /** Keeps what the breaker learned, and until when the partner wants to be left alone: by its calls, or as given. */
  save: (restUntil?: Date | null) => Promise<void>;
};

type Listening = {
  signal: AbortSignal;
  /** What the breaker knows before the first call, where that is not what is kept. */
  known?: ConfigRow['breaker'];
} & Pick<FetchTools, 'onRest' | 'mostWaitedMs'>;

/** Everything a connector needs to speak to the partner of one configuration. */
export async function connect(deps: Deps, config: ConfigRow, listening: Listening): Promise<Connection> {
  const { signal, known = config.breaker, ...heard } = listening;
  const connector = connectorOf(deps, config.system);
  const { manifest } = connector;
  const settings = await settingsOf(deps, config, connector);
  const breaker = breakerOf(known);
  const now = () => deps.clock.now();
  const calls = vendorCalls(
    { system: manifest.system, label: manifest.label, signal },
    {
      outbound: deps.outbound,
      breaker,
      now,
      random: Math.random,
      wait: async (ms, until) => void (await delay(ms, undefined, { signal: until })),
      ...heard,
    },
  );
  return {
    connector,
    comeBackAt: calls.comeBackAt,
    restsUntil: calls.restsUntil,
    asked: calls.asked,
    openUntil: breaker.openUntil,
    save: async (restUntil = null) => {
      const until = (restUntil ?? calls.comeBackAt())?.toISOString();
      const stored = { ...breaker.stored(), ...(until ? { restUntil: until } : {}) };
      if (JSON.stringify(stored) !== JSON.stringify(config.breaker))
        await updateConfigFields(deps.db, config.id, { breaker: stored });
    },
    context: {
      settings,
      fetch: calls.fetch,
      now,
      hash,
      tokens: {
        read: () => storedTokens(deps, config.id),
        renew: (work) => renewTokens(deps, config.id, work),
      },
      timeZone: (await getOperator(deps.db)).timeZone,
      sandboxUrl: sandboxOf(deps, connector, settings),
      signal,
    },
  };
}

async function settingsOf(deps: Deps, config: ConfigRow, { manifest }: Connector): Promise<Settings> {
  try {
    return await openSettings(deps, config);
  } catch (cause) {
    if (!(cause instanceof SealError)) throw cause;
    throw new VendorError(manifest.system, 'auth', 'The stored secrets cannot be opened: enter them again.', cause);
  }
}

/** The sandbox is a choice of the configuration or, where a system knows no such choice, of the installation. */
function sandboxOf({ env }: Deps, { manifest }: Connector, settings: Settings): string | null {
  const chooses = manifest.fields.some((field) => field.name === 'environment');
  return chooses && settings.environment !== 'sandbox' ? null : env.sandboxUrl;
}
