import { useEffect, useMemo, useRef } from 'react';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import { isSettled } from '../../../domain/route-progress.ts';
import { useSession } from '../../auth/api.ts';
import { toLatLng } from '../../http/parse.ts';
import { LocationMap } from '../../map/location-map.tsx';
import type { MapPlace, MapRoute } from '../../map/map-data.ts';
import { useRoadRoutes } from '../../map/use-directions.ts';
import { useOffline } from '../../offline/use-offline.ts';
import { keptWay, pointsOf } from './kept-ways.ts';

const heightPx = 320;

/** The stops of a route on the map, from the phone's own copy: it is there without a network. */
export function RouteMap({ route, onSelect }: { route: ScheduledRoute; onSelect: (stopId: number) => void }) {
  const { map } = useSession();
  const offline = useOffline();
  const frame = useRef<HTMLDivElement>(null);
  // Opened by a tap further up: on a phone it would lie below the edge.
  useEffect(() => {
    frame.current?.scrollIntoView({ block: 'center' });
  }, []);
  const places = useMemo(() => placesOf(route), [route]);
  const straight = useMemo(() => [lineOf(route)], [route]);
  const lines = useRoadRoutes(straight, (key, through) => keptWay(offline, Number(key), through));
  const depots = route.depot ? [{ name: route.depot.name, ...toLatLng(route.depot) }] : [];
  return (
    <div ref={frame} className="border-line border-b" style={{ height: heightPx }}>
      <LocationMap
        label={`Map of ${route.name}`}
        places={places}
        routes={lines}
        depots={depots}
        styleUrl={map.styleUrl}
        fitKey={String(route.id)}
        minHeight={heightPx}
        onSelect={(ref) => {
          const stop = route.stops.find((one) => idOf(one) === ref.id && one.locationType === ref.type);
          if (stop) onSelect(stop.id);
        }}
      />
    </div>
  );
}

type Stop = ScheduledRoute['stops'][number];
const idOf = (stop: Stop): number => stop.marketId ?? stop.vendingMachineId ?? 0;

function placesOf(route: ScheduledRoute): MapPlace[] {
  return route.stops.map((stop) => ({
    type: stop.locationType,
    id: idOf(stop),
    name: stop.locationName,
    address: stop.address,
    ...toLatLng(stop),
    series: 1,
    number: stop.stopOrder,
    state: isSettled(stop) ? 'done' : 'open',
  }));
}

function lineOf(route: ScheduledRoute): MapRoute {
  const open = route.stops.findIndex((stop) => !isSettled(stop));
  const done = open === -1 ? route.stops.length : open;
  return {
    key: String(route.id),
    name: route.name,
    series: 1,
    points: pointsOf(route),
    doneCount: done === 0 ? 0 : (route.depot ? 1 : 0) + done,
    followsRoads: false,
  };
}
