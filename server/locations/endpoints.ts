import * as contract from '../../contract/locations.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { countedByRoute, pageOfPlaces, placesOnMap, salesOf, stockOf } from './service.ts';

/** What the page of one location shows over time, and how locations are found among many. */
export function locationEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.getLocationSales, ({ caller, query: { type, id, days } }) =>
      salesOf(deps, caller, { ref: { type, id }, days }),
    ),
    handle(contract.getLocationStock, ({ caller, query: { type, id, days } }) =>
      stockOf(deps, caller, { ref: { type, id }, days }),
    ),
    handle(contract.pagePlaces, ({ caller, query }) => pageOfPlaces(deps, caller, query)),
    handle(contract.mapPlaces, ({ caller, query }) => placesOnMap(deps, caller, query)),
    handle(contract.countPlaces, ({ caller }) => countedByRoute(deps, caller)),
  ];
}
