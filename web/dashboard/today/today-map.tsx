import { useMemo } from 'react';
import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import { formatTime } from '../../http/format.ts';
import { toLatLng } from '../../http/parse.ts';
import { useIncidentsOnMap } from '../../incidents/use-incidents-on-map.tsx';
import { useAsMapPlaces, useMapPlaces } from '../../locations/find/use-map-places.ts';
import { LocationMap } from '../../map/location-map.tsx';
import type { MapDepot, MapPlace, MapRoute, MapVan, Series } from '../../map/map-data.ts';
import { useRoadRoutes } from '../../map/use-directions.ts';
import { namesOnMap } from './route-names.ts';
import { doneStops, shortName } from './route-progress.ts';

type Props = {
  routes: readonly ScheduledRoute[];
  series: ReadonlyMap<number, Series>;
  styleUrl: string | null;
};

const markets = { type: 'market' } as const;
const none: readonly never[] = [];

/** Today's routes and where each one is; without a route the markets. */
export function TodayMap({ routes, series, styleUrl }: Props) {
  const isFree = routes.length === 0;
  const onMap = useMapPlaces(markets, isFree);
  const marketPlaces = useAsMapPlaces(onMap.places);
  const traffic = useIncidentsOnMap();
  const places = useMemo((): MapPlace[] => {
    if (isFree) return marketPlaces;
    return routes.flatMap((route) => placesOf(route, series.get(route.id)));
  }, [routes, series, isFree, marketPlaces]);
  const straight = useMemo(() => {
    const names = namesOnMap(routes);
    return routes.map((route) => lineOf(route, names.get(route.id) ?? route.name, series.get(route.id) ?? 1));
  }, [routes, series]);
  const lines = useRoadRoutes(straight);
  const depots = useMemo(() => depotsOf(routes), [routes]);
  const vans = useMemo(() => routes.flatMap((route) => vanOf(route, series.get(route.id) ?? 1)), [routes, series]);
  return (
    <>
      <LocationMap
        label="Today's routes"
        places={places}
        groups={isFree ? onMap.groups : none}
        extent={isFree ? onMap.bounds : null}
        onView={onMap.onView}
        routes={lines}
        depots={depots}
        vans={vans}
        {...traffic.onMap}
        styleUrl={styleUrl}
        fitKey={routes.map((route) => route.id).join()}
      />
      {traffic.pressed}
    </>
  );
}

function placesOf(route: ScheduledRoute, series: Series | undefined): MapPlace[] {
  return route.stops.map((stop) => ({
    type: stop.locationType,
    id: stop.marketId ?? stop.vendingMachineId ?? 0,
    name: stop.locationName,
    address: stop.address,
    ...toLatLng(stop),
    series,
    number: stop.stopOrder,
    state: stop.completed ? 'done' : 'open',
  }));
}

function lineOf(route: ScheduledRoute, name: string, series: Series): MapRoute {
  const start = route.depot ? [toLatLng(route.depot)] : [];
  const done = doneStops(route);
  return {
    key: String(route.id),
    name,
    series,
    points: [...start, ...route.stops.map(toLatLng)],
    doneCount: done === 0 ? 0 : start.length + done,
    followsRoads: false,
  };
}

function depotsOf(routes: readonly ScheduledRoute[]): MapDepot[] {
  const depots = routes.flatMap(({ depot }) => (depot ? [{ name: depot.name, ...toLatLng(depot) }] : []));
  return [...new Map(depots.map((depot) => [depot.name, depot])).values()];
}

/** A route under way is where its last stop was done, else at its depot. */
function vanOf(route: ScheduledRoute, series: Series): MapVan[] {
  if (route.status !== 'in_progress') return [];
  const last = route.stops.findLast((stop: Stop) => stop.completed);
  const place = last ?? route.depot;
  if (!place) return [];
  const at = last ? last.actualArrival : route.startedAt;
  return [
    { key: String(route.id), series, label: shortName(route), detail: at ? formatTime(at) : '', ...toLatLng(place) },
  ];
}
