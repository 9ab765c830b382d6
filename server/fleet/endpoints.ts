import * as contract from '../../contract/settings.ts';
import type { Deps } from '../deps.ts';
import { parseEditHeaders } from '../http/edit-headers.ts';
import { handle } from '../http/handle.ts';
import { getOperator } from '../settings/service.ts';
import { addDesignation, listDesignations, renameDesignation, retireDesignation } from './designations.ts';
import { changeOperator, changeRules, companyOf, rulesOf } from './operator.ts';
import * as fleet from './service.ts';
import { sendTestMessage } from './test-message.ts';

const versionIn = ({ headers }: { headers: Parameters<typeof parseEditHeaders>[0] }) =>
  parseEditHeaders(headers).version;

export const fleetEndpoints = (deps: Deps) => [
  handle(contract.getSettings, async () => ({
    operator: companyOf(await getOperator(deps.db)),
    rules: rulesOf(await getOperator(deps.db)),
    designations: await listDesignations(deps.db),
    ...(await fleet.listFleet(deps.db)),
  })),
  handle(contract.updateOperator, ({ caller, body, request }) =>
    changeOperator(deps, caller, { input: body, version: versionIn(request) }),
  ),
  handle(contract.updateRules, ({ caller, body, request }) =>
    changeRules(deps, caller, { input: body, version: versionIn(request) }),
  ),
  handle(contract.sendTestMessage, ({ caller, body }) => sendTestMessage(deps, caller, body.channel)),
  handle(contract.addDesignation, ({ caller, body }) => addDesignation(deps, caller, body.name)),
  handle(contract.renameDesignation, ({ caller, body }) => renameDesignation(deps, caller, body)),
  handle(contract.retireDesignation, ({ caller, body }) => retireDesignation(deps, caller, body)),
  handle(contract.createDepot, ({ caller, body }) => fleet.createDepot(deps, caller, body)),
  handle(contract.updateDepot, ({ caller, params, body, request }) =>
    fleet.updateDepot(deps, caller, params.id, { input: body, version: versionIn(request) }),
  ),
  handle(contract.removeDepot, ({ caller, params }) => fleet.removeDepot(deps, caller, params.id)),
  handle(contract.createVehicle, ({ caller, body }) => fleet.createVehicle(deps, caller, body)),
  handle(contract.updateVehicle, ({ caller, params, body, request }) =>
    fleet.updateVehicle(deps, caller, params.id, { input: body, version: versionIn(request) }),
  ),
  handle(contract.removeVehicle, ({ caller, params }) => fleet.removeVehicle(deps, caller, params.id)),
];
