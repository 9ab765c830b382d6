import type { Feature, FeatureCollection, LineString, MultiPolygon, Point, Polygon, Position } from 'geojson';
import { type OsmRelation, readOsm, type Tags } from './osm-pbf.ts';

/** First zoom at which a road is drawn, by its class in the map. */
const roadZoom: Record<string, number> = {
  motorway: 6,
  trunk: 7,
  primary: 8,
  secondary: 10,
  tertiary: 11,
  unclassified: 12,
  residential: 12,
  living_street: 13,
  motorway_link: 11,
  trunk_link: 11,
  primary_link: 12,
  secondary_link: 13,
  tertiary_link: 13,
  service: 14,
  pedestrian: 14,
};
const majorUntil = 10;

export type MapFeatures = {
  streets: FeatureCollection<LineString>;
  water: FeatureCollection<Polygon | MultiPolygon | LineString>;
  names: FeatureCollection<Point>;
  bounds: [west: number, south: number, east: number, north: number];
};

type KeptWay = { id: number; tags: Tags; refs: number[] };

/** What the map draws of an extract. The file is read twice: ways first, then only the nodes they need. */
export async function readMap(file: string, say: (share: number) => void): Promise<MapFeatures> {
  const roads: KeptWay[] = [];
  const waters: KeptWay[] = [];
  const lakes: OsmRelation[] = [];
  const others = new Map<number, number[]>();
  for await (const block of readOsm(file, (share) => say(share / 2))) {
    for (const way of block.ways()) {
      if (roadZoom[way.tags.highway ?? ''] !== undefined) roads.push(way);
      else if (isWater(way.tags) || way.tags.waterway) waters.push(way);
      else if (Object.keys(way.tags).length === 0 || way.tags.natural === 'coastline') others.set(way.id, way.refs);
    }
    for (const relation of block.relations()) {
      if (relation.tags.type === 'multipolygon' && isWater(relation.tags)) lakes.push(relation);
    }
  }
  for (const way of waters) others.set(way.id, way.refs);
  const outlines = lakes.flatMap((lake) => ringsOf(lake, others));
  const places = await placesOf(file, [...roads, ...waters].map(({ refs }) => refs).concat(outlines), say);
  return features({ roads, waters, outlines }, places);
}

const isWater = ({ natural, waterway, landuse }: Tags): boolean =>
  natural === 'water' || waterway === 'riverbank' || landuse === 'reservoir' || landuse === 'basin';

/** Outer rings joined from ways that meet; one that a box cut open is left out. */
function ringsOf({ members }: OsmRelation, ways: ReadonlyMap<number, number[]>): number[][] {
  const isOuter = members.filter(({ type, role }) => type === 1 && role !== 'inner');
  const parts = isOuter.flatMap(({ id }) => (ways.has(id) ? [[...(ways.get(id) ?? [])]] : []));
  const rings: number[][] = [];
  for (let part = parts.shift(); part; part = parts.shift()) {
    const end = part.at(-1);
    if (part[0] === end) {
      rings.push(part);
      continue;
    }
    const next = parts.findIndex((other) => other[0] === end || other.at(-1) === end);
    if (next < 0) continue;
    const [other = []] = parts.splice(next, 1);
    parts.unshift([...part, ...(other[0] === end ? other : other.reverse()).slice(1)]);
  }
  return rings;
}

type Places = (ref: number) => Position | null;

async function placesOf(file: string, lines: readonly number[][], say: (share: number) => void): Promise<Places> {
  const ids = Float64Array.from(new Set(lines.flat())).sort();
  const lats = new Float64Array(ids.length).fill(Number.NaN);
  const lngs = new Float64Array(ids.length);
  for await (const block of readOsm(file, (share) => say(0.5 + share / 2))) {
    block.nodes((id, lat, lng) => {
      const at = indexOf(ids, id);
      if (at < 0) return;
      lats[at] = lat;
      lngs[at] = lng;
    });
  }
  return (ref) => {
    const at = indexOf(ids, ref);
    const lat = lats[at];
    const lng = lngs[at];
    return lat === undefined || lng === undefined || Number.isNaN(lat) ? null : [lng, lat];
  };
}

function indexOf(sorted: Float64Array, wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle] ?? 0;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

type Kept = { roads: readonly KeptWay[]; waters: readonly KeptWay[]; outlines: readonly number[][] };

function features({ roads, waters, outlines }: Kept, place: Places): MapFeatures {
  const lineOf = (refs: readonly number[]): Position[] =>
    refs.flatMap((ref) => [place(ref) ?? []]).filter((p) => p.length);
  const streets: Feature<LineString>[] = [];
  const names: Feature<Point>[] = [];
  const bounds: MapFeatures['bounds'] = [180, 90, -180, -90];
  for (const { tags, refs } of roads) {
    const coordinates = lineOf(refs);
    if (coordinates.length < 2) continue;
    for (const [lng = 0, lat = 0] of coordinates) widen(bounds, lng, lat);
    const zoom = roadZoom[tags.highway ?? ''] ?? 14;
    const properties = { zoom, major: zoom <= majorUntil };
    streets.push({ type: 'Feature', properties, geometry: { type: 'LineString', coordinates } });
    if (tags.name) names.push(nameOf(tags.name, zoom, coordinates));
  }
  const areas = waters.flatMap(({ tags, refs }) => waterOf(tags, lineOf(refs)));
  const lakes = outlines.map(lineOf).flatMap((ring) => waterOf({ natural: 'water' }, ring));
  return {
    streets: { type: 'FeatureCollection', features: streets },
    water: { type: 'FeatureCollection', features: [...areas, ...lakes] },
    names: { type: 'FeatureCollection', features: names },
    bounds,
  };
}

function widen(bounds: MapFeatures['bounds'], lng: number, lat: number): void {
  bounds[0] = Math.min(bounds[0], lng);
  bounds[1] = Math.min(bounds[1], lat);
  bounds[2] = Math.max(bounds[2], lng);
  bounds[3] = Math.max(bounds[3], lat);
}

/** A street's name stands in the middle of each of its pieces; the map leaves out what does not fit. */
function nameOf(name: string, zoom: number, line: readonly Position[]): Feature<Point> {
  const coordinates = line[Math.floor(line.length / 2)] ?? [0, 0];
  const properties = { name, zoom: Math.max(13, zoom + 2), rank: zoom };
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates } };
}

function waterOf(tags: Tags, line: Position[]): Feature<Polygon | LineString>[] {
  if (line.length < 2) return [];
  const [first, last] = [line[0], line.at(-1)];
  const isClosed = line.length > 3 && String(first) === String(last);
  if (isClosed && isWater(tags)) {
    return [{ type: 'Feature', properties: { zoom: 6 }, geometry: { type: 'Polygon', coordinates: [line] } }];
  }
  if (!tags.waterway) return [];
  const zoom = tags.waterway === 'river' ? 8 : 12;
  return [{ type: 'Feature', properties: { zoom }, geometry: { type: 'LineString', coordinates: line } }];
}
