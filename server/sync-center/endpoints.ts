import * as contract from '../../contract/sync-center.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { pageSynced } from './queries.ts';
import { autoTriggerAll, latestRuns, statusOfSync, triggerAll } from './service.ts';

export function syncCenterEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.getSyncStatus, () => statusOfSync(deps)),
    handle(contract.listLatestRuns, () => latestRuns(deps)),
    handle(contract.triggerSync, () => triggerAll(deps)),
    handle(contract.autoTriggerSync, ({ caller }) => autoTriggerAll(deps, caller)),
    handle(contract.pageSyncedDevices, ({ query }) => pageSynced(deps.db, query)),
  ];
}
