import type { FeatureCollection } from 'geojson';
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { readColours } from './theme.ts';

const tokens = [
  '--map-land',
  '--map-water',
  '--map-green',
  '--map-road',
  '--map-major',
  '--map-label',
  '--line-ctl',
  '--accent',
  '--series-1',
  '--series-2',
  '--series-3',
  '--series-4',
  '--series-5',
  '--warn',
  '--bad',
  '--idle',
] as const;
export type MapColours = Record<(typeof tokens)[number], string>;

export function mapColours(within: HTMLElement): MapColours {
  return readColours(within, tokens);
}

const nothing: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** The sources of the built-in map; they are filled as their files arrive, most needed first. */
const basemapSources = ['world', 'states', 'state-lines', 'county-lines'] as const;
export type BasemapSource = (typeof basemapSources)[number];

/** The built-in map: no address in it points anywhere, and no glyphs are used. */
export function basemapStyle(colours: MapColours): StyleSpecification {
  return {
    version: 8,
    // Light and dark change at once, as all around the map; the engine would fade for longer than anything else moves.
    transition: { duration: 0 },
    sources: Object.fromEntries(
      basemapSources.map((name) => [name, { type: 'geojson', data: nothing, tolerance: 0.2 }]),
    ),
    layers: basemapLayers(colours),
  };
}

function basemapLayers(colours: MapColours): LayerSpecification[] {
  const land = colours['--map-land'];
  return [
    { id: 'water', type: 'background', paint: { 'background-color': colours['--map-water'] } },
    { id: 'world', type: 'fill', source: 'world', paint: { 'fill-color': land } },
    {
      id: 'world-lines',
      type: 'line',
      source: 'world',
      paint: { 'line-color': colours['--map-major'], 'line-width': 1 },
    },
    { id: 'states', type: 'fill', source: 'states', paint: { 'fill-color': land } },
    {
      id: 'county-lines',
      type: 'line',
      source: 'county-lines',
      minzoom: 6.5,
      paint: { 'line-color': colours['--map-major'], 'line-width': 1, 'line-opacity': fadeIn(6.5, 8) },
    },
    {
      id: 'state-lines',
      type: 'line',
      source: 'state-lines',
      paint: {
        'line-color': colours['--line-ctl'],
        'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.6, 8, 1.2],
        'line-dasharray': [4, 2],
      },
    },
  ];
}

function fadeIn(from: number, to: number): ['interpolate', ['linear'], ['zoom'], number, number, number, number] {
  return ['interpolate', ['linear'], ['zoom'], from, 0, to, 1];
}
