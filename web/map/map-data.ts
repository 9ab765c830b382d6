import type { LocationRef, Point } from '../../domain/location.ts';

/** A route's colour and marker shape; a series is never a state. */
export type Series = 1 | 2 | 3 | 4 | 5;

const seriesList: readonly Series[] = [1, 2, 3, 4, 5];

/** The series of a route: its place in the list, so that the same list gives the same colours on every screen. */
export function seriesOf(designations: readonly string[], designation: string | null): Series | undefined {
  if (designation === null) return undefined;
  const at = designations.indexOf(designation);
  return at < 0 ? undefined : seriesList[at % seriesList.length];
}

/** A location on the map. A numbered place stands in a planned order; it and one that stands apart are never merged. */
export type MapPlace = LocationRef &
  Point & {
    name: string;
    address: string;
    series?: Series | undefined;
    number?: number;
    state?: 'open' | 'done';
    isApart?: boolean;
  };

export type MapBox = { west: number; south: number; east: number; north: number };
export type MapView = MapBox & { zoom: number };

/** Many locations of which only the number is known here, and the corners around them. */
export type MapGroup = Point & MapBox & { count: number };

/** A line through points in driving order; the first `doneCount` points have been passed. */
export type MapRoute = {
  key: string;
  name: string;
  series: Series;
  points: readonly Point[];
  doneCount: number;
  followsRoads: boolean;
  /** Why its lines are straight; absent: no road engine is set. */
  straightNote?: string;
};

export type MapDepot = Point & { name: string };

/** Where a route is now: a short name and a detail such as a time. */
export type MapVan = Point & { key: string; series: Series; label: string; detail: string };

/** How bad an incident is, told by colour, shape and word. */
export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** An active incident: drawn as a circle of its radius with a mark of its severity; `detail` is read with the title. */
export type MapIncident = Point & {
  id: number;
  title: string;
  detail: string;
  radiusKm: number;
  severity: Severity;
  /** One or two words beside the mark. */
  word: string;
};

/** Zoom with one location in view, and with several. */
export const mapZoom = { one: 10, several: 12 };
export const mapMinHeightPx = 400;
export const straightLinesNote = 'Straight lines: no road engine is set';
export const waitingNote = 'Straight lines until the road engine answers';
export const searchingNote = 'Straight lines while the search goes on';
export const tooManyNote = 'Straight lines: too many stops or routes to ask the road engine for';
export const offlineNote = 'Straight lines: no connection';
export const noAnswerNote = 'Straight lines: the road engine did not answer';

/** The name as it is read on the map: a pin before a market, a shop before a vending machine. */
export function placeLabel(place: { type: LocationRef['type']; name: string }): string {
  return `${place.type === 'market' ? '📍' : '🏪'} ${place.name}`;
}

/** With its number in a planned order. */
export function stopLabel(place: MapPlace): string {
  return `${placeLabel(place)}${place.number === undefined ? '' : `, stop ${place.number}`}`;
}

/** The same text as `locationKey` of the domain, whose module would bring the schema library into the map. */
export function placeKey(place: LocationRef): string {
  return `${place.type}:${place.id}`;
}

/** South-west and north-east corners of what is given; null when nothing is. */
export function boundsOf(points: Iterable<Point>): MapBox | null {
  let box: MapBox | null = null;
  for (const { lat, lng } of points) {
    if (!Number.isFinite(lat) || !Number.isFinite(lng)) continue;
    if (!box) box = { west: lng, south: lat, east: lng, north: lat };
    box.west = Math.min(box.west, lng);
    box.east = Math.max(box.east, lng);
    box.south = Math.min(box.south, lat);
    box.north = Math.max(box.north, lat);
  }
  return box;
}
