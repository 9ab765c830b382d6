import { useEffect } from 'react';
import { getStreetMap } from '../../contract/roads.ts';
import type { ScheduledRoute } from '../../contract/routes.ts';
import { call } from '../http/client.ts';
import { toLatLng } from '../http/parse.ts';
import { takenOver } from '../http/taken-over.ts';
import { whenIdle } from '../http/when-idle.ts';
import { useOffline } from '../offline/use-offline.ts';

/** Not in the DOM types: a person who pays for each megabyte has said so in the browser. */
type Connected = Navigator & { connection?: { saveData?: boolean } };

/** Keeps the map, the ways of the day's routes and the streets around their stops on a driver's phone, while there is a network. */
export function useKeptStreets(routes: readonly ScheduledRoute[] | undefined, isDriver: boolean): void {
  const offline = useOffline();
  const places = routes?.flatMap((route) =>
    route.stops.map(({ latitude, longitude, incidents }) => `${latitude},${longitude} ${incidents?.join() ?? ''}`),
  );
  const key = isDriver && places ? places.join(';') : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the places and what is met on the way count, not each copy of the routes
  useEffect(() => {
    const phone: Connected = navigator;
    if (key === '' || !phone.serviceWorker || phone.connection?.saveData) return;
    let isWanted = true;
    const stop = whenIdle(() => void keep().catch(() => undefined));
    const keep = async (): Promise<void> => {
      await takenOver(phone.serviceWorker);
      if (!isWanted) return;
      const [{ keepMap }, { keepWays }, { keepStreets }] = await Promise.all([
        import('../map/kept-map.ts'),
        import('./route/kept-ways.ts'),
        import('../map/day-streets.ts'),
      ]);
      const isStillWanted = (): boolean => isWanted && offline.online.isOnline();
      await keepMap();
      // A way that cannot be had is no reason to go without the streets.
      await keepWays(offline, routes ?? [], isStillWanted).catch(() => undefined);
      await keepStreets(
        (routes ?? []).flatMap((route) => route.stops.map(toLatLng)),
        {
          findTiles: async () => (await call(getStreetMap, {})).tiles,
          fetch: (url) => fetch(url),
          isWanted: isStillWanted,
        },
      );
    };
    return () => {
      isWanted = false;
      stop();
    };
  }, [key, offline]);
}
