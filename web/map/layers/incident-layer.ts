import type { Feature, FeatureCollection, Polygon } from 'geojson';
import type { ExpressionSpecification, GeoJSONSource, Map as MapLibreMap } from 'maplibre-gl';
import type { MapColours } from '../basemap/style.ts';
import type { MapIncident } from '../map-data.ts';

const source = 'incidents';
const fill = 'incidents-fill';
const rim = 'incidents-rim';
const corners = 64;
const kmPerDegree = 111.195;

/** The circles of incidents: a faint area and a rim in the colour of the severity. */
export function showIncidents(map: MapLibreMap, incidents: readonly MapIncident[], colours: MapColours): void {
  const data: FeatureCollection = { type: 'FeatureCollection', features: incidents.map(circleOf) };
  const known = map.getSource<GeoJSONSource>(source);
  if (known) {
    known.setData(data);
    return;
  }
  map.addSource(source, { type: 'geojson', data, tolerance: 0 });
  const colour = severityColours(colours);
  map.addLayer({ id: fill, type: 'fill', source, paint: { 'fill-color': colour, 'fill-opacity': 0.16 } });
  map.addLayer({ id: rim, type: 'line', source, paint: { 'line-color': colour, 'line-width': ['get', 'width'] } });
}

export function recolourIncidents(map: MapLibreMap, colours: MapColours): void {
  if (!map.getLayer(fill)) return;
  map.setPaintProperty(fill, 'fill-color', severityColours(colours));
  map.setPaintProperty(rim, 'line-color', severityColours(colours));
}

const rimWidth = { low: 1, medium: 1.5, high: 2, critical: 3 };

function circleOf({ lat, lng, radiusKm, severity }: MapIncident): Feature<Polygon> {
  const north = radiusKm / kmPerDegree;
  const east = north / Math.max(0.01, Math.cos((lat * Math.PI) / 180));
  const ring = Array.from({ length: corners + 1 }, (_, index) => {
    const angle = (index / corners) * 2 * Math.PI;
    return [lng + east * Math.cos(angle), lat + north * Math.sin(angle)];
  });
  return {
    type: 'Feature',
    properties: { severity, width: rimWidth[severity] },
    geometry: { type: 'Polygon', coordinates: [ring] },
  };
}

function severityColours(colours: MapColours): ExpressionSpecification {
  const [low, medium, bad] = [colours['--idle'], colours['--warn'], colours['--bad']];
  return ['match', ['get', 'severity'], 'low', low, 'medium', medium, bad];
}
