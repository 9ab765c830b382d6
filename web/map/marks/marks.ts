import type { Point } from '../../../domain/location.ts';
import { formatNumber } from '../../http/format.ts';
import {
  type MapDepot,
  type MapGroup,
  type MapIncident,
  type MapPlace,
  type MapVan,
  placeKey,
  type Series,
  stopLabel,
} from '../map-data.ts';
import { clusterPoints, fromWorld, ringOffset, shortCount, toWorld, worldPx } from './cluster.ts';

/** One thing that stands on the map. `look` changes when it must be drawn anew. */
export type Mark = Point & {
  key: string;
  offset: [number, number];
  look: string;
  /** What a screen reader and the tooltip say. */
  label: string;
  drawing: Drawing;
};

type Drawing =
  | { kind: 'place'; place: MapPlace; selected: boolean }
  | { kind: 'cluster'; places: MapPlace[]; series: Series | undefined; selected: boolean }
  | { kind: 'group'; group: MapGroup }
  | { kind: 'depot'; name: string }
  | { kind: 'van'; van: MapVan }
  | { kind: 'incident'; incident: MapIncident }
  | { kind: 'own' };

export type Extras = {
  groups: readonly MapGroup[];
  depots: readonly MapDepot[];
  vans: readonly MapVan[];
  incidents: readonly MapIncident[];
  own: Point | null;
};

export type ViewBox = { west: number; south: number; east: number; north: number; zoom: number };

/** Up to so many locations each keep their own marker; above it neighbours are merged. */
const clusterAbove = 60;
const clusterRadiusPx = 46;
/** From this zoom on only locations that would cover each other are brought together. */
const clusterUntilZoom = 15;
/** Markers nearer than this cover each other. */
const touchingPx = 18;
/** So many touching markers stand in a ring, none further from its place than two markers are wide; more are counted. */
const ringAtMost = 8;

/** How far a count moves aside, up and to the left. */
const asidePx: [number, number] = [-32, -32];
/** How far the mark of an incident moves up; the middle of its circle stays where it is. */
const abovePx: [number, number] = [0, -30];

/** The locations on the map, prepared once, so that a dragged map costs one pass. */
export class PlaceMarks {
  readonly #numbered: Group;
  readonly #plain: Group;

  constructor(places: readonly MapPlace[]) {
    const drawn = places.filter((place) => Number.isFinite(place.lat) && Number.isFinite(place.lng));
    this.#numbered = new Group(drawn.filter(isByItself));
    this.#plain = new Group(drawn.filter((place) => !isByItself(place)));
  }

  inView(view: ViewBox, selected: ReadonlySet<string>): Mark[] {
    const merge = this.#plain.size > clusterAbove && view.zoom < clusterUntilZoom;
    const plain = merge ? this.#plain.near(Math.floor(view.zoom), clusterRadiusPx) : this.#plain.touching(view.zoom);
    const stops = drawnIn(view, this.#numbered.uncrowded(view.zoom), selected, ringAtMost);
    const others = drawnIn(view, plain, selected, merge ? 1 : ringAtMost);
    return [...besideMarks(others, stops, view.zoom), ...stops];
  }
}

const isByItself = ({ number, isApart }: MapPlace): boolean => number !== undefined || isApart === true;

type Together = Point & { places: MapPlace[] };

/** Locations with their neighbourhoods, found once per zoom step. */
class Group {
  readonly #places: readonly MapPlace[];
  readonly #world: { x: number; y: number }[];
  readonly #found = new Map<string, Together[]>();
  readonly #uncrowded = new Map<number, readonly Together[]>();

  constructor(places: readonly MapPlace[]) {
    this.#places = places;
    this.#world = places.map(toWorld);
  }

  get size(): number {
    return this.#places.length;
  }

  touching(zoom: number): readonly Together[] {
    return this.near(Math.floor(zoom * 2) / 2, touchingPx);
  }

  /** Where more stand close together than can be told apart they are one, the others as they touch. */
  uncrowded(zoom: number): readonly Together[] {
    const step = Math.floor(zoom * 2) / 2;
    const known = this.#uncrowded.get(step);
    if (known) return known;
    const found = this.near(step, clusterRadiusPx).flatMap((close) =>
      close.places.length > ringAtMost ? [close] : new Group(close.places).near(step, touchingPx),
    );
    this.#uncrowded.set(step, found);
    return found;
  }

  near(zoom: number, radiusPx: number): readonly Together[] {
    const key = `${zoom} ${radiusPx}`;
    const known = this.#found.get(key);
    if (known) return known;
    const found = clusterPoints(this.#world, zoom, radiusPx).map((cluster) => ({
      ...fromWorld(cluster),
      places: cluster.members.flatMap((index) => this.#places[index] ?? []),
    }));
    this.#found.set(key, found);
    return found;
  }
}

function drawnIn(view: ViewBox, groups: readonly Together[], selected: ReadonlySet<string>, most: number): Mark[] {
  return groups.flatMap(({ places, lat, lng }) => {
    if (!within(view, { lat, lng })) return [];
    return places.length > most
      ? [clusterMark(places, { lat, lng }, selected)]
      : ringMarks(places, { lat, lng }, selected);
  });
}

/** A count moves aside where the marks of stops would stand on it: both can be read and pressed. */
function besideMarks(others: readonly Mark[], stops: readonly Mark[], zoom: number): Mark[] {
  const covers = coveringOf(stops, zoom);
  return others.map((mark) => (mark.drawing.kind === 'cluster' && covers(mark) ? { ...mark, offset: asidePx } : mark));
}

/** The mark of an incident moves up where it would stand on a location: both can be pressed. */
export function offPlaces(extras: readonly Mark[], places: readonly Mark[], zoom: number): Mark[] {
  const covers = coveringOf(places, zoom);
  return extras.map((mark) => (mark.drawing.kind === 'incident' && covers(mark) ? { ...mark, offset: abovePx } : mark));
}

function coveringOf(marks: readonly Mark[], zoom: number): (mark: Mark) => boolean {
  const at = marks.map((mark) => ({ ...toWorld(mark), offset: mark.offset }));
  const scale = worldPx * 2 ** zoom;
  return (mark) => {
    const { x, y } = toWorld(mark);
    return at.some(
      ({ offset, ...other }) =>
        Math.hypot((other.x - x) * scale + offset[0], (other.y - y) * scale + offset[1]) < clusterRadiusPx / 2,
    );
  };
}

/** One marker where it belongs, or several around the spot they share. */
function ringMarks(places: readonly MapPlace[], at: Point, selected: ReadonlySet<string>): Mark[] {
  return places.map((place, index) => ({
    ...placeMark(place, selected),
    ...at,
    offset: ringOffset(index, places.length),
  }));
}

function within(view: ViewBox, { lat, lng }: Point): boolean {
  return lng >= view.west && lng <= view.east && lat >= view.south && lat <= view.north;
}

function placeMark(place: MapPlace, selectedKeys: ReadonlySet<string>): Mark {
  const selected = selectedKeys.has(placeKey(place));
  const key = placeKey(place);
  const done = place.state === 'done';
  return {
    key,
    lat: place.lat,
    lng: place.lng,
    offset: [0, 0],
    look: [place.type, place.name, place.series ?? 0, place.number ?? '', done, selected].join('|'),
    label: `${stopLabel(place)}${done ? ', done' : ''}${selected ? ', selected' : ''}`,
    drawing: { kind: 'place', place, selected },
  };
}

/** A counted mark: in the colour of the route all of it is on, and ringed where all of it is chosen. */
function clusterMark(places: MapPlace[], at: Point, selectedKeys: ReadonlySet<string>): Mark {
  const first = places[0];
  const series = places.every((place) => place.series === first?.series) ? first?.series : undefined;
  const selected = places.every((place) => selectedKeys.has(placeKey(place)));
  return {
    key: `cluster:${first ? placeKey(first) : ''}`,
    ...at,
    offset: [0, 0],
    look: [places.length, series ?? 0, selected].join('|'),
    label: `${places.length} locations${selected ? ', selected' : ''}`,
    drawing: { kind: 'cluster', places, series, selected },
  };
}

/** A route under way is mostly at a stop: its label stands above, and leaves the stop's mark to be seen and pressed. */
const vanLiftPx = 30;

/** Groups, depots, incidents, routes under way and the person: always drawn, whatever is in view. */
export function extraMarks({ groups, depots, vans, incidents, own }: Extras): Mark[] {
  const offset: [number, number] = [0, 0];
  const marks: Mark[] = depots.map(({ name, lat, lng }) => {
    const drawing: Drawing = { kind: 'depot', name };
    return { key: `depot:${name}:${lat}:${lng}`, lat, lng, offset, look: name, label: `Depot ${name}`, drawing };
  });
  for (const group of groups) {
    marks.push({
      key: `group:${group.lat}:${group.lng}`,
      lat: group.lat,
      lng: group.lng,
      offset,
      look: `${group.count}`,
      label: `${formatNumber(group.count)} locations`,
      drawing: { kind: 'group', group },
    });
  }
  for (const incident of incidents) {
    const label = `${incident.title}: ${incident.detail}`;
    const drawing: Drawing = { kind: 'incident', incident };
    marks.push({
      key: `incident:${incident.id}`,
      lat: incident.lat,
      lng: incident.lng,
      offset,
      look: `${label}|${incident.word}`,
      label,
      drawing,
    });
  }
  for (const van of vans) {
    const label = `Route ${van.label} is here, ${van.detail}`;
    const look = `${label}|${van.series}`;
    marks.push({
      key: `van:${van.key}`,
      lat: van.lat,
      lng: van.lng,
      offset: [0, -vanLiftPx],
      look,
      label,
      drawing: { kind: 'van', van },
    });
  }
  if (own) marks.push({ key: 'own', ...own, offset, look: 'own', label: 'You are here', drawing: { kind: 'own' } });
  return marks;
}

/** What the mark of so many locations reads. */
export function clusterText(count: number): string {
  return shortCount(count);
}
