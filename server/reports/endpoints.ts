import type { InventoryReportPage } from '../../contract/reports.ts';
import {
  getInventoryReport,
  getMarketReport,
  getRouteReport,
  getSalesReport,
  pageInventoryReport,
  pageRouteReport,
} from '../../contract/reports.ts';
import type { Db } from '../db/database.ts';
import { sumsInMemory } from '../db/statements/sums-in-memory.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { toldAlike } from '../scope/service.ts';
import { today } from '../settings/service.ts';
import type { KnownDays } from './known-days.ts';
import {
  inventoryReport,
  inventoryReportPage,
  marketReport,
  type On,
  routeReport,
  routeReportPage,
  salesReport,
} from './service.ts';

type Work<T> = (on: On) => Promise<T>;

/** What an office edits and reports tell of. */
const reportedTables = ['operator', 'markets', 'vending_machines', 'products'];
/** An item holds some ten units. */
const itemsOfStock = ({ totalUnits, machineUnits }: InventoryReportPage): number => (totalUnits + machineUnits) / 10;

export const reportEndpoints = (deps: Deps) => {
  /** On the replica, where there is one. */
  const readBy = async <T>(
    ask: (db: Db, sums: () => Promise<T>, day: string) => Promise<T>,
    work: Work<T>,
  ): Promise<T> => {
    const day = await today(deps.db, deps.clock);
    return deps.database.reading((db) => ask(db, () => sumsInMemory(db, (tx) => work({ db: tx, today: day })), day));
  };
  const read = <T>(work: Work<T>): Promise<T> => readBy((_db, sums) => sums(), work);
  /** What is no longer than a page is read once for all who ask for it at the same time. */
  const readPage = <Q, T>(
    { name, query, rows }: { name: string; query: Q; rows: (report: T) => number },
    report: (on: On, query: Q) => Promise<T>,
  ): Promise<T> =>
    readBy(
      (db, sums, day) =>
        toldAlike(
          { ...deps, db },
          { everything: true },
          { asked: [name, query, day], read: sums, ofMany: { rows, from: reportedTables } },
        ),
      (on) => report(on, query),
    );
  const knownDays: KnownDays = new Map();
  return [
    handle(getInventoryReport, ({ query }) => read((on) => inventoryReport(on, query))),
    handle(getRouteReport, ({ query }) => read((on) => routeReport(on, query))),
    handle(pageInventoryReport, ({ query }) =>
      readPage({ name: 'stock report', query, rows: itemsOfStock }, inventoryReportPage),
    ),
    handle(pageRouteReport, ({ query }) =>
      readPage({ name: 'route report', query, rows: ({ rows }) => rows.total }, (on, asked) =>
        routeReportPage(on, asked, knownDays),
      ),
    ),
    handle(getMarketReport, ({ query }) =>
      readPage({ name: 'market report', query, rows: ({ markets }) => markets.total }, marketReport),
    ),
    handle(getSalesReport, ({ query }) =>
      readPage({ name: 'sales report', query, rows: ({ groups }) => groups.total }, salesReport),
    ),
  ];
};
