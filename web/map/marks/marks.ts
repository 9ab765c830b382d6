import type { Point } from '../../../domain/location.ts';
import {
  type MapDepot,
  type MapGroup,
  type MapIncident,
  type MapPlace,
  type MapVan,
  placeKey,
  placeLabel,
} from '../map-data.ts';
import { clusterPoints, fromWorld, ringOffset, shortCount, toWorld } from './cluster.ts';

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
  | { kind: 'cluster'; places: MapPlace[] }
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
/** So many touching markers stand in a ring; more are a counted mark with a list. */
const ringAtMost = 8;

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
    return [
      ...drawnIn(view, plain, (places, at) =>
        places.length === 1 || (!merge && places.length <= ringAtMost)
          ? ringMarks(places, at, selected)
          : [clusterMark(places, at)],
      ),
      ...drawnIn(view, this.#numbered.touching(view.zoom), (places, at) => ringMarks(places, at, selected)),
    ];
  }
}

const isByItself = ({ number, isApart }: MapPlace): boolean => number !== undefined || isApart === true;

type Together = Point & { places: MapPlace[] };

/** Locations with their neighbourhoods, found once per zoom step. */
class Group {
  readonly #places: readonly MapPlace[];
  readonly #world: { x: number; y: number }[];
  readonly #found = new Map<string, Together[]>();

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

function drawnIn(view: ViewBox, groups: readonly Together[], draw: (places: MapPlace[], at: Point) => Mark[]): Mark[] {
  return groups.flatMap(({ places, lat, lng }) => (within(view, { lat, lng }) ? draw(places, { lat, lng }) : []));
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
  const order = place.number === undefined ? '' : `, stop ${place.number}`;
  return {
    key,
    lat: place.lat,
    lng: place.lng,
    offset: [0, 0],
    look: [place.type, place.name, place.series ?? 0, place.number ?? '', done, selected].join('|'),
    label: `${placeLabel(place)}${order}${done ? ', done' : ''}${selected ? ', selected' : ''}`,
    drawing: { kind: 'place', place, selected },
  };
}

function clusterMark(places: MapPlace[], at: Point): Mark {
  const first = places[0];
  return {
    key: `cluster:${first ? placeKey(first) : ''}`,
    ...at,
    offset: [0, 0],
    look: `${places.length}`,
    label: `${places.length} locations`,
    drawing: { kind: 'cluster', places },
  };
}

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
      label: `${group.count.toLocaleString('en-US')} locations`,
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
      offset,
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
