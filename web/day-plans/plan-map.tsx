import { useMemo } from 'react';
import type { DayPlan } from '../../contract/day-plans.ts';
import type { Point } from '../../domain/place.ts';
import { useSession } from '../auth/api.ts';
import { toLatLng } from '../http/parse.ts';
import { LocationMap } from '../map/location-map.tsx';
import { type MapDepot, type MapPlace, type MapRoute, mapZoom, type Series } from '../map/map-data.ts';
import { useRoadRoutes, useSearchedRoutes } from '../map/use-directions.ts';

const seriesCount = 5;
const noRoutes: readonly MapRoute[] = [];

/** The colour of a driver's route, the same in the columns and on the map. */
export function seriesOfRoute(index: number): Series {
  return ((index % seriesCount) + 1) as Series;
}

/** Every route of the plan in its colour, with the stops numbered. */
export function PlanMap({ plan }: { plan: DayPlan }) {
  const { map } = useSession();
  const content = useMemo(() => contentOf(plan), [plan]);
  const isSearching = plan.status === 'solving';
  const searched = useSearchedRoutes(content.routes);
  const routes = useRoadRoutes(isSearching ? noRoutes : content.routes);
  return (
    <div className="overflow-hidden rounded border border-line">
      <LocationMap
        label="Map of the planned routes"
        {...content}
        routes={isSearching ? searched : routes}
        fitKey={plan.id}
        maxZoom={mapZoom.several}
        styleUrl={map.styleUrl}
        minHeight={320}
      />
    </div>
  );
}

function contentOf(plan: DayPlan): { places: MapPlace[]; routes: MapRoute[]; depots: MapDepot[] } {
  const places = plan.routes.flatMap((route, index) =>
    route.stops.map(
      (stop, at): MapPlace => ({
        type: stop.type,
        id: stop.id,
        ...toLatLng(stop),
        name: stop.name,
        address: stop.address,
        series: seriesOfRoute(index),
        number: at + 1,
      }),
    ),
  );
  const leftOut = plan.unassigned.map(
    (place): MapPlace => ({
      type: place.type,
      id: place.id,
      ...toLatLng(place),
      name: place.name,
      address: place.address,
    }),
  );
  const routes = plan.routes.flatMap((route, index): MapRoute[] => {
    if (route.stops.length === 0) return [];
    const depot = toLatLng(route.depot);
    const points: Point[] = [depot, ...route.stops.map(toLatLng), depot];
    const name = route.driverName ?? `Route ${index + 1}`;
    return [{ key: `route-${index}`, name, series: seriesOfRoute(index), points, doneCount: 0, followsRoads: false }];
  });
  const depots = new Map(plan.routes.map(({ depot }) => [depot.name, { name: depot.name, ...toLatLng(depot) }]));
  return { places: [...places, ...leftOut], routes, depots: [...depots.values()] };
}
