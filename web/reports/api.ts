import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  getMarketReport,
  getSalesReport,
  type InventoryReport,
  type MarketReport,
  pageInventoryReport,
  pageRouteReport,
  type RouteReport,
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
const everyRow = async <R>(load: (page: string | null) => Promise<Page<R>>): Promise<R[]> =>
  everyRowFrom(await load(null), load);

async function everyRowFrom<R>(first: Page<R>, load: (page: string) => Promise<Page<R>>): Promise<R[]> {
  const rows = [...first.rows];
  let { next } = first;
  while (next !== null) {
    const found = await load(next);
    for (const row of found.rows) rows.push(row);
    next = found.next;
  }
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

/** With every line in the order of the screen, as it is taken away. */
export async function wholeInventoryReport(wish: Wish): Promise<InventoryReport> {
  const load = (page: string | null) =>
    call(pageInventoryReport, { query: linesQuery({ ...wish, page }, 'shortage', pageSizes.file) });
  const report = await load(null);
  return { ...report, lowStock: await everyRowFrom(report.lowStock, async (page) => (await load(page)).lowStock) };
}

export async function wholeRouteReport(wish: Wish): Promise<RouteReport> {
  const load = (page: string | null) =>
    call(pageRouteReport, { query: linesQuery({ ...wish, page }, '-date', pageSizes.file) });
  const report = await load(null);
  return { ...report, rows: await everyRowFrom(report.rows, async (page) => (await load(page)).rows) };
}
