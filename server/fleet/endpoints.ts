import * as contract from '../../contract/settings.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { getOperator } from '../settings/service.ts';
import { addDesignation, listDesignations, renameDesignation, retireDesignation } from './designations.ts';
import { changeOperator, changeRules } from './operator.ts';
import * as fleet from './service.ts';

export const fleetEndpoints = (deps: Deps) => [
  handle(contract.getSettings, async () => ({
    operator: await getOperator(deps.db),
    rules: await getOperator(deps.db),
    designations: await listDesignations(deps.db),
    ...(await fleet.listFleet(deps.db)),
  })),
  handle(contract.updateOperator, ({ caller, body }) => changeOperator(deps, caller, body)),
  handle(contract.updateRules, ({ caller, body }) => changeRules(deps, caller, body)),
  handle(contract.addDesignation, ({ caller, body }) => addDesignation(deps, caller, body.name)),
  handle(contract.renameDesignation, ({ caller, body }) => renameDesignation(deps, caller, body)),
  handle(contract.retireDesignation, ({ caller, body }) => retireDesignation(deps, caller, body)),
  handle(contract.createDepot, ({ caller, body }) => fleet.createDepot(deps, caller, body)),
  handle(contract.updateDepot, ({ caller, params, body }) => fleet.updateDepot(deps, caller, params.id, body)),
  handle(contract.removeDepot, ({ caller, params }) => fleet.removeDepot(deps, caller, params.id)),
  handle(contract.createVehicle, ({ caller, body }) => fleet.createVehicle(deps, caller, body)),
  handle(contract.updateVehicle, ({ caller, params, body }) => fleet.updateVehicle(deps, caller, params.id, body)),
  handle(contract.removeVehicle, ({ caller, params }) => fleet.removeVehicle(deps, caller, params.id)),
];
