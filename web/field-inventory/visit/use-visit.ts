import { useCallback, useEffect, useState } from 'react';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { isSettled } from '../../../domain/route-progress.ts';
import { changeVisit, openVisit } from '../../offline/day/visits.ts';
import type { Offline } from '../../offline/offline.ts';
import { getVisit } from '../../offline/outbox/drafts.ts';
import type { VisitDraft } from '../../offline/outbox/records.ts';
import type { StoredKind } from '../../offline/outbox/signal.ts';
import { useOffline, useStored } from '../../offline/use-offline.ts';
import { useRoutesToday } from '../use-field.ts';

const ofVisits: readonly StoredKind[] = ['visits'];
const minuteMs = 60_000;

/** The stop of today that a visit of this location belongs to: the first one not done or skipped yet. */
function stopOf(routes: readonly ScheduledRoute[], location: LocationRef) {
  for (const route of routes) {
    const stop = route.stops.find((one) => {
      const id = location.type === 'market' ? one.marketId : one.vendingMachineId;
      return id === location.id && !isSettled(one);
    });
    if (stop) return { routeId: route.id, stopId: stop.id };
  }
  return { routeId: null, stopId: null };
}

/** The visit of the location in hand: opened with it or resumed where one `begins`, else only what was left open. */
export function useVisit(userId: number, location: LocationRef, begins: boolean): VisitDraft | undefined {
  const offline = useOffline();
  const { type, id } = location;
  const routes = useRoutesToday();
  const isReady = routes !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a visit begins once, with the route as it stood then
  useEffect(() => {
    if (!routes || !begins) return;
    const start = { location: { type, id }, ...stopOf(routes, { type, id }) };
    // A phone without room says so by itself; the counts go on without a visit.
    openVisit(offline, start).catch(() => undefined);
  }, [offline, type, id, isReady, begins]);
  return useStored(
    useCallback((from: Offline) => getVisit(from.store, userId, { type, id }), [userId, type, id]),
    ofVisits,
  );
}

/** Whole minutes since an instant, running. */
export function useMinutesSince(instant: string): number {
  const { environment } = useOffline();
  const minutes = () => Math.max(0, Math.floor((environment.now() - Date.parse(instant)) / minuteMs));
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((last) => last + 1), minuteMs / 4);
    return () => clearInterval(timer);
  }, []);
  return minutes();
}

type TextField = 'bagNumber' | 'refunds';

/** A text of the visit: on the screen at once, on the phone right behind. */
export function useVisitText(visit: VisitDraft, visitId: string, field: TextField): [string, (text: string) => void] {
  const offline = useOffline();
  const [typed, setTyped] = useState<string | null>(null);
  const write = (text: string) => {
    setTyped(text);
    changeVisit(offline, visitId, { [field]: text }).catch(() => undefined);
  };
  return [typed ?? visit[field] ?? '', write];
}
