/// <reference path="./towns.d.ts" />
import type { FeatureCollection } from 'geojson';
import { feature, mesh } from 'topojson-client';
import countiesUrl from 'us-atlas/counties-10m.json?url';
import statesUrl from 'us-atlas/states-10m.json?url';
import worldUrl from 'world-atlas/countries-50m.json?url';
import { type Label, townLabels } from './labels.ts';
import type { BasemapSource } from './style.ts';

/** The files of the built-in map, in the order a person needs them. */
export const basemapFiles: readonly string[] = [statesUrl, countiesUrl, worldUrl];

/** What arrives of the built-in map: data of one source, or names to write. */
export type Arrival = { source: BasemapSource; data: FeatureCollection } | { labels: Label[] };

/** A file of shapes that share their borders. */
type MapFile = Parameters<typeof mesh>[0] & { objects: Record<string, Layer> };
type Layer = Extract<Parameters<typeof mesh>[1], { type: 'GeometryCollection' }>;

const unitedStates = '840';

/** Loads the built-in map in the order a person needs it and hands over each piece as it comes. */
export async function loadBasemap(arrived: (piece: Arrival) => void, signal: AbortSignal): Promise<void> {
  const states = await topology(statesUrl, signal);
  const shapes = shapesOf(states, 'states');
  arrived({ source: 'states', data: shapes });
  arrived({ source: 'state-lines', data: linesOf(states, 'states') });
  const { towns } = await import('virtual:us-towns');
  signal.throwIfAborted();
  arrived({ labels: [...townLabels(towns), ...areaLabels(shapes, { kind: 'state', minZoom: 3.6, maxZoom: 6.5 })] });

  await whenIdle(signal);
  const counties = await topology(countiesUrl, signal);
  arrived({ source: 'county-lines', data: linesOf(counties, 'counties') });
  arrived({ labels: areaLabels(shapesOf(counties, 'counties'), { kind: 'county', minZoom: 9, maxZoom: 13 }) });

  await whenIdle(signal);
  const world = shapesOf(await topology(worldUrl, signal), 'countries');
  const abroad = world.features.filter((country) => country.id !== unitedStates);
  arrived({ source: 'world', data: { type: 'FeatureCollection', features: abroad } });
}

async function topology(url: string, signal: AbortSignal): Promise<MapFile> {
  const reply = await fetch(url, { signal });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
  return (await reply.json()) as MapFile;
}

function layer(topo: MapFile, name: string): Layer {
  const object = topo.objects[name];
  if (!object) throw new Error(`the map file has no layer ${name}`);
  return object;
}

function shapesOf(topo: MapFile, name: string): FeatureCollection {
  return feature(topo, layer(topo, name));
}

function linesOf(topo: MapFile, name: string): FeatureCollection {
  const geometry = mesh(topo, layer(topo, name), (a, b) => a !== b);
  return { type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry }] };
}

type AreaClass = { kind: Label['kind']; minZoom: number; maxZoom: number };

/** Areas are written in the middle of their largest part; larger areas first. */
function areaLabels(areas: FeatureCollection, size: AreaClass): Label[] {
  return areas.features.flatMap((area) => {
    const text: unknown = area.properties?.name;
    const middle = middleOf(area.geometry);
    if (typeof text !== 'string' || !middle) return [];
    const rank = size.kind === 'state' ? 0 : 2e9 - middle.extent;
    return [{ ...size, text, lat: middle.lat, lng: middle.lng, rank }];
  });
}

function middleOf(geometry: FeatureCollection['features'][number]['geometry']) {
  let best: { lat: number; lng: number; extent: number } | null = null;
  for (const ring of outerRings(geometry)) {
    const lngs = ring.map(([lng = 0]) => lng);
    const lats = ring.map(([, lat = 0]) => lat);
    const [west, east] = [Math.min(...lngs), Math.max(...lngs)];
    const [south, north] = [Math.min(...lats), Math.max(...lats)];
    const extent = (east - west) * (north - south);
    if (!best || extent > best.extent) best = { lat: (south + north) / 2, lng: (west + east) / 2, extent };
  }
  return best;
}

function outerRings(geometry: FeatureCollection['features'][number]['geometry']): number[][][] {
  if (geometry.type === 'Polygon') return geometry.coordinates.slice(0, 1);
  if (geometry.type === 'MultiPolygon') return geometry.coordinates.flatMap((part) => part.slice(0, 1));
  return [];
}

/** Waits until the browser has nothing better to do, so that the later files never delay a first look. */
function whenIdle(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((done) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => done(), { timeout: 2000 });
    else setTimeout(done, 200);
  });
}
