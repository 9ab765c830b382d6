import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { acknowledgeAlert } from '../../contract/alerts.ts';
import { getDashboardStats, listExceptions, listTopProducts } from '../../contract/dashboard.ts';
import { pageLowStock } from '../../contract/inventory.ts';
import { getRoute, optimizeRoute, pageScheduledRoutes, type ScheduledRoute } from '../../contract/routes.ts';
import { call } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { optimizeBodyOf } from './today/route-progress.ts';

export const useStats = () => useQuery(queryFor(getDashboardStats, {}));
export const useTopProducts = () => useQuery(queryFor(listTopProducts, {}));
export const useExceptions = () => useQuery(queryFor(listExceptions, {}));
/** So many are read at first: most operators have fewer, and what is in the browser is taken away as a file without a call. */
const lowStockAtOnce = 500;

/** A page of what is low, the worst first. */
export const loadLowStock = (page: string | null) =>
  call(pageLowStock, { query: { limit: lowStockAtOnce, ...(page ? { page } : {}) } });

const lowStock = infiniteQueryOptions({
  queryKey: [pageLowStock.path],
  queryFn: ({ pageParam }) => loadLowStock(pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next,
});
export const useLowStock = () => useInfiniteQuery(lowStock);
/** What the list has read. Asking as well would send a question that failed a second time. */
export const useReadLowStock = () => useInfiniteQuery({ ...lowStock, enabled: false });

/** Routes that are read and drawn together; on a map more of them cannot be told apart. */
export const routesAtOnce = 20;

/** A day's routes with their stops, those under way first, as many as were asked for, of those that have the words of a search. */
export function useRoutesOfDay(day: string, q = '') {
  const asked = useInfiniteQuery({
    queryKey: [pageScheduledRoutes.path, { day, q }],
    queryFn: ({ pageParam }) =>
      call(pageScheduledRoutes, {
        query: { date: day, limit: routesAtOnce, ...(q ? { q } : {}), ...(pageParam ? { page: pageParam } : {}) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
  const routes = useMemo(() => asked.data?.pages.flatMap(({ rows }) => rows), [asked.data]);
  return { ...asked, routes, total: asked.data?.pages[0]?.total ?? 0 };
}

/** A route that is wanted and not among those that were read. */
export const useRouteBeside = (id: number, enabled: boolean) =>
  useQuery({ ...queryFor(getRoute, { params: { id } }), enabled });

function changed(client: QueryClient, starts: readonly string[]): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => starts.some((start) => String(path).startsWith(start)),
  });
}

export function useAcknowledge() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(acknowledgeAlert, { params: { id } }),
    onSuccess: () => changed(client, ['/api/vending-machine-alerts', '/api/dashboard']),
  });
}

/** Puts the open stops of each route in the best order; what was reached before a failure is stored and shown. */
export function useOptimizeRoutes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (routes: readonly ScheduledRoute[]) =>
      Promise.all(routes.map((route) => call(optimizeRoute, { body: optimizeBodyOf(route) }))),
    onSettled: () => changed(client, ['/api/routes', '/api/scheduled-routes', '/api/dashboard']),
  });
}
