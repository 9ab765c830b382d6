import { useDeferredValue, useEffect, useSyncExternalStore } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import { whenIdle } from '../../http/when-idle.ts';
import { listStockOf, type StockRow } from '../../offline/kept/reads.ts';
import type { Offline } from '../../offline/offline.ts';
import { placeKey } from '../../offline/outbox/records.ts';
import type { StoredKind } from '../../offline/outbox/signal.ts';
import { useOffline } from '../../offline/use-offline.ts';

/** Rows read before they are asked for, so that a location opens with them in its first picture. */
type Ahead = { revision: number; rows: Map<string, StockRow[]> };

const kinds: readonly StoredKind[] = ['download', 'outbox'];
/** More than a day's route has; the others are read at the touch. */
const mostAhead = 30;

const kept = new WeakMap<Offline, Ahead>();

/** Rows of an older state of the phone are forgotten. */
function aheadOf(offline: Offline): Ahead {
  const revision = offline.signal.revision(kinds);
  const known = kept.get(offline);
  if (known?.revision === revision) return known;
  const fresh = { revision, rows: new Map() };
  kept.set(offline, fresh);
  return fresh;
}

/** The rows of a location as the phone has them now, if they were read. */
export function stockAhead(offline: Offline, ref: LocationRef): StockRow[] | undefined {
  return aheadOf(offline).rows.get(placeKey(ref));
}

/** Reads the rows of locations that may be opened next. */
export async function readAhead(offline: Offline, refs: readonly LocationRef[]): Promise<void> {
  const ahead = aheadOf(offline);
  const missing = refs.filter((ref) => !ahead.rows.has(placeKey(ref)));
  if (missing.length === 0) return;
  try {
    const lists = await listStockOf(offline, missing);
    for (const [i, ref] of missing.entries()) ahead.rows.set(placeKey(ref), lists[i] ?? []);
  } catch {
    // The location reads for itself when it is opened.
  }
}

type Listed = { ref: LocationRef; stop: number | null };

/**
 * Reads the first of the listed locations when the phone has nothing better to do, and again after each change; then names
 * the next stop of the day among them, which is to be drawn ahead.
 */
export function useStockAhead(listed: readonly Listed[], onExpect: (ref: LocationRef) => void): void {
  const offline = useOffline();
  const revision = useSyncExternalStore(offline.signal.subscribe, () => offline.signal.revision(kinds));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision is what makes it read again
  useEffect(
    () =>
      whenIdle(() => {
        const [next] = listed;
        void readAhead(
          offline,
          listed.slice(0, mostAhead).map(({ ref }) => ref),
        );
        if (next && next.stop !== null) onExpect(next.ref);
      }),
    [offline, listed, revision, onExpect],
  );
}

/** What a phone's screen shows of a list. */
const firstRows = 8;

/** A list as it opens: what is in sight is drawn at once, the rest right behind it. */
export function useFirstRows<Row>(rows: Row[]): Row[] {
  const isAll = useDeferredValue(true, false);
  return isAll ? rows : rows.slice(0, firstRows);
}
