import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { listDayEnds } from '../../contract/day-ends.ts';
import { listLocationInventory, listScheduledRoutes, type ScheduledRoute } from '../../contract/routes.ts';
import type { LocationRef } from '../../domain/location.ts';
import { queryFor } from '../http/query-client.ts';
import { type DriverDay, hasStepsSince, readAccess, readDriverDay, routesAsLeft } from '../offline/day/driver-day.ts';
import type { IncidentNames } from '../offline/day/incident-names.ts';
import type { Picks } from '../offline/day/pick-lists.ts';
import { isKept, listStock, type StockRow } from '../offline/kept/reads.ts';
import type { Offline } from '../offline/offline.ts';
import type { Entry } from '../offline/outbox/records.ts';
import type { StoredKind } from '../offline/outbox/signal.ts';
import { useOnline, useStored } from '../offline/use-offline.ts';

export type StockLine = {
  key: string;
  productName: string;
  slotNumber: string | null;
  quantity: number;
  minimum: number;
};

const withOutbox: readonly StoredKind[] = ['download', 'outbox'];
const downloaded: readonly StoredKind[] = ['download'];
/** An answer was on its way for at most about this long: what the server took meanwhile may not be in it. */
const onTheWayMs = 10_000;

/**
 * The day's routes: the server's where it answers, else this phone's copy. What this phone has done and the rows do not
 * show yet lies on top of either.
 */
export function useRoutesOfDay(day: string) {
  const online = useOnline();
  const asked = useQuery({ ...queryFor(listScheduledRoutes, { query: { date: day } }), enabled: day !== '' });
  const kept = useStored(
    useCallback((offline: Offline) => readDriverDay(offline, day), [day]),
    withOutbox,
  );
  const fromPhone = !asked.data || !online;
  const hasCopy = Boolean(kept?.routes.length);
  useAskedAgain(asked, kept);
  const routes = useMemo(
    () => (fromPhone && kept && hasCopy ? routesAsLeft(kept) : askedRoutes(asked.data, asked.dataUpdatedAt, kept)),
    [fromPhone, hasCopy, kept, asked.data, asked.dataUpdatedAt],
  );
  return {
    routes,
    steps: kept?.steps ?? noSteps,
    /** Whether the phone's own copy was read yet: before that there are no steps to be seen. */
    isCopyRead: kept !== undefined,
    /** What this phone keeps of what to bring, by stop; on an office computer nothing. */
    picks: kept?.picks ?? noPicks,
    incidentNames: kept?.incidentNames ?? noNames,
    /** Said once the server was asked in vain: while it is being asked nothing is known of it. */
    fromPhone: fromPhone && hasCopy && !(online && asked.fetchStatus === 'fetching' && !asked.isError),
    /** The server's time of this phone's copy of the day: whoever goes down to a cellar knows that it is there. */
    keptAt: (hasCopy && kept?.asOf) || null,
    failed: asked.isError && !hasCopy ? asked.error : null,
    retry: () => void asked.refetch(),
  };
}

const noSteps: readonly Entry[] = [];
const noPicks: Picks = {};
const noNames: IncidentNames = {};

type Asked = { dataUpdatedAt: number; refetch: () => Promise<unknown> };

/** An own step that an answer may lack lies over what the office did since: once it can lack it no more, the server is asked again. */
function useAskedAgain({ dataUpdatedAt, refetch }: Asked, day: DriverDay | undefined): void {
  const isUnsure = day !== undefined && dataUpdatedAt > 0 && hasStepsSince(day.steps, asOf(dataUpdatedAt, day));
  useEffect(() => {
    // A later answer begins the wait anew.
    if (!isUnsure || dataUpdatedAt === 0) return;
    const timer = setTimeout(() => void refetch(), onTheWayMs);
    return () => clearTimeout(timer);
  }, [isUnsure, dataUpdatedAt, refetch]);
}

const asOf = (updatedAtMs: number, { clockOffsetMs }: DriverDay): string =>
  new Date(updatedAtMs + clockOffsetMs - onTheWayMs).toISOString();

function askedRoutes(routes: ScheduledRoute[] | undefined, updatedAtMs: number, day: DriverDay | undefined) {
  if (!routes || !day) return routes;
  return routesAsLeft({ ...day, routes, asOf: asOf(updatedAtMs, day) });
}

async function stockIfKept(offline: Offline, ref: LocationRef): Promise<StockRow[] | null> {
  const rows = await listStock(offline, ref);
  return rows.length > 0 || (await isKept(offline, ref)) ? rows : null;
}

/** Stock of a stop's location, from the server or from this phone. */
export function useStopStock(ref: LocationRef | null) {
  const online = useOnline();
  const query = { type: ref?.type ?? 'market', id: ref?.id ?? 1 } as const;
  const asked = useQuery({ ...queryFor(listLocationInventory, { query }), enabled: ref !== null });
  const kept = useStored(
    useCallback((offline: Offline) => (ref ? stockIfKept(offline, ref) : Promise.resolve(null)), [ref]),
    withOutbox,
  );
  const isOnPhone = kept !== null && kept !== undefined;
  // While the server is still asked, nothing is not yet an answer.
  const fromPhone = isOnPhone && (kept.length > 0 ? !online || !asked.data : !online || asked.isError);
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

/** Hours and notes of how to get in, from this phone. */
export function useAccess(ref: LocationRef) {
  const { type, id } = ref;
  return useStored(
    useCallback((offline: Offline) => readAccess(offline, { type, id }), [type, id]),
    downloaded,
  );
}

/** Who has finished the day, as the server knows. */
export function useDayEnds(day: string) {
  return useQuery({ ...queryFor(listDayEnds, { query: { date: day } }), enabled: day !== '' });
}
