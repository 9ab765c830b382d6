import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type OAuth, type TokenSet, VendorError } from '../../connectors/connector.ts';
import { AppError } from '../../domain/errors.ts';
import { checkSettings } from '../../domain/integration-settings.ts';
import { recordAudit } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import {
  type ConfigRow,
  connectorOf,
  createConfig,
  openSettings,
  renewTokens,
  requireConfig,
  saveTokens,
  storedTokens,
  tell,
  updateConfigFields,
} from '../integrations/service.ts';
import { sha256 } from '../settings/secrets.ts';
import { deleteOldSignIns, insertSignIn, type SignIn, takeSignIn } from './sign-in-queries.ts';
import { signInContext } from './vendor-io.ts';

const lastsMs = 10 * 60_000;
const callbackPath = '/api/lightspeed/callback';

const settingsShape = z.record(z.string(), z.union([z.string(), z.boolean(), z.null()]));
type Values = z.output<typeof settingsShape>;

type Wish = { name: string; settings: Readonly<Record<string, unknown>> } | { configId: number };

/** Where Lightspeed sends the browser back to: the address people know this server by. `origin`: of the call. */
export function redirectUriOf(deps: Deps, origin: string): string {
  return `${(deps.env.publicUrl ?? origin).replace(/\/$/, '')}${callbackPath}`;
}

/** Keeps the wish, sealed, until the browser comes back; answers where to send it. No configuration is made yet. */
export async function beginSignIn(deps: Deps, caller: Caller, wish: Wish, origin: string): Promise<{ url: string }> {
  const { sid, userId } = caller;
  if (sid === null) throw new AppError('not-signed-in', 'Sign in on this browser to connect Lightspeed.');
  const { name, configId, settings } = await wished(deps, wish);
  const state = randomBytes(32).toString('base64url');
  const stateHash = sha256(state);
  const now = deps.clock.now();
  const redirectUri = redirectUriOf(deps, origin);
  await deps.db.transaction(async (tx) => {
    await deleteOldSignIns(tx, now);
    const sealed = await deps.secrets.seal(tx, placeOf(stateHash), JSON.stringify(settings));
    const expiresAt = new Date(now.getTime() + lastsMs);
    await insertSignIn(tx, {
      stateHash,
      sid,
      userId,
      configId,
      name,
      settings: sealed,
      redirectUri,
      createdAt: now,
      expiresAt,
    });
  });
  return { url: oauthOf(deps).connectUrl(settings, { state, redirectUri, sandboxUrl: deps.env.sandboxUrl }) };
}

const placeOf = (stateHash: string) => ({ table: 'lightspeed_sign_ins', column: 'settings', row: stateHash });

async function wished(deps: Deps, wish: Wish): Promise<{ name: string; configId: number | null; settings: Values }> {
  if ('configId' in wish) {
    const config = await requireConfig(deps.db, wish.configId, 'lightspeed');
    return { name: config.name, configId: config.id, settings: { ...(await openSettings(deps, config)) } };
  }
  const { fields } = connectorOf(deps, 'lightspeed').manifest;
  const { values, errors } = checkSettings({
    fields,
    given: wish.settings,
    before: {},
    sandboxUrl: deps.env.sandboxUrl,
  });
  const [first] = Object.values(errors);
  if (first !== undefined) {
    const named = Object.entries(errors).map(([field, sentence]) => [`settings.${field}`, sentence]);
    throw new AppError('invalid-input', first, { fields: Object.fromEntries(named) });
  }
  return { name: wish.name, configId: null, settings: values };
}

function oauthOf(deps: Deps): OAuth {
  const { oauth } = connectorOf(deps, 'lightspeed');
  if (!oauth) throw new AppError('not-found', 'Lightspeed cannot be connected with this release.');
  return oauth;
}

export type CameBack = Partial<Record<'state' | 'code' | 'domain_prefix' | 'error', string>>;

/** What came of it, as a sentence for the screen; `configId` where it succeeded. */
export type Outcome = { configId: number } | { problem: string };

const notExpected =
  'This answer of Lightspeed was not expected here: it was used before, came too late, or belongs to another sign-in. Connect again.';

/** The browser is back. What it brings is untrusted until the state is known, taken, and of this very session. */
export async function endSignIn(deps: Deps, caller: Caller | null, query: CameBack): Promise<Outcome> {
  if (!caller?.sid) return { problem: 'You were signed out meanwhile. Sign in and connect again.' };
  const now = deps.clock.now();
  const begun = await takeSignIn(deps.db, { stateHash: sha256(query.state ?? ''), sid: caller.sid, now });
  if (!begun?.settings) return { problem: notExpected };
  try {
    const opened = await deps.secrets.open(deps.db, placeOf(begun.stateHash), begun.settings);
    return { configId: await join(deps, caller, { begun, settings: settingsShape.parse(JSON.parse(opened)), query }) };
  } catch (error) {
    if (error instanceof VendorError || error instanceof AppError) return { problem: error.message };
    throw error;
  }
}

type Joining = { begun: SignIn; settings: Values; query: CameBack };

async function join(deps: Deps, caller: Caller, { begun, settings, query }: Joining): Promise<number> {
  const context = signInContext(deps, settings);
  const joined = await oauthOf(deps).exchange({ ...query }, begun.redirectUri, context);
  const stored =
    begun.configId === null
      ? await makeConfig(deps, caller, begun.name, joined.settings)
      : await again(deps, caller, begun.configId, { ...joined.settings });
  const { settings: kept } = await requireConfig(deps.db, stored);
  await updateConfigFields(deps.db, stored, { settings: { ...kept, redirectUri: begun.redirectUri } });
  await saveTokens(deps, deps.db, stored, joined.tokens);
  await askForWebhooks(deps, stored, joined.tokens);
  return stored;
}

async function makeConfig(deps: Deps, caller: Caller, name: string, settings: Joined): Promise<number> {
  const made = await createConfig(deps, caller, { system: 'lightspeed', name, settings });
  return made.id;
}

type Joined = Readonly<Record<string, string | boolean | null>>;

/** What was wrong is put right: it is tried anew. */
async function again(deps: Deps, caller: Caller, id: number, settings: Joined): Promise<number> {
  await deps.db.transaction(async (tx) => {
    const config = await requireConfig(tx, id, 'lightspeed');
    await updateConfigFields(tx, id, {
      settings: { ...config.settings, domainPrefix: settings.domainPrefix ?? null },
      isActive: true,
      problem: null,
      problemKind: null,
      problemAt: null,
      breaker: {},
      updatedAt: deps.clock.now(),
    });
    await recordAudit(tx, caller, { action: 'integration.reconnect', objectType: 'integration', objectId: id });
    await tell(tx, id);
  });
  return id;
}

/**
 * Webhooks make sales appear at once; without them the timetable brings them. Lightspeed can only reach an https address
 * that it knows; the sandbox reaches this machine.
 */
async function askForWebhooks(deps: Deps, id: number, tokens: TokenSet): Promise<void> {
  const config = await requireConfig(deps.db, id, 'lightspeed');
  const { webhook } = connectorOf(deps, 'lightspeed');
  const base = baseOf(deps);
  if (!webhook?.register || base === null) return;
  const address = `${base}/api/webhooks/lightspeed/${config.publicId}`;
  try {
    await webhook.register(address, await tokenContext(deps, config, tokens));
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    deps.log.warn({ err: error, configId: id }, 'webhooks of Lightspeed not registered');
  }
}

function baseOf({ env }: Deps): string | null {
  if (env.publicUrl && (env.publicUrl.startsWith('https://') || env.sandboxUrl))
    return env.publicUrl.replace(/\/$/, '');
  return env.sandboxUrl ? `http://127.0.0.1:${env.port}` : null;
}

async function tokenContext(deps: Deps, config: ConfigRow, tokens: TokenSet) {
  return signInContext(deps, await openSettings(deps, config), {
    read: async () => (await storedTokens(deps, config.id)) ?? tokens,
    renew: (work) => renewTokens(deps, config.id, work),
  });
}
