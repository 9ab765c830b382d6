import { useCallback, useRef } from 'react';
import type { Position } from '../offline/outbox.ts';

/** How old a fix may be, and how long to look for one. A basement has none, and a save never waits for it. */
const fixOptions: PositionOptions = { enableHighAccuracy: false, maximumAge: 5 * 60_000, timeout: 20_000 };

/** Where the phone last was, without waiting; looks again behind it. The person may refuse, then it stays unknown. */
export function usePosition(): () => Position | null {
  const last = useRef<Position | null>(null);
  return useCallback(() => {
    navigator.geolocation?.getCurrentPosition(
      ({ coords }) => {
        last.current = { latitude: coords.latitude, longitude: coords.longitude };
      },
      () => undefined,
      fixOptions,
    );
    return last.current;
  }, []);
}
