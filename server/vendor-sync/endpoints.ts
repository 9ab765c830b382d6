import * as contract from '../../contract/integration-runs.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { backfill, cancelSync, getSyncRun, pageSyncRuns, startSync, testConnection } from './service.ts';

export function vendorSyncEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.pageSyncRuns, ({ query }) => pageSyncRuns(deps, query)),
    handle(contract.getSyncRun, ({ params }) => getSyncRun(deps, params.id)),
    handle(contract.startSync, ({ caller, params, body }) =>
      startSync(deps, caller, params.id, { resources: body.resources }),
    ),
    handle(contract.backfillSync, ({ caller, params, body }) => backfill(deps, caller, params.id, body.from)),
    handle(contract.cancelSync, ({ caller, params }) => cancelSync(deps, caller, params.id)),
    handle(contract.testConnection, ({ params }) => testConnection(deps, params.id)),
  ];
}
