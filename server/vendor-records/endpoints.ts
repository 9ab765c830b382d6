import * as contract from '../../contract/integration-review.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { closePartnerAlert } from './review/alerts.ts';
import { pageStockDifferences, summarizeReview } from './review/differences.ts';
import { adoptPlanogram, pagePlanogramDifferences } from './review/planograms.ts';
import { dismissHeld, pageHeld, repairHeld } from './review/repair.ts';
import { addDevicePlace, ignoreDevice, linkDevice, pageReviewDevices } from './review/review.ts';

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
    handle(contract.pagePlanogramDifferences, ({ query }) => pagePlanogramDifferences(deps, query)),
    handle(contract.adoptPlanogram, ({ caller, params }) => adoptPlanogram(deps, caller, params.id)),
    handle(contract.closePartnerAlert, ({ caller, params }) => closePartnerAlert(deps, caller, params.id)),
    handle(contract.pageStockDifferences, ({ query }) => pageStockDifferences(deps, query)),
  ];
}
