import * as contract from '../../contract/nama-vdi.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { requireConfig } from '../integrations/service.ts';
import { findAlerts, findDevices, findSyncJobs, findTransactions } from './queries.ts';
import { createVdiConfig, listVdiConfigs, setVdiStatus, syncVdi, testVdi } from './service.ts';

export function namaVdiEndpoints(deps: Deps): Handled[] {
  const known = async <Q extends { configId: number }>(query: Q): Promise<Q> => {
    await requireConfig(deps.db, query.configId, 'nama_vdi');
    return query;
  };
  return [
    handle(contract.listVdiConfigs, () => listVdiConfigs(deps)),
    handle(contract.createVdiConfig, ({ caller, body }) => createVdiConfig(deps, caller, body)),
    handle(contract.setVdiStatus, ({ caller, params, body }) => setVdiStatus(deps, caller, params.id, body.status)),
    handle(contract.listVdiDevices, async ({ query }) => findDevices(deps.db, await known(query))),
    handle(contract.listVdiTransactions, async ({ query }) => findTransactions(deps.db, await known(query))),
    handle(contract.listVdiAlerts, async ({ query }) => findAlerts(deps.db, await known(query))),
    handle(contract.listVdiSyncJobs, async ({ query }) => findSyncJobs(deps.db, await known(query))),
    handle(contract.syncVdiDevices, ({ caller, params }) => syncVdi(deps, caller, params.id, ['devices', 'alerts'])),
    handle(contract.syncVdiTransactions, ({ caller, params }) => syncVdi(deps, caller, params.id, ['sales'])),
    handle(contract.testVdiConnection, ({ params }) => testVdi(deps, params.id)),
  ];
}
