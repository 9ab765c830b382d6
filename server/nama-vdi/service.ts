import type { z } from 'zod';
import { type VdiConfig, vdiConfig, type vdiConfigInput } from '../../contract/nama-vdi.ts';
import type { VendorResource } from '../../domain/integration.ts';
import { recordAudit } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import {
  createConfig,
  flatErrors,
  getConfig,
  listConfigs,
  requireConfig,
  tell,
  updateConfigFields,
} from '../integrations/service.ts';
import { tellOwnRecords } from '../vdi/service.ts';
import { runSync, testConnection } from '../vendor-sync/service.ts';

type Config = Awaited<ReturnType<typeof getConfig>>;

export async function listVdiConfigs(deps: Deps): Promise<VdiConfig[]> {
  return (await listConfigs(deps, 'nama_vdi')).map(toVdi);
}

function toVdi(config: Config): VdiConfig {
  const { id, name, settings, secrets, lastSyncAt, status, problem, waitsUntil, nextSync } = config;
  return vdiConfig.parse({
    id,
    name,
    ...settings,
    mmsSystemId: settings.mmsSystemId ?? null,
    apiKey: secrets.apiKey ?? { configured: false, ending: null },
    lastSync: lastSyncAt,
    status,
    problem,
    waitsUntil,
    nextSync,
  });
}

export async function createVdiConfig(
  deps: Deps,
  caller: Caller,
  { name, ...settings }: z.output<typeof vdiConfigInput>,
): Promise<VdiConfig> {
  return toVdi(await flatErrors(() => createConfig(deps, caller, { system: 'nama_vdi', name, settings })));
}

/** In maintenance what is pushed is taken, and nothing is asked by itself. */
export async function setVdiStatus(
  deps: Deps,
  caller: Caller,
  id: number,
  status: 'active' | 'inactive' | 'maintenance',
): Promise<VdiConfig> {
  await deps.db.transaction(async (tx) => {
    const before = await requireConfig(tx, id, 'nama_vdi');
    const isActive = status !== 'inactive';
    await updateConfigFields(tx, id, {
      isActive,
      syncEnabled: status === 'active',
      status: status === 'maintenance' ? 'maintenance' : 'active',
      // What was wrong is tried anew.
      ...(status === 'active' ? { problem: null, problemKind: null, breaker: {} } : {}),
      version: before.version + 1,
      updatedAt: deps.clock.now(),
    });
    const detail = { status };
    await recordAudit(tx, caller, { action: 'integration.status', objectType: 'integration', objectId: id, detail });
    await tell(tx, id);
  });
  return toVdi(await getConfig(deps, id));
}

/** Asks for resources now and says how many records came. */
export async function syncVdi(deps: Deps, caller: Caller, id: number, resources: readonly VendorResource[]) {
  const config = await requireConfig(deps.db, id, 'nama_vdi');
  // The exchange begins with what we tell: the other side answers with the kiosks of these markets.
  const refused = resources.includes('devices') ? await tellOwnRecords(deps, id) : null;
  const { processed } = await runSync(deps, id, resources, { callerId: caller.userId });
  const pushesOnly = config.settings.version === '1.0';
  const note = pushesOnly ? 'Version 1.0 has nothing to ask for: the other side pushes its documents to /vdi.' : null;
  return { recordsProcessed: processed, note: refused ?? note };
}

export async function testVdi(deps: Deps, id: number) {
  await requireConfig(deps.db, id, 'nama_vdi');
  const { connected, error } = await testConnection(deps, id);
  return { connected, error };
}
