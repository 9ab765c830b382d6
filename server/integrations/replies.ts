import type { IntegrationConfig } from '../../contract/integrations.ts';
import { integrationSystem } from '../../domain/integration.ts';
import type { Deps } from '../deps.ts';
import { isConnected } from './connected.ts';
import { nextSyncOf } from './next-sync.ts';
import type { ConfigRow, Freshness } from './queries.ts';
import { problemOrRest } from './rest.ts';

/** A configuration as every reply gives it: of its secrets only whether they are set and how they end. */
export function toConfig(deps: Deps, row: ConfigRow, fresh: readonly Freshness[]): IntegrationConfig {
  const { problem, waitsUntil } = problemOrRest(row, deps.clock.now());
  const system = integrationSystem.parse(row.system);
  const connector = deps.connectors.find((one) => one.manifest.system === system);
  const secretFields = connector?.manifest.fields.filter((field) => field.kind === 'secret') ?? [];
  const connected = isConnected(deps.connectors, { ...row, hasTokens: row.tokens !== null });
  // Also what was never read: it is due before everything else.
  const known = (connector?.manifest.resources ?? []).map((resource) => ({
    ...fresh.find((one) => one.configId === row.id && one.resource === resource),
    resource,
  }));
  const due = known.map(({ nextDueAt }) => nextDueAt ?? null);
  return {
    id: row.id,
    system,
    name: row.name,
    settings: row.settings,
    secrets: Object.fromEntries(
      secretFields.map(({ name }) => [
        name,
        { configured: row.secretHints[name] !== undefined, ending: row.secretHints[name] || null },
      ]),
    ),
    previousSecretsUntil: stillAhead(row.previousSecretsUntil, deps.clock.now()),
    isActive: row.isActive,
    connected,
    syncEnabled: row.syncEnabled,
    status: statusOf({ ...row, problem }),
    problem,
    waitsUntil,
    webhookPath: connector?.webhook ? `/api/webhooks/${system}/${row.publicId}` : null,
    rejectedDeliveries: row.rejectedDeliveries,
    lastRejectedReason: row.lastRejectedReason,
    lastRejectedAt: row.lastRejectedAt?.toISOString() ?? null,
    lastSyncAt: row.lastSyncAt?.toISOString() ?? null,
    fresh: known.map(({ resource, lastGoodAt, nextDueAt }) => ({
      resource,
      lastGoodAt: lastGoodAt?.toISOString() ?? null,
      nextDueAt: stillAhead(nextDueAt ?? null, deps.clock.now()),
    })),
    nextSync: nextSyncOf(row, { connected, due }, deps.clock.now()),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    version: row.version,
  };
}

const stillAhead = (until: Date | null, now: Date): string | null =>
  until && until > now ? until.toISOString() : null;

function statusOf({ isActive, problem, status }: ConfigRow): IntegrationConfig['status'] {
  if (!isActive) return 'inactive';
  // Whoever put it into maintenance knows that it does not work.
  if (status === 'maintenance') return 'maintenance';
  return problem === null ? 'active' : 'error';
}
