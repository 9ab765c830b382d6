import * as contract from '../../contract/reconciliation.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { countCash, importPayouts, reconciliationReport, reopenDifference, settleDifference } from './service.ts';

export function reconciliationEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.getReconciliation, ({ query }) => reconciliationReport(deps, query)),
    handle(contract.settleDifference, ({ caller, body }) => settleDifference(deps, caller, body)),
    handle(contract.reopenDifference, ({ caller, body }) => reopenDifference(deps, caller, body.key)),
    handle(contract.importPayouts, ({ caller, body }) => importPayouts(deps, caller, body)),
    handle(contract.countCash, ({ caller, params, body }) => countCash(deps, caller, params.visitId, body.counted)),
  ];
}
