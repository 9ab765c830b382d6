import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { getStreetMap } from '../../../contract/roads.ts';
import { call } from '../../http/client.ts';
import type { Label } from './labels.ts';
import type { MapColours } from './style.ts';

const source = 'streets';

/** Streets and water of the map that the server built, over the built-in one; nothing where it built none. */
export async function addStreets(map: MapLibreMap, colours: () => MapColours, signal: AbortSignal): Promise<void> {
  const { tiles } = await call(getStreetMap, {});
  signal.throwIfAborted();
  if (!tiles || map.getSource(source)) return;
  map.addSource(source, {
    type: 'vector',
    // The map's worker needs the whole address.
    tiles: [`${window.location.origin}${tiles}`],
    minzoom: 6,
    maxzoom: 14,
    attribution: '© OpenStreetMap contributors',
  });
  const above = map.getStyle().layers.find(({ id }) => id.startsWith('incident') || id.startsWith('routes'))?.id;
  for (const layer of streetLayers(colours())) map.addLayer(layer, above);
}

/** The layers in the colours of now, for drawing and for another theme. */
export function streetLayers(colours: MapColours): LayerSpecification[] {
  const water = colours['--map-water'];
  return [
    {
      id: 'street-lakes',
      type: 'fill',
      source,
      'source-layer': 'water',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': water },
    },
    {
      id: 'street-rivers',
      type: 'line',
      source,
      'source-layer': 'water',
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': water, 'line-width': 2 },
    },
    {
      id: 'street-minor',
      type: 'line',
      source,
      'source-layer': 'streets',
      filter: ['!', ['get', 'major']],
      paint: { 'line-color': colours['--map-road'], 'line-width': widths(1) },
    },
    {
      id: 'street-major',
      type: 'line',
      source,
      'source-layer': 'streets',
      filter: ['get', 'major'],
      paint: { 'line-color': colours['--map-major'], 'line-width': widths(2) },
    },
  ];
}

function widths(at12: number): ['interpolate', ['linear'], ['zoom'], ...number[]] {
  return ['interpolate', ['linear'], ['zoom'], 8, at12 / 2, 12, at12, 17, at12 * 5];
}

/** Names of streets in view, larger streets first; the map writes those that fit. */
export function streetNames(map: MapLibreMap): Label[] {
  if (!map.getSource(source) || map.getZoom() < 13) return [];
  return map.querySourceFeatures(source, { sourceLayer: 'names' }).flatMap(({ geometry, properties }) => {
    if (geometry.type !== 'Point') return [];
    const [lng = 0, lat = 0] = geometry.coordinates;
    const label = { text: String(properties.name), lat, lng, minZoom: Number(properties.zoom), maxZoom: 24 };
    return [{ ...label, rank: 3e9 + Number(properties.rank), kind: 'place' as const }];
  });
}
