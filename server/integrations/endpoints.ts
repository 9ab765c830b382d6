import * as contract from '../../contract/integrations.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import {
  createConfig,
  getConfig,
  listConfigs,
  listIntegrations,
  listSystems,
  removeConfig,
  updateConfig,
} from './service.ts';

export function integrationEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listIntegrations, () => listIntegrations(deps)),
    handle(contract.listSystems, () => listSystems(deps)),
    handle(contract.listConfigs, ({ query }) => listConfigs(deps, query.system ?? null)),
    handle(contract.getConfig, ({ params }) => getConfig(deps, params.id)),
    handle(contract.createConfig, ({ caller, body }) => createConfig(deps, caller, body)),
    handle(contract.updateConfig, ({ caller, params, body }) => updateConfig(deps, caller, params.id, body)),
    handle(contract.removeConfig, ({ caller, params }) => removeConfig(deps, caller, params.id)),
  ];
}
