import { useCallback, useEffect, useRef } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import type { Position } from '../../offline/outbox/outbox.ts';

/** How old a fix may be, and how long to look for one. A basement has none, and a save never waits for it. */
const fixOptions: PositionOptions = { enableHighAccuracy: false, maximumAge: 5 * 60_000, timeout: 20_000 };

/** About 100 m: enough to say 'was there', too little for a track. More never leaves the phone. */
const rounded = (degrees: number): number => Math.round(degrees * 1000) / 1000;

/**
 * Where the phone last was, without waiting; looks again behind it. The person may refuse, then it stays unknown. Who
 * has agreed before is not asked: the phone looks as soon as a location is opened, so that the first save knows it.
 */
export function usePosition(opened: LocationRef | null): () => Position | null {
  const last = useRef<Position | null>(null);
  const look = useCallback(() => {
    navigator.geolocation?.getCurrentPosition(
      ({ coords }) => {
        last.current = { latitude: rounded(coords.latitude), longitude: rounded(coords.longitude) };
      },
      () => undefined,
      fixOptions,
    );
  }, []);
  useEffect(() => {
    if (!opened) return;
    // Where the last location was says nothing of this one.
    last.current = null;
    navigator.permissions?.query({ name: 'geolocation' }).then(
      ({ state }) => state === 'granted' && look(),
      () => undefined,
    );
  }, [opened, look]);
  return useCallback(() => {
    look();
    return last.current;
  }, [look]);
}
