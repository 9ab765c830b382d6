import { useEffect, useState } from 'react';
import type { Point } from '../../domain/location.ts';
import { logged } from './logged.ts';

/** Where the person is, from the browser; null while unknown or refused. A refusal is only logged. */
export function useOwnPosition(): Point | null {
  const [position, setPosition] = useState<Point | null>(null);
  useEffect(() => {
    // Some browsers without the feature leave it out, others have it as null.
    const { geolocation }: { geolocation?: Geolocation | null } = navigator;
    if (!geolocation) return;
    const watch = geolocation.watchPosition(
      ({ coords }) => setPosition({ lat: coords.latitude, lng: coords.longitude }),
      (refusal) => logged('Your position is not known', refusal.message),
      { maximumAge: 60_000, timeout: 15_000 },
    );
    return () => geolocation.clearWatch(watch);
  }, []);
  return position;
}
