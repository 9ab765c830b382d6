import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  getInventoryReport,
  getMarketReport,
  getRouteReport,
  getSalesReport,
  type MarketReport,
  pageInventoryReport,
  pageRouteReport,
  type SalesReport,
} from '../../contract/reports.ts';
import { call } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { queryOf, rowsOf, type Wish } from './wish.ts';

// What was there stays while another range is fetched: nothing jumps.
const kept = { placeholderData: keepPreviousData };

/** Rows of a page on the screen, on paper, and of a step of an export. */
export const pageSizes = { screen: 25, paper: 1000, file: 10_000 } as const;

const usual = '-sales' as const;
const marketQuery = (wish: Wish, limit: number) => ({ ...queryOf(wish), ...rowsOf(wish, usual, limit) });
const salesQuery = (wish: Wish, limit: number) => ({ ...marketQuery(wish, limit), by: wish.by });

const linesQuery = <S extends string>(wish: Wish, usual: S, limit: number) => ({
  ...queryOf(wish),
  ...rowsOf({ ...wish, search: null }, usual, limit),
});

export const useInventoryReport = (wish: Wish, limit: number) =>
  useQuery({ ...queryFor(pageInventoryReport, { query: linesQuery(wish, 'shortage', limit) }), ...kept });
export const useRouteReport = (wish: Wish, limit: number) =>
  useQuery({ ...queryFor(pageRouteReport, { query: linesQuery(wish, '-date', limit) }), ...kept });
export const useMarketReport = (wish: Wish, limit: number) =>
  useQuery({ ...queryFor(getMarketReport, { query: marketQuery(wish, limit) }), ...kept });
export const useSalesReport = (wish: Wish, limit: number) =>
  useQuery({ ...queryFor(getSalesReport, { query: salesQuery(wish, limit) }), ...kept });

type Page<R> = { rows: R[]; next: string | null };

/** Every row that the search finds, in its order. */
async function everyRow<R>(load: (page: string | null) => Promise<Page<R>>): Promise<R[]> {
  const rows: R[] = [];
  let page: string | null = null;
  do {
    const found: Page<R> = await load(page);
    for (const row of found.rows) rows.push(row);
    page = found.next;
  } while (page !== null);
  return rows;
}

export const everyMarket = (wish: Wish): Promise<MarketReport['markets']['rows']> =>
  everyRow(
    async (page) => (await call(getMarketReport, { query: marketQuery({ ...wish, page }, pageSizes.file) })).markets,
  );
export const everySalesRow = (wish: Wish): Promise<SalesReport['groups']['rows']> =>
  everyRow(
    async (page) => (await call(getSalesReport, { query: salesQuery({ ...wish, page }, pageSizes.file) })).groups,
  );

/** With every line, as it is taken away. */
export const wholeInventoryReport = (wish: Wish) => call(getInventoryReport, { query: queryOf(wish) });
export const wholeRouteReport = (wish: Wish) => call(getRouteReport, { query: queryOf(wish) });
