import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { FieldDay } from '../../contract/sync.ts';
import type { LocationRef } from '../../domain/location.ts';
import { listRoutesOfDay } from '../offline/day/driver-day.ts';
import { withJustSaved } from '../offline/day/overlay.ts';
import { keptAnswer } from '../offline/kept/answers-kept.ts';
import {
  countLowItems,
  countUnsentChanges,
  type KeptLocation,
  listAttention,
  listLocations,
  listOutbox,
  listStock,
  type StockRow,
} from '../offline/kept/reads.ts';
import type { Offline } from '../offline/offline.ts';
import { changeWords, getVisit } from '../offline/outbox/drafts.ts';
import { type Entry, itemKey } from '../offline/outbox/records.ts';
import type { StoredKind } from '../offline/outbox/signal.ts';
import { operatorDay, recallSession } from '../offline/session.ts';
import { useOffline, useStored } from '../offline/use-offline.ts';
import { fieldDayKey } from './api.ts';
import { DraftDesk, type Drafts } from './drafts/draft-desk.ts';
import { stockAhead } from './stock/stock-ahead.ts';

/** What the screen reads, all of it from the phone, and again only when what it depends on changes. */

const downloaded: readonly StoredKind[] = ['download'];
const withOutbox: readonly StoredKind[] = ['download', 'outbox'];
const ofVisits: readonly StoredKind[] = ['visits'];

export function useSession() {
  return useStored(recallSession, downloaded);
}

export function useLocations(): KeptLocation[] | undefined {
  return useStored(listLocations, downloaded);
}

function useStock(location: LocationRef): StockRow[] | undefined {
  const { type, id } = location;
  return useStored(
    useCallback((offline: Offline) => listStock(offline, { type, id }), [type, id]),
    withOutbox,
    useCallback((offline: Offline) => stockAhead(offline, { type, id }), [type, id]),
  );
}

/** The rows of a location, with what was saved a moment ago and is still being read back. */
export function useStockWithSaved(location: LocationRef, desk: DraftDesk): StockRow[] | undefined {
  const stored = useStock(location);
  const justSaved = useSyncExternalStore(desk.subscribe, desk.justSaved);
  useEffect(() => {
    if (stored) desk.readBack(stored);
  }, [stored, desk]);
  return useMemo(
    () => stored?.map((row) => (justSaved.get(itemKey(row)) ?? []).reduce(withJustSaved, row)),
    [stored, justSaved],
  );
}

export function useLowCount(): number | undefined {
  return useStored(countLowItems, withOutbox);
}

export function useOutbox(): Entry[] | undefined {
  return useStored(listOutbox, withOutbox);
}

export function useUnsentChanges(): number | undefined {
  return useStored(countUnsentChanges, withOutbox);
}

export function useAttention(): Entry[] | undefined {
  return useStored(listAttention, withOutbox);
}

/** Today's routes of the person, today being the operator's calendar day. */
export function useRoutesToday() {
  return useStored(
    useCallback(async (offline: Offline) => {
      const today = await operatorDay(offline, offline.environment.now());
      return today === null ? [] : listRoutesOfDay(offline, today);
    }, []),
    withOutbox,
  );
}

export function useFieldDay(): FieldDay | null | undefined {
  return useStored(
    useCallback(async (offline: Offline) => {
      const kept = await keptAnswer(offline, fieldDayKey);
      if (!kept) return null;
      // Yesterday's figures say nothing about a morning without a network.
      const [keptOn, today] = await Promise.all([
        operatorDay(offline, Date.parse(kept.keptAt)),
        operatorDay(offline, offline.environment.now()),
      ]);
      // Written by this feature's own api.ts, from the server's answer.
      return keptOn === today ? (kept.value as FieldDay) : null;
    }, []),
    downloaded,
  );
}

/** The unsaved changes of the person, and the desk that changes them. */
export function useDraftDesk(userId: number): { desk: DraftDesk; drafts: Drafts } {
  const offline = useOffline();
  const desk = useMemo(() => new DraftDesk(offline, userId), [offline, userId]);
  const drafts = useSyncExternalStore(desk.subscribe, desk.get);
  useEffect(() => {
    void desk.load().catch(() => undefined);
    return offline.signal.subscribe(desk.heard);
  }, [desk, offline]);
  return { desk, drafts };
}

/** The note of a visit: on the screen at once, on the phone right behind, back after a restart. */
export function useNote(userId: number, location: LocationRef): [string, (note: string) => void] {
  const offline = useOffline();
  const { type, id } = location;
  const read = useCallback((from: Offline) => getVisit(from.store, userId, { type, id }), [userId, type, id]);
  const kept = useStored(read, ofVisits);
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => {
    // Kept as typed: from here on the phone's own copy shows, which a scan may add to.
    if (kept?.note === typed) setTyped(null);
  }, [kept, typed]);
  const write = (note: string) => {
    setTyped(note);
    changeWords(offline.store, { userId, location: { type, id } }, () => ({ note })).then(
      () => offline.signal.changed(['visits']),
      // The store raises the NOT saved state itself; the text stays in the box.
      () => undefined,
    );
  };
  return [typed ?? kept?.note ?? '', write];
}

/** Adds a line to the note of a visit, which is then part of the next save. */
export async function addToNote(
  offline: Offline,
  { userId, location, line }: { userId: number; location: LocationRef; line: string },
): Promise<void> {
  await changeWords(offline.store, { userId, location }, ({ note }) => ({
    note: [note.trim(), line].filter(Boolean).join('\n').slice(0, 500),
  }));
  offline.signal.changed(['visits']);
}
