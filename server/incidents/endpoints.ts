import * as contract from '../../contract/incidents.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import {
  createIncident,
  getFactors,
  getIncident,
  listIncidents,
  reopenIncident,
  resolveIncident,
  setFactors,
  updateIncident,
} from './service.ts';
import { importUpload } from './upload.ts';

export function incidentEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listIncidents, ({ query }) => listIncidents(deps, query.status ?? null)),
    handle(contract.getIncident, ({ params }) => getIncident(deps, params.id)),
    handle(contract.createIncident, ({ caller, body }) => createIncident(deps, caller, body)),
    handle(contract.updateIncident, ({ caller, params, body }) => updateIncident(deps, caller, params.id, body)),
    handle(contract.resolveIncident, ({ caller, params }) => resolveIncident(deps, caller, params.id)),
    handle(contract.reopenIncident, ({ caller, params }) => reopenIncident(deps, caller, params.id)),
    handle(contract.importIncidents, ({ caller, body }) => importUpload(deps, caller, body)),
    handle(contract.getIncidentFactors, () => getFactors(deps)),
    handle(contract.setIncidentFactors, ({ caller, body }) => setFactors(deps, caller, body)),
  ];
}
