/// <reference path="./basemap/towns.d.ts" />
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { basemapFiles } from './basemap/load.ts';

/** Has the service worker keep all that the map is made of, before the first place without a network. */
export async function keepMap(): Promise<void> {
  await Promise.all([import('./map-view.tsx'), import('virtual:us-towns'), fetch(workerUrl)]);
  for (const url of basemapFiles) await fetch(url);
}
