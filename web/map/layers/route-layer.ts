import type { Feature, FeatureCollection, LineString } from 'geojson';
import type { FilterSpecification, GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import type { MapColours } from '../basemap/style.ts';
import type { MapRoute } from '../map-data.ts';

const source = 'routes';
const layers = [
  { id: 'routes-rest', done: false, roads: true },
  { id: 'routes-rest-straight', done: false, roads: false },
  { id: 'routes-done', done: true, roads: true },
  { id: 'routes-done-straight', done: true, roads: false },
] as const;

/** Lines of routes: what is driven full, the rest faint once driving began; straight lines dashed. */
export function showRoutes(map: MapLibreMap, routes: readonly MapRoute[], colours: MapColours): void {
  const data: FeatureCollection = { type: 'FeatureCollection', features: routes.flatMap(routeFeatures) };
  const known = map.getSource<GeoJSONSource>(source);
  if (known) {
    known.setData(data);
    return;
  }
  map.addSource(source, { type: 'geojson', data, tolerance: 0 });
  for (const layer of layers) map.addLayer(lineLayer(layer, colours));
}

export function recolourRoutes(map: MapLibreMap, colours: MapColours): void {
  for (const { id } of layers) {
    if (map.getLayer(id)) map.setPaintProperty(id, 'line-color', seriesColours(colours));
  }
}

/** A route is two lines that meet at the last point passed. */
function routeFeatures(route: MapRoute): Feature<LineString>[] {
  const points = route.points.map(({ lat, lng }) => [lng, lat]);
  const passed = Math.max(0, Math.min(route.doneCount, points.length));
  const begun = passed > 0;
  const parts = [
    { done: true, coordinates: points.slice(0, passed) },
    { done: false, coordinates: points.slice(Math.max(0, passed - 1)) },
  ];
  return parts
    .filter(({ coordinates }) => coordinates.length > 1)
    .map(({ done, coordinates }) => ({
      type: 'Feature',
      properties: { series: route.series, done, roads: route.followsRoads, opacity: begun && !done ? 0.45 : 1 },
      geometry: { type: 'LineString', coordinates },
    }));
}

function lineLayer({ id, done, roads }: (typeof layers)[number], colours: MapColours): LayerSpecification {
  const filter: FilterSpecification = ['all', ['==', ['get', 'done'], done], ['==', ['get', 'roads'], roads]];
  return {
    id,
    type: 'line',
    source,
    filter,
    layout: { 'line-join': 'round', 'line-cap': roads ? 'round' : 'butt' },
    paint: {
      'line-color': seriesColours(colours),
      'line-width': 3,
      'line-opacity': ['get', 'opacity'],
      ...(roads ? {} : { 'line-dasharray': [2, 1.4] }),
    },
  };
}

function seriesColours(
  colours: MapColours,
): NonNullable<Extract<LayerSpecification, { type: 'line' }>['paint']>['line-color'] {
  return [
    'match',
    ['get', 'series'],
    2,
    colours['--series-2'],
    3,
    colours['--series-3'],
    4,
    colours['--series-4'],
    5,
    colours['--series-5'],
    colours['--series-1'],
  ];
}
