import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import {
  listLocationInventory,
  listRoutes,
  listScheduledRoutes,
  type ScheduledRoute,
  type Stop,
  updateRoute,
  updateStop,
} from '../../contract/routes.ts';
import type { LocationRef } from '../../domain/location.ts';
import { call } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { startRoute as keepStart, completeStop as keepStop } from '../offline/actions.ts';
import { listRoutesOfDay, listStock } from '../offline/reads.ts';
import { useOffline, useOnline, useStored } from '../offline/use-offline.ts';

export type StockLine = {
  key: string;
  productName: string;
  slotNumber: string | null;
  quantity: number;
  minimum: number;
};

/**
 * The day's routes: the server's where it answers, else this phone's copy. What this phone has done and not yet sent
 * lies on top of either.
 */
export function useRoutesOfDay(day: string) {
  const online = useOnline();
  const asked = useQuery({ ...queryFor(listScheduledRoutes, { query: { date: day } }), enabled: day !== '' });
  const kept = useStored(useCallback((offline) => listRoutesOfDay(offline, day), [day]));
  const fromPhone = !asked.data || !online;
  const routes = fromPhone && kept?.length ? kept : asked.data;
  return {
    routes: routes ? withKept(routes, kept ?? []) : undefined,
    fromPhone: fromPhone && Boolean(kept?.length),
    failed: asked.isError && !kept?.length ? asked.error : null,
    retry: () => void asked.refetch(),
  };
}

/** A stop that this phone completed stays completed while the server has not heard of it. */
function withKept(routes: readonly ScheduledRoute[], kept: readonly ScheduledRoute[]): ScheduledRoute[] {
  const done = new Map(
    kept.flatMap((route) => route.stops.filter((stop) => stop.completed).map((stop) => [stop.id, stop])),
  );
  const started = new Set(kept.filter((route) => route.status !== 'planned').map((route) => route.id));
  return routes.map((route) => {
    const stops = route.stops.map((stop) => (stop.completed ? stop : { ...stop, ...done.get(stop.id) }));
    const status = route.status === 'planned' && started.has(route.id) ? ('in_progress' as const) : route.status;
    return { ...route, status, stops, completedStops: stops.filter((stop) => stop.completed).length };
  });
}

/** Stock of a stop's location, from the server or from this phone. */
export function useStopStock(ref: LocationRef | null) {
  const online = useOnline();
  const query = { type: ref?.type ?? 'market', id: ref?.id ?? 1 } as const;
  const asked = useQuery({ ...queryFor(listLocationInventory, { query }), enabled: ref !== null });
  const kept = useStored(useCallback((offline) => (ref ? listStock(offline, ref) : Promise.resolve([])), [ref]));
  const fromPhone = (!online || asked.isError) && Boolean(kept?.length);
  const fromServer = asked.data?.map(
    (row): StockLine => ({
      key: `${row.itemType}:${row.id}`,
      productName: row.productName,
      slotNumber: row.slotNumber,
      quantity: row.currentQuantity,
      minimum: row.minimumQuantity,
    }),
  );
  const fromStore = kept?.map(
    (row): StockLine => ({
      key: `${row.itemType}:${row.itemId}`,
      productName: row.productName,
      slotNumber: row.slotNumber,
      quantity: row.quantity,
      minimum: row.minimumQuantity,
    }),
  );
  return {
    lines: fromPhone ? fromStore : fromServer,
    failed: asked.isError && !fromPhone ? asked.error : null,
    retry: () => void asked.refetch(),
  };
}

function useRoutesChanged() {
  const client = useQueryClient();
  return () =>
    Promise.all([listRoutes, listScheduledRoutes].map(({ path }) => client.invalidateQueries({ queryKey: [path] })));
}

type Done = 'saved' | 'kept';

/** Starts a route: on the server, or on this phone until the server can be reached. */
export function useStartRoute() {
  const offline = useOffline();
  const online = useOnline();
  const changed = useRoutesChanged();
  return useMutation({
    mutationFn: async (route: ScheduledRoute): Promise<Done> => {
      if (online) {
        await call(updateRoute, { params: { id: route.id }, body: { status: 'in_progress' } });
        return 'saved';
      }
      await keepStart(offline, route.id);
      return 'kept';
    },
    onSuccess: changed,
  });
}

export function useCompleteStop() {
  const offline = useOffline();
  const online = useOnline();
  const changed = useRoutesChanged();
  return useMutation({
    mutationFn: async (stop: Stop): Promise<Done> => {
      if (online) {
        const body = { completed: true, actualArrival: new Date().toISOString() };
        await call(updateStop, { params: { id: stop.id }, body });
        return 'saved';
      }
      await keepStop(offline, { routeId: stop.routeId, stopId: stop.id });
      return 'kept';
    },
    onSuccess: changed,
  });
}

export type Skipped = { stopId: number; reason: string };

/** Completes a route by hand; needs the server, because it decides whether every open stop has its reason. */
export function useCompleteRoute() {
  const changed = useRoutesChanged();
  return useMutation({
    mutationFn: ({ routeId, skipped }: { routeId: number; skipped: Skipped[] }) =>
      call(updateRoute, { params: { id: routeId }, body: { status: 'completed', skipped } }),
    onSuccess: changed,
  });
}
