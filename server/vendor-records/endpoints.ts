import * as contract from '../../contract/integration-review.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { pageStockDifferences, summarizeReview } from './differences.ts';
import { dismissHeld, pageHeld, repairHeld } from './repair.ts';
import { addDevicePlace, ignoreDevice, linkDevice, pageReviewDevices } from './review.ts';

export function vendorRecordEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.reviewSummary, () => summarizeReview(deps)),
    handle(contract.pageReviewDevices, ({ query }) => pageReviewDevices(deps, query)),
    handle(contract.linkDevice, ({ caller, params, body }) => linkDevice(deps, caller, params.id, body)),
    handle(contract.addDevicePlace, ({ caller, params, body }) => addDevicePlace(deps, caller, params.id, body)),
    handle(contract.ignoreDevice, ({ caller, params, body }) => ignoreDevice(deps, caller, params.id, body.ignored)),
    handle(contract.pageHeld, ({ query }) => pageHeld(deps, query)),
    handle(contract.repairHeld, ({ caller, params, body }) => repairHeld(deps, caller, params.id, body)),
    handle(contract.dismissHeld, ({ caller, params, body }) => dismissHeld(deps, caller, params.id, body.alike)),
    handle(contract.pageStockDifferences, ({ query }) => pageStockDifferences(deps, query)),
  ];
}
