import * as moma from '../../contract/moma.ts';
import * as nayax from '../../contract/nayax.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { getMachine } from '../machines/service.ts';
import { getAnalytics } from './analytics.ts';
import { addConfig, changeConfig, dropConfig, listMomaConfigs, listNayaxConfigs, oneOf } from './configs.ts';
import { findList, findReportedStock } from './queries.ts';
import { syncAll, syncConfig } from './sync.ts';

export function nayaxMomaEndpoints(deps: Deps): Handled[] {
  return [...nayaxEndpoints(deps), ...momaEndpoints(deps)];
}

function nayaxEndpoints(deps: Deps): Handled[] {
  return [
    handle(nayax.listNayaxConfigs, () => listNayaxConfigs(deps)),
    handle(nayax.createNayaxConfig, async ({ caller, body }) => {
      const id = await addConfig(deps, caller, 'nayax', body);
      return oneOf(listNayaxConfigs(deps), id);
    }),
    handle(nayax.updateNayaxConfig, async ({ caller, params, body }) => {
      await changeConfig(deps, caller, { system: 'nayax', id: params.id }, body);
      return oneOf(listNayaxConfigs(deps), params.id);
    }),
    handle(nayax.removeNayaxConfig, ({ caller, params }) => dropConfig(deps, caller, 'nayax', params.id)),
    handle(nayax.syncNayaxDevices, ({ caller, params }) => syncConfig(deps, caller, 'nayax', params.id)),
    handle(nayax.listNayaxDevices, ({ query }) => findList<nayax.NayaxDevice>(deps.db, 'nayaxDevices', query)),
    handle(nayax.listNayaxTransactions, ({ query }) =>
      findList<nayax.NayaxTransaction>(deps.db, 'nayaxTransactions', query),
    ),
  ];
}

function momaEndpoints(deps: Deps): Handled[] {
  return [
    handle(moma.listMomaConfigs, () => listMomaConfigs(deps)),
    handle(moma.createMomaConfig, async ({ caller, body }) => {
      const id = await addConfig(deps, caller, 'moma', body);
      return oneOf(listMomaConfigs(deps), id);
    }),
    handle(moma.updateMomaConfig, async ({ caller, params, body }) => {
      await changeConfig(deps, caller, { system: 'moma', id: params.id }, body);
      return oneOf(listMomaConfigs(deps), params.id);
    }),
    handle(moma.removeMomaConfig, ({ caller, params }) => dropConfig(deps, caller, 'moma', params.id)),
    handle(moma.syncMomaMachines, ({ caller, params }) => syncConfig(deps, caller, 'moma', params.id)),
    handle(moma.syncAllNayaxMoma, ({ caller }) => syncAll(deps, caller)),
    handle(moma.listMomaMachines, ({ query }) => findList<moma.MomaMachine>(deps.db, 'momaMachines', query)),
    handle(moma.listMomaInventory, ({ query }) => findList<moma.MomaInventory>(deps.db, 'momaInventory', query)),
    handle(moma.listMomaSales, ({ query }) => findList<moma.MomaSale>(deps.db, 'momaSales', query)),
    handle(moma.listMomaAlerts, ({ query }) => findList<moma.MomaAlert>(deps.db, 'momaAlerts', query)),
    handle(moma.getReportedStock, async ({ caller, params }) => {
      const { id } = await getMachine(deps, caller, params.id);
      return findReportedStock(deps.db, id);
    }),
    handle(moma.getNayaxMomaAnalytics, ({ query }) => getAnalytics(deps, query)),
  ];
}
