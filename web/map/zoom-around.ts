import type { Point } from '../../domain/location.ts';
import type { MapBox } from './map-data.ts';

type Aim = { center: Point; zoom: number; around?: MapBox | undefined };
type Size = { width: number; height: number };

/** The map shows the whole world from here on. */
export const leastZoom = 2;
/** What marks at the edge and the buttons there take. */
const edgePx = 56;
/** Pixels around the world at zoom 0. */
const worldPx = 512;

/** The zoom that is wished for, or as much less as it takes to have everything in view around the same centre. */
export function zoomAround({ center, zoom, around }: Aim, { width, height }: Size): number {
  if (!around) return zoom;
  const across = Math.max(center.lng - around.west, around.east - center.lng) / 360;
  const up = Math.max(upOf(around.north) - upOf(center.lat), upOf(center.lat) - upOf(around.south));
  return Math.max(leastZoom, Math.min(zoom, zoomFor(across, width), zoomFor(up, height)));
}

/** At which a part of the world takes the room from the centre to the edge. */
function zoomFor(part: number, px: number): number {
  return Math.log2(Math.max(1, px / 2 - edgePx) / (Math.max(0, part) * worldPx));
}

/** How far up a latitude lies on the Mercator map, as a part of the world's width. */
function upOf(lat: number): number {
  return Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI);
}
