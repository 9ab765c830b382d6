import * as contract from '../../contract/markets.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import {
  createMarket,
  getMarket,
  listMarkets,
  listMarketsWithInventory,
  listRouteDesignations,
  removeMarket,
  updateMarket,
} from './service.ts';

export function marketEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listMarkets, ({ caller, query }) => listMarkets(deps, caller, query.route ?? null)),
    handle(contract.listMarketsWithInventory, ({ caller }) => listMarketsWithInventory(deps, caller)),
    handle(contract.getMarket, ({ caller, params }) => getMarket(deps, caller, params.id)),
    handle(contract.createMarket, ({ caller, body }) => createMarket(deps, caller, body)),
    handle(contract.updateMarket, ({ caller, params, body }) => updateMarket(deps, caller, params.id, body)),
    handle(contract.removeMarket, ({ caller, params }) => removeMarket(deps, caller, params.id)),
    handle(contract.listRouteDesignations, ({ caller }) => listRouteDesignations(deps, caller)),
  ];
}
