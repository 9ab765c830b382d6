import { useMemo } from 'react';
import type { ScheduledRoute, Stop } from '../../contract/routes.ts';
import { closeVisit, type ProgressStep, recordProgress, saveLocation } from '../offline/actions.ts';
import { type OpenWork, readOpenWork } from '../offline/day/driver-day.ts';
import type { Offline } from '../offline/offline.ts';
import { useOffline } from '../offline/use-offline.ts';
import { toast } from '../ui/toasts/toast.ts';
import { stopRef } from './stop/stop-ref.ts';
import { routeKey, setUndo, stopKey, type Undo } from './undo.ts';

const notKept = {
  title: 'NOT saved',
  description: 'This device could not keep that. Free some space, then try again.',
  variant: 'destructive',
} as const;

type Said = { title: string; name: string; steps: ProgressStep[]; key: string; back: Undo | null };

/** Keeps steps on the phone and offers to take them back; false when the phone could not keep them. */
async function say(offline: Offline, { title, name, steps, key, back }: Said): Promise<boolean> {
  try {
    await recordProgress(offline, { steps, placeName: name });
  } catch {
    toast(notKept);
    return false;
  }
  setUndo(key, back);
  const undo = back ? { action: { label: 'Undo', run: () => void takeBack(offline, key, back) } } : {};
  toast({ title, description: name, ...undo });
  return true;
}

async function takeBack(offline: Offline, key: string, undo: Undo): Promise<void> {
  try {
    await recordProgress(offline, { steps: undo.steps, placeName: undo.placeName });
    setUndo(key, null);
    toast({ title: 'Taken back', description: undo.placeName });
  } catch {
    toast(notKept);
  }
}

/** The steps of a driver's day. Each is on the phone when it resolves; sending is not waited for. */
export function useSteps() {
  const offline = useOffline();
  return useMemo(
    () => ({
      startRoute: (route: ScheduledRoute) => startRoute(offline, route),
      completeRoute: (route: ScheduledRoute, skipped: { stop: Stop; reason: string }[]) =>
        completeRoute(offline, route, skipped),
      arrive: (stop: Stop) => arrive(offline, stop),
      complete: (stop: Stop, work: OpenWork) => complete(offline, stop, work),
      skip: (stop: Stop, reason: string) => skip(offline, stop, reason),
      reopen: (stop: Stop) => reopen(offline, stop),
      takeBack: (key: string, undo: Undo) => takeBack(offline, key, undo),
      openWork: (stop: Stop) => readOpenWork(offline, stopRef(stop)),
    }),
    [offline],
  );
}

function startRoute(offline: Offline, { id, name }: ScheduledRoute): Promise<boolean> {
  const back = { label: 'Undo start', placeName: name, steps: [{ type: 'start-undone' as const, routeId: id }] };
  const steps: ProgressStep[] = [{ type: 'route-started', routeId: id }];
  return say(offline, { title: 'Route Started', name, steps, key: routeKey(id), back });
}

/** Cannot be taken back: each stop left out has its reason by now. */
async function completeRoute(offline: Offline, route: ScheduledRoute, skipped: { stop: Stop; reason: string }[]) {
  const { id, name } = route;
  const steps: ProgressStep[] = [
    ...skipped.map(({ stop, reason }) => ({
      type: 'stop-skipped' as const,
      routeId: id,
      stopId: stop.id,
      reason,
    })),
    { type: 'route-completed', routeId: id },
  ];
  const isKept = await say(offline, { title: 'Route Completed', name, steps, key: routeKey(id), back: null });
  if (isKept) for (const { id: stopId } of route.stops) setUndo(stopKey(stopId), null);
  return isKept;
}

function sayAtStop(
  offline: Offline,
  stop: Stop,
  said: Pick<Said, 'title' | 'steps'> & { label: string; back: ProgressStep[] },
) {
  const { title, steps, label, back } = said;
  const name = stop.locationName;
  // Once something was done the start of the route stands.
  setUndo(routeKey(stop.routeId), null);
  const undo = { label, placeName: name, steps: back };
  return say(offline, { title, name, steps, key: stopKey(stop.id), back: undo });
}

const placeOf = (stop: Stop) => ({ routeId: stop.routeId, stopId: stop.id });

function arrive(offline: Offline, stop: Stop): Promise<boolean> {
  const at = placeOf(stop);
  return sayAtStop(offline, stop, {
    title: 'Arrived',
    label: 'Undo arrival',
    steps: [{ type: 'stop-arrived', ...at }],
    back: [{ type: 'arrival-undone', ...at }],
  });
}

/** Saves what is still a draft there, ends the visit, then completes the stop. */
async function complete(offline: Offline, stop: Stop, work: OpenWork): Promise<boolean> {
  try {
    if (work.drafts > 0) await saveLocation(offline, { location: stopRef(stop), position: null });
    if (work.visitId) await closeVisit(offline, work.visitId);
  } catch {
    toast(notKept);
    return false;
  }
  const at = placeOf(stop);
  const arrival: ProgressStep[] = stop.actualArrival === null ? [{ type: 'arrival-undone', ...at }] : [];
  return sayAtStop(offline, stop, {
    title: 'Stop Completed',
    label: 'Undo completion',
    steps: [{ type: 'stop-completed', ...at }],
    back: [{ type: 'stop-reopened', ...at }, ...arrival],
  });
}

function skip(offline: Offline, stop: Stop, reason: string): Promise<boolean> {
  const at = placeOf(stop);
  return sayAtStop(offline, stop, {
    title: 'Stop Skipped',
    label: 'Undo skip',
    steps: [{ type: 'stop-skipped', ...at, reason }],
    back: [{ type: 'stop-reopened', ...at }],
  });
}

function reopen(offline: Offline, stop: Stop): Promise<boolean> {
  const at = placeOf(stop);
  return sayAtStop(offline, stop, {
    title: 'Stop opened again',
    label: 'Skip it again',
    steps: [{ type: 'stop-reopened', ...at }],
    back: stop.skippedReason === null ? [] : [{ type: 'stop-skipped', ...at, reason: stop.skippedReason }],
  });
}
