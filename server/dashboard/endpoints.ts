import * as contract from '../../contract/dashboard.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { listExceptions } from './exceptions.ts';
import { search } from './search.ts';
import { getStats, listTopProducts } from './service.ts';

export function dashboardEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.getDashboardStats, ({ caller }) => getStats(deps, caller)),
    handle(contract.listTopProducts, ({ caller }) => listTopProducts(deps, caller)),
    handle(contract.listExceptions, ({ caller }) => listExceptions(deps, caller)),
    handle(contract.search, ({ caller, query }) => search(deps, caller, query.q)),
  ];
}
