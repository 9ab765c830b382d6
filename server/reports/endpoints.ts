import {
  getInventoryReport,
  getMarketReport,
  getRouteReport,
  getSalesReport,
  pageInventoryReport,
  pageRouteReport,
} from '../../contract/reports.ts';
import { sumsInMemory } from '../db/statements/sums-in-memory.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { today } from '../settings/service.ts';
import {
  inventoryReport,
  inventoryReportPage,
  marketReport,
  type On,
  routeReport,
  routeReportPage,
  salesReport,
} from './service.ts';

export const reportEndpoints = (deps: Deps) => {
  /** On the replica, where there is one. */
  const read = async <T>(work: (on: On) => Promise<T>): Promise<T> => {
    const day = await today(deps.db, deps.clock);
    return deps.database.reading((db) => sumsInMemory(db, (tx) => work({ db: tx, today: day })));
  };
  return [
    handle(getInventoryReport, ({ query }) => read((on) => inventoryReport(on, query))),
    handle(getRouteReport, ({ query }) => read((on) => routeReport(on, query))),
    handle(pageInventoryReport, ({ query }) => read((on) => inventoryReportPage(on, query))),
    handle(pageRouteReport, ({ query }) => read((on) => routeReportPage(on, query))),
    handle(getMarketReport, ({ query }) => read((on) => marketReport(on, query))),
    handle(getSalesReport, ({ query }) => read((on) => salesReport(on, query))),
  ];
};
