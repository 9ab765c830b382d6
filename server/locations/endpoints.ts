import * as contract from '../../contract/locations.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { salesOf, stockOf } from './service.ts';

/** What the page of one location shows over time. */
export function locationEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.getLocationSales, ({ caller, query: { type, id, days } }) =>
      salesOf(deps, caller, { ref: { type, id }, days }),
    ),
    handle(contract.getLocationStock, ({ caller, query: { type, id, days } }) =>
      stockOf(deps, caller, { ref: { type, id }, days }),
    ),
  ];
}
