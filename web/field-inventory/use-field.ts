import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { FieldDay } from '../../contract/sync.ts';
import type { LocationRef } from '../../domain/location.ts';
import { dayIn } from '../../domain/time.ts';
import { keptAnswer } from '../offline/answers-kept.ts';
import { getVisit, putVisit } from '../offline/drafts.ts';
import type { Offline } from '../offline/offline.ts';
import {
  countLowItems,
  type KeptLocation,
  listLocations,
  listOutbox,
  listRoutesOfDay,
  listStock,
  type StockRow,
} from '../offline/reads.ts';
import type { Entry } from '../offline/records.ts';
import { recallSession } from '../offline/session.ts';
import { useOffline, useStored } from '../offline/use-offline.ts';
import { fieldDayKey } from './api.ts';
import { DraftDesk, type Drafts } from './draft-desk.ts';

/** What the screen reads, all of it from the phone. */

export function useSession() {
  return useStored(recallSession);
}

export function useLocations(): KeptLocation[] | undefined {
  return useStored(listLocations);
}

export function useStock(location: LocationRef): StockRow[] | undefined {
  const { type, id } = location;
  return useStored(useCallback((offline: Offline) => listStock(offline, { type, id }), [type, id]));
}

export function useLowCount(): number | undefined {
  return useStored(countLowItems);
}

export function useOutbox(): Entry[] | undefined {
  return useStored(listOutbox);
}

/** Today's routes of the person, today being the operator's calendar day. */
export function useRoutesToday() {
  return useStored(
    useCallback(async (offline: Offline) => {
      const session = await recallSession(offline);
      if (!session) return [];
      return listRoutesOfDay(offline, dayIn(session.operator.timeZone, new Date(offline.environment.now())));
    }, []),
  );
}

export function useFieldDay(): FieldDay | null | undefined {
  return useStored(
    useCallback(async (offline: Offline) => {
      const kept = await keptAnswer(offline, fieldDayKey);
      // Written by this feature's own api.ts, from the server's answer.
      return kept ? (kept.value as FieldDay) : null;
    }, []),
  );
}

/** The unsaved changes of the person, and the desk that changes them. */
export function useDraftDesk(userId: number): { desk: DraftDesk; drafts: Drafts } {
  const offline = useOffline();
  const desk = useMemo(() => new DraftDesk(offline, userId), [offline, userId]);
  const drafts = useSyncExternalStore(desk.subscribe, desk.get);
  useEffect(() => {
    const load = () => void desk.load().catch(() => undefined);
    load();
    return offline.signal.subscribe(load);
  }, [desk, offline]);
  return { desk, drafts };
}

/** The note of a visit: on the screen at once, on the phone right behind, back after a restart. */
export function useNote(userId: number, location: LocationRef): [string, (note: string) => void] {
  const offline = useOffline();
  const { type, id } = location;
  const read = useCallback((from: Offline) => getVisit(from.store, userId, { type, id }), [userId, type, id]);
  const kept = useStored(read);
  const [typed, setTyped] = useState<string | null>(null);
  const write = (note: string) => {
    setTyped(note);
    const visit = kept ?? { userId, locationKey: `${type}:${id}`, photoIds: [] };
    putVisit(offline.store, { ...visit, note }).then(
      () => offline.signal.changed(),
      // The store raises the NOT saved state itself; the text stays in the box.
      () => undefined,
    );
  };
  return [typed ?? kept?.note ?? '', write];
}
