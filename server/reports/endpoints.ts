import { getInventoryReport, getMarketReport, getRouteReport, getSalesReport } from '../../contract/reports.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { inventoryReport, marketReport, routeReport, salesReport } from './service.ts';

export const reportEndpoints = (deps: Deps) => [
  handle(getInventoryReport, ({ query }) => inventoryReport(deps, query)),
  handle(getRouteReport, ({ query }) => routeReport(deps, query)),
  handle(getMarketReport, ({ query }) => marketReport(deps, query)),
  handle(getSalesReport, ({ query }) => salesReport(deps, query)),
];
