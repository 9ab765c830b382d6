import { z } from 'zod';
import type { TokenSet } from '../../connectors/connector.ts';
import type { Settings } from '../../domain/integration.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { ConfigRow } from './queries.ts';

const table = 'integration_configs';
type SealedColumn = 'secrets' | 'previous_secrets' | 'tokens';

const secretValues = z.record(z.string(), z.string());
export type SecretValues = z.output<typeof secretValues>;

const storedTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  expiresAt: z.coerce.date().nullable(),
  unansweredSince: z.coerce.date().nullish(),
});

const placeOf = (column: SealedColumn, row: number) => ({ table, column, row });

/** Seals values for one column of a configuration's row; null where there are none. */
export async function sealValues(
  deps: Deps,
  tx: Db,
  { id, column, values }: { id: number; column: SealedColumn; values: object },
): Promise<string | null> {
  if (Object.keys(values).length === 0) return null;
  return deps.secrets.seal(tx, placeOf(column, id), JSON.stringify(values));
}

async function openText(deps: Deps, config: ConfigRow, column: SealedColumn): Promise<unknown> {
  const sealed = { secrets: config.secrets, previous_secrets: config.previousSecrets, tokens: config.tokens }[column];
  return sealed === null ? null : JSON.parse(await deps.secrets.open(deps.db, placeOf(column, config.id), sealed));
}

export async function openSecrets(deps: Deps, config: ConfigRow): Promise<SecretValues> {
  return secretValues.parse((await openText(deps, config, 'secrets')) ?? {});
}

/** Settings with the secrets opened, as connectors take them. */
export async function openSettings(deps: Deps, config: ConfigRow): Promise<Settings> {
  return { ...config.settings, ...(await openSecrets(deps, config)) };
}

/** Settings with the secrets of before the last change, while those are still accepted. */
export async function openPreviousSettings(deps: Deps, config: ConfigRow): Promise<Settings | null> {
  const until = config.previousSecretsUntil;
  if (!config.previousSecrets || !until || until <= deps.clock.now()) return null;
  return { ...config.settings, ...secretValues.parse((await openText(deps, config, 'previous_secrets')) ?? {}) };
}

export async function openTokens(deps: Deps, config: ConfigRow): Promise<TokenSet | null> {
  const stored = await openText(deps, config, 'tokens');
  return stored === null ? null : storedTokens.parse(stored);
}
