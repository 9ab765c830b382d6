import * as contract from '../../contract/integration-review.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { readDelivery } from './content.ts';
import { leaveOutDelivery, pageDeliveries, replayDelivery, takeBackDelivery } from './deliveries.ts';

export function webhookEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.pageDeliveries, ({ query }) => pageDeliveries(deps, query)),
    handle(contract.readDelivery, ({ params }) => readDelivery(deps, params.id)),
    handle(contract.replayDelivery, ({ caller, params }) => replayDelivery(deps, caller, params.id)),
    handle(contract.leaveOutDelivery, ({ caller, params, body }) => leaveOutDelivery(deps, caller, params.id, body)),
    handle(contract.takeBackDelivery, ({ caller, params, body }) =>
      takeBackDelivery(deps, caller, params.id, body.alike),
    ),
  ];
}
