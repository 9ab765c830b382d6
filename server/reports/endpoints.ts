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
import { toldAlike } from '../scope/service.ts';
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
  const read = async <T>(work: (on: On) => Promise<T>, asked?: readonly unknown[]): Promise<T> => {
    const day = await today(deps.db, deps.clock);
    return deps.database.reading((db) => {
      const sums = () => sumsInMemory(db, (tx) => work({ db: tx, today: day }));
      return asked ? toldAlike({ ...deps, db }, { everything: true }, { asked, read: sums }) : sums();
    });
  };
  /** What is no longer than a page is read once for all who ask for it at the same time. */
  const readPage = <Q, T>(name: string, query: Q, report: (on: On, query: Q) => Promise<T>): Promise<T> =>
    read((on) => report(on, query), [name, query]);
  return [
    handle(getInventoryReport, ({ query }) => read((on) => inventoryReport(on, query))),
    handle(getRouteReport, ({ query }) => read((on) => routeReport(on, query))),
    handle(pageInventoryReport, ({ query }) => readPage('stock report', query, inventoryReportPage)),
    handle(pageRouteReport, ({ query }) => readPage('route report', query, routeReportPage)),
    handle(getMarketReport, ({ query }) => readPage('market report', query, marketReport)),
    handle(getSalesReport, ({ query }) => readPage('sales report', query, salesReport)),
  ];
};
