import type { CantaloupeConfig, TakenReport } from '../../contract/cantaloupe.ts';
import type { SyncCounts } from '../../contract/integration-runs.ts';
import type { IntegrationConfig } from '../../contract/integrations.ts';
import { AppError } from '../../domain/errors.ts';
import type { VendorBatch } from '../../domain/integration.ts';
import { recordAudit } from '../audit/service.ts';
import { againOnConflict } from '../db/statements/again.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { connectorOf, requireConfig, tell } from '../integrations/service.ts';
import { getOperator } from '../settings/service.ts';
import { hash, runSync, takeBatch } from '../vendor-sync/service.ts';

/** A configuration under the names that Cantaloupe's own calls use. */
export function toCantaloupe(config: IntegrationConfig): CantaloupeConfig {
  const text = (name: string): string | null => {
    const value = config.settings[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    id: config.id,
    name: config.name,
    hasKey: config.secrets.apiKey?.configured ?? false,
    hasSecret: config.secrets.apiSecret?.configured ?? false,
    environment: text('environment') === 'production' ? 'production' : 'sandbox',
    webhookUrl: text('webhookUrl'),
    apiEndpoint: text('apiEndpoint'),
    timeZone: text('timeZone'),
    ...{ isActive: config.isActive, status: config.status, problem: config.problem, waitsUntil: config.waitsUntil },
    nextSync: config.nextSync,
    ...{ webhookPath: config.webhookPath, lastSyncAt: config.lastSyncAt, version: config.version },
  };
}

const nothingCalled =
  'Cantaloupe publishes no address to read from: everything received from the report transport is in already.';

/** Reads now. In production without a pull address nothing is called, and the reply says so. */
export async function sync(deps: Deps, configId: number, resource: 'devices' | 'sales') {
  const config = await requireConfig(deps.db, configId, 'cantaloupe');
  const { environment, apiEndpoint } = config.settings;
  const counts = await runSync(deps, configId, [resource]);
  const isCalled = environment !== 'production' || (typeof apiEndpoint === 'string' && apiEndpoint !== '');
  return {
    synced: resource === 'devices' ? counts.devices : counts.sales,
    added: resource === 'devices' ? counts.added : counts.booked,
    message: isCalled ? null : nothingCalled,
  };
}

type File = { name: string; body: Uint8Array };

/** Takes in a report that a person exported from the vendor's portal, as if the transport had posted it. */
export async function takeReport(deps: Deps, caller: Caller, configId: number, file: File): Promise<TakenReport> {
  const config = await requireConfig(deps.db, configId, 'cantaloupe');
  const reader = connectorOf(deps, 'cantaloupe').webhook;
  if (!reader) throw new AppError('internal', 'Cantaloupe reads no reports.');
  if (file.body.length === 0) throw new AppError('invalid-input', 'The file is empty. Export it again.');
  const { timeZone } = await getOperator(deps.db);
  const at = deps.clock.now();
  const request = {
    method: 'POST',
    path: `/${encodeURIComponent(file.name)}`,
    query: [],
    headers: {},
    body: file.body,
  };
  const context = { settings: config.settings, previousSettings: null, now: () => at, hash, timeZone };
  const batch = readable(() => reader.parse(request, context).batch);
  refuseNothing(batch);
  const counts = await againOnConflict(() =>
    deps.db.transaction(async (tx): Promise<SyncCounts> => {
      const taken = await takeBatch(tx, { config, at }, batch);
      const detail = { file: file.name, sales: taken.sales, booked: taken.booked };
      await recordAudit(tx, caller, {
        ...{ action: 'integration.report', objectType: 'integration', objectId: configId, detail },
      });
      await tell(tx, configId);
      return taken;
    }),
  );
  return { counts, unreadable: (batch.unreadable ?? []).map(({ reason }) => reason).slice(0, 50) };
}

/** What the connector cannot read is the file's fault, and its sentence says what to do. */
function readable(read: () => VendorBatch): VendorBatch {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && error.name === 'VendorError') throw new AppError('invalid-input', error.message);
    throw error;
  }
}

function refuseNothing({ sales, devices, dexReads, unreadable }: VendorBatch): void {
  const count = [sales, devices, dexReads, unreadable].reduce((sum, list) => sum + (list?.length ?? 0), 0);
  if (count === 0) throw new AppError('invalid-input', 'The file has no rows. Export a span with transactions.');
}
