import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { LocationRef } from '../../../domain/location.ts';
import { placeKey } from '../../offline/outbox/records.ts';
import { useOffline } from '../../offline/use-offline.ts';
import { readAhead } from '../stock/stock-ahead.ts';
import { useOwnScroll } from './use-own-scroll.ts';

const path = '/mobile-inventory';
const fromList = 'from-list';

/** Reads `?type=market&id=7`. Null for anything else: then the list shows. */
function parseLocation(search: string): LocationRef | null {
  const params = new URLSearchParams(search);
  const type = params.get('type');
  const id = Number(params.get('id'));
  if (type !== 'market' && type !== 'vending_machine') return null;
  return Number.isInteger(id) && id > 0 ? { type, id } : null;
}

/** Once what was just changed is on the screen. */
function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}

/** The location opened is in the address, so that the schedule can link to it and the phone's back button closes it. */
export function useOpenedLocation() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const cameFrom: unknown = useHistoryState();
  // Shown before the address says so: writing the address takes a slow phone as long as drawing the first slots.
  const [tapped, setTapped] = useState<LocationRef | null>(null);
  const { ahead, hold, expectNext, release, forget } = useDrawnAhead();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address says what is open from here on
  useEffect(() => {
    setTapped(null);
    forget();
  }, [search]);
  const shown = tapped ?? parseLocation(search);
  const key = shown && placeKey(shown);
  const { leaveList } = useOwnScroll(key);
  return {
    ahead,
    hold,
    expectNext,
    release,
    // One object as long as the location stays: rows are not drawn again for a new one of the same meaning.
    // biome-ignore lint/correctness/useExhaustiveDependencies: see above
    opened: useMemo(() => shown, [key]),
    open: (ref: LocationRef) => {
      leaveList();
      setTapped(ref);
      afterPaint(() => navigate(`${path}?type=${ref.type}&id=${ref.id}`, { state: fromList }));
    },
    /** Back by history when the list is behind, so that the phone's back button does not open the location again. */
    close: () => {
      if (cameFrom === fromList) window.history.back();
      else navigate(path);
    },
  };
}

/**
 * The location that is most likely opened next, drawn out of sight: the one a finger rests on, before that the next stop of the
 * day. A finger rests for about a tenth of a second; what was drawn by then only has to be shown when it is lifted.
 */
function useDrawnAhead() {
  const offline = useOffline();
  const wanted = useRef<LocationRef | null>(null);
  const isHeld = useRef(false);
  const [ahead, setAhead] = useState<LocationRef | null>(null);
  const draw = useCallback(
    (ref: LocationRef, show: (run: () => void) => void) => {
      wanted.current = ref;
      const isSame = (last: LocationRef | null) => last !== null && placeKey(last) === placeKey(ref);
      void readAhead(offline, [ref]).then(
        () => wanted.current === ref && show(() => setAhead((last) => (isSame(last) ? last : ref))),
      );
    },
    [offline],
  );
  const release = useCallback(() => {
    isHeld.current = false;
    wanted.current = null;
  }, []);
  return {
    ahead,
    hold: (ref: LocationRef) => {
      isHeld.current = true;
      draw(ref, (run) => run());
    },
    /** Nobody waits for it: the screen goes on answering meanwhile. */
    expectNext: useCallback(
      (ref: LocationRef) => {
        if (!isHeld.current) draw(ref, startTransition);
      },
      [draw],
    ),
    release,
    forget: useCallback(() => {
      release();
      setAhead(null);
    }, [release]),
  };
}
