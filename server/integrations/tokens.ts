import { setTimeout as wait } from 'node:timers/promises';
import type { Renewal, TokenSet } from '../../connectors/connector.ts';
import { AppError } from '../../domain/errors.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { endRenewal, findConfig, replaceTokens, takeRenewal, updateConfigFields } from './queries.ts';
import { openTokens, sealValues } from './secrets.ts';

const leaseMs = 40_000;
const lookAgainMs = 150;

/** The access tokens of a configuration as stored now. */
export async function storedTokens(deps: Deps, configId: number): Promise<TokenSet | null> {
  const config = await findConfig(deps.db, configId);
  return config ? openTokens(deps, config) : null;
}

/** Keeps new tokens, sealed, both in one write. */
export async function saveTokens(deps: Deps, db: Db, configId: number, tokens: TokenSet | null): Promise<void> {
  const sealed = tokens && (await sealValues(deps, db, { id: configId, column: 'tokens', values: tokens }));
  await updateConfigFields(db, configId, { tokens: sealed, tokensExpireAt: tokens?.expiresAt ?? null });
}

/**
 * Renews the tokens of a configuration, one renewer at a time over all processes. A lease in the row keeps the others
 * waiting rather than a lock: the partner may take seconds to answer, and no connection is held for that.
 */
export async function renewTokens(deps: Deps, configId: number, work: Renewal): Promise<TokenSet> {
  // Real time, not the clock that tests move: this is about waiting.
  const giveUpAt = Date.now() + 2 * leaseMs;
  let until = await tryTake(deps, configId);
  while (until === null) {
    if (Date.now() > giveUpAt)
      throw new AppError('unavailable', 'The tokens are being renewed. Try again in a moment.');
    await wait(lookAgainMs);
    until = await tryTake(deps, configId);
  }
  try {
    const written = await writer(deps, configId);
    const renewed = await work(written.read, async (tokens) => void (await written.replace(tokens)));
    if (await written.replace(renewed)) return renewed;
    // Somebody connected anew meanwhile, or ended the connection.
    return (await storedTokens(deps, configId)) ?? renewed;
  } finally {
    await endRenewal(deps.db, configId, until);
  }
}

/** Reads the tokens, and writes others in their place as long as nobody else does. */
async function writer(deps: Deps, configId: number) {
  const config = await findConfig(deps.db, configId);
  let before = config?.tokens ?? null;
  return {
    read: config ? await openTokens(deps, config) : null,
    replace: async (tokens: TokenSet): Promise<boolean> => {
      const sealed = await sealValues(deps, deps.db, { id: configId, column: 'tokens', values: tokens });
      if (sealed === null) return false;
      const wish = { before, tokens: sealed, expireAt: tokens.expiresAt };
      const isWritten = await replaceTokens(deps.db, configId, wish);
      if (isWritten) before = sealed;
      return isWritten;
    },
  };
}

/** Until when the turn is ours; null while it is somebody else's. */
async function tryTake(deps: Deps, configId: number): Promise<Date | null> {
  const now = new Date();
  const until = new Date(now.getTime() + leaseMs);
  return (await takeRenewal(deps.db, configId, { now, until })) ? until : null;
}
