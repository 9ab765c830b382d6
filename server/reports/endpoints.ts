import { sql } from 'drizzle-orm';
import { getInventoryReport, getMarketReport, getRouteReport, getSalesReport } from '../../contract/reports.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { inventoryReport, marketReport, routeReport, salesReport } from './service.ts';

export const reportEndpoints = (deps: Deps) => {
  /** On the replica, where there is one. Sums over a quarter of all slots are to stay in memory. */
  const read = <T>(work: (on: Deps) => Promise<T>): Promise<T> =>
    deps.database.reading((db) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`set local work_mem = '32MB'`);
        await tx.execute(sql`set local jit = off`);
        // Sums of money in parts cost more to hand over than to make.
        await tx.execute(sql`set local max_parallel_workers_per_gather = 0`);
        return work({ ...deps, db: tx });
      }),
    );
  return [
    handle(getInventoryReport, ({ query }) => read((on) => inventoryReport(on, query))),
    handle(getRouteReport, ({ query }) => read((on) => routeReport(on, query))),
    handle(getMarketReport, ({ query }) => read((on) => marketReport(on, query))),
    handle(getSalesReport, ({ query }) => read((on) => salesReport(on, query))),
  ];
};
