import { useInfiniteQuery, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listRouteDesignations } from '../../contract/markets.ts';
import {
  createRoute,
  getRoute,
  listDriversOfDay,
  listRouteChoices,
  listRoutes,
  listScheduledRoutes,
  optimizeRoute,
  pageRoutes,
  pageScheduledRoutes,
  updateRoute,
} from '../../contract/routes.ts';
import { call } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';

export function useDesignations() {
  return useQuery(queryFor(listRouteDesignations, {}));
}

/** Drivers, vehicles and depots; asked only for people who may plan. */
export function useRouteChoices(mayPlan: boolean) {
  return useQuery({ ...queryFor(listRouteChoices, {}), enabled: mayPlan });
}

/** How many routes each driver has on a day already; nothing is known until it is answered. */
export function useDriversOfDay(date: string) {
  const { data, error, refetch } = useQuery(queryFor(listDriversOfDay, { query: { date } }));
  const taken: ReadonlyMap<number, number> = useMemo(
    () => new Map(data?.map(({ driverId, routes }) => [driverId, routes])),
    [data],
  );
  return { taken, failed: data ? null : error, refetch };
}

export function useRoutes(days: { from?: string; to?: string }, wanted: boolean) {
  return useQuery({ ...queryFor(listRoutes, { query: days }), enabled: wanted });
}

/** Routes of days gone by and completed ones, newest first, page after page. */
export function usePastRoutes(days: { from: string; to: string }, limit: number) {
  return useInfiniteQuery({
    queryKey: [pageRoutes.path, days, limit],
    queryFn: ({ pageParam }) => loadPastRoutes(days, pageParam, limit),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}

export const loadPastRoutes = (days: { from: string; to: string }, page: string | null, limit: number) =>
  call(pageRoutes, { query: { ...days, past: 'true', limit, ...(page ? { page } : {}) } });

/** One route; nothing is asked while there is none. */
export const useRoute = (id: number | null) =>
  useQuery({ ...queryFor(getRoute, { params: { id: id ?? 0 } }), enabled: id !== null });

export function useRouteDetails(ids: readonly number[]) {
  return useQueries({ queries: ids.map((id) => queryFor(getRoute, { params: { id } })) });
}

/** With what became of every stop. */
export const loadRoutesOfDay = (date: string) => call(listScheduledRoutes, { query: { date } });

/** Every list of routes, whatever its days, is asked for again. */
function useRoutesChanged() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [listRoutes, pageRoutes, listScheduledRoutes, pageScheduledRoutes].map(({ path }) =>
        client.invalidateQueries({ queryKey: [path] }),
      ),
    );
}

type OptimizeBody = Parameters<typeof call<typeof optimizeRoute>>[1]['body'];
type CreateBody = Parameters<typeof call<typeof createRoute>>[1]['body'];

export function useOptimize() {
  const routesChanged = useRoutesChanged();
  return useMutation({
    mutationFn: (body: OptimizeBody) => call(optimizeRoute, { body }),
    onSuccess: routesChanged,
  });
}

export function useCreateRoute() {
  const routesChanged = useRoutesChanged();
  return useMutation({ mutationFn: (body: CreateBody) => call(createRoute, { body }), onSuccess: routesChanged });
}

export function useStartRoute() {
  const routesChanged = useRoutesChanged();
  return useMutation({
    mutationFn: (id: number) => call(updateRoute, { params: { id }, body: { status: 'in_progress' } }),
    onSuccess: routesChanged,
  });
}
