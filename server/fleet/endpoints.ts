import * as contract from '../../contract/settings.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { getOperator } from '../settings/service.ts';
import { changeOperator } from './operator.ts';
import * as fleet from './service.ts';

export const fleetEndpoints = (deps: Deps) => [
  handle(contract.getSettings, async () => ({
    operator: await getOperator(deps.db),
    ...(await fleet.listFleet(deps.db)),
  })),
  handle(contract.updateOperator, ({ caller, body }) => changeOperator(deps, caller, body)),
  handle(contract.createDepot, ({ caller, body }) => fleet.createDepot(deps, caller, body)),
  handle(contract.updateDepot, ({ caller, params, body }) => fleet.updateDepot(deps, caller, params.id, body)),
  handle(contract.removeDepot, ({ caller, params }) => fleet.removeDepot(deps, caller, params.id)),
  handle(contract.createVehicle, ({ caller, body }) => fleet.createVehicle(deps, caller, body)),
  handle(contract.updateVehicle, ({ caller, params, body }) => fleet.updateVehicle(deps, caller, params.id, body)),
  handle(contract.removeVehicle, ({ caller, params }) => fleet.removeVehicle(deps, caller, params.id)),
];
