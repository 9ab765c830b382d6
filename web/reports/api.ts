import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getInventoryReport, getMarketReport, getRouteReport, getSalesReport } from '../../contract/reports.ts';
import { queryFor } from '../http/query-client.ts';
import { queryOf, type Wish } from './wish.ts';

// What was there stays while another range is fetched: nothing jumps.
const kept = { placeholderData: keepPreviousData };

export const useInventoryReport = (wish: Wish) =>
  useQuery({ ...queryFor(getInventoryReport, { query: queryOf(wish) }), ...kept });
export const useRouteReport = (wish: Wish) =>
  useQuery({ ...queryFor(getRouteReport, { query: queryOf(wish) }), ...kept });
export const useMarketReport = (wish: Wish) =>
  useQuery({ ...queryFor(getMarketReport, { query: queryOf(wish) }), ...kept });
export const useSalesReport = (wish: Wish) =>
  useQuery({ ...queryFor(getSalesReport, { query: { ...queryOf(wish), by: wish.by } }), ...kept });
