import * as contract from '../../contract/markets.ts';
import type { Deps } from '../deps.ts';
import { parseEditHeaders } from '../http/edit-headers.ts';
import { type Handled, handle } from '../http/handle.ts';
import {
  createMarket,
  getMarketRecord,
  listMarkets,
  listMarketsWithInventory,
  listRouteDesignations,
  pageOfMarkets,
  removeMarket,
  summarizeMarkets,
  updateMarket,
} from './service.ts';

export function marketEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listMarkets, ({ caller, query }) => listMarkets(deps, caller, query.route ?? null)),
    handle(contract.listMarketsWithInventory, ({ caller }) => listMarketsWithInventory(deps, caller)),
    handle(contract.pageMarkets, ({ caller, query }) => pageOfMarkets(deps, caller, query)),
    handle(contract.getMarketSummary, ({ caller }) => summarizeMarkets(deps, caller)),
    handle(contract.getMarket, ({ caller, params }) => getMarketRecord(deps, caller, params.id)),
    handle(contract.createMarket, ({ caller, body }) => createMarket(deps, caller, body)),
    handle(contract.updateMarket, ({ caller, params, body, request }) =>
      updateMarket(deps, caller, params.id, { input: body, headers: parseEditHeaders(request.headers) }),
    ),
    handle(contract.removeMarket, ({ caller, params }) => removeMarket(deps, caller, params.id)),
    handle(contract.listRouteDesignations, ({ caller }) => listRouteDesignations(deps, caller)),
  ];
}
