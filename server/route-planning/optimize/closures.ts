import { guessedRound, type IncidentCircle } from '../../../domain/incident-effect.ts';
import { distanceKm, type Point } from '../../../domain/location.ts';
import { defaultEstimate } from '../../../domain/travel-estimate.ts';
import type { Roads } from '../../deps.ts';
import { matrixOver, type TravelMatrix } from './travel-matrix.ts';

const corners = 16;
/** Rims of all closures together: what a Valhalla server takes where its owner changed nothing. */
const longestRimsKm = 10;
const kmPerDegree = 111.195;

type Closures = { ids: ReadonlySet<number>; areas: Point[][] };

/**
 * Closed circles as areas that a road engine drives around. A circle with a place in it is left out: the place is still
 * served, at the price of the incident; so is one far from where the places lie. Small circles first, as many as an engine
 * takes.
 */
export function closuresAmong(circles: readonly IncidentCircle[], places: readonly Point[]): Closures {
  const ids = new Set<number>();
  const areas: Point[][] = [];
  const isNear = nearTo(places);
  let rimsKm = 0;
  for (const circle of [...circles].sort((a, b) => a.radiusKm - b.radiusKm || a.id - b.id)) {
    if (!circle.closed || !isNear(circle) || places.some((place) => distanceKm(place, circle) <= circle.radiusKm))
      continue;
    rimsKm += 2 * Math.PI * circle.radiusKm;
    if (rimsKm > longestRimsKm) break;
    ids.add(circle.id);
    areas.push(rimOf(circle));
  }
  return { ids, areas };
}

/** Whether ways between the places may lead through a circle: they swing out by no more than the places lie apart. */
export function nearTo(places: readonly Point[]): (circle: IncidentCircle) => boolean {
  const [lats, lngs] = [places.map(({ lat }) => lat), places.map(({ lng }) => lng)];
  const [south, north] = [least(lats), most(lats)];
  const [west, east] = [least(lngs), most(lngs)];
  const apartKm = distanceKm({ lat: south, lng: west }, { lat: north, lng: east });
  return (circle) => {
    const nearest = { lat: within(circle.lat, south, north), lng: within(circle.lng, west, east) };
    return distanceKm(circle, nearest) <= circle.radiusKm + Math.max(apartKm, leastSwingKm);
  };
}

const leastSwingKm = 2;
// A plan may have more places than a call takes arguments.
const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
const within = (value: number, from: number, to: number): number => Math.min(Math.max(value, from), to);

/** Closed circles that ways from place to place need not cross, as areas for a road engine. */
export const closedAreas = (circles: readonly IncidentCircle[], places: readonly Point[]): Point[][] =>
  closuresAmong(circles, places).areas;

/** The incidents that every way of a matrix goes around, and what the ways take without them. */
export type Driven = { ids: ReadonlySet<number>; usual: TravelMatrix };

/** Null: the matrix goes around nothing. */
export type Around = { matrix: TravelMatrix; driven: Driven | null };

/** Travel between places around closed roads, where an engine is set that can do it. */
export async function matrixAround(
  roads: Pick<Roads, 'matrix'>,
  places: readonly Point[],
  circles: readonly IncidentCircle[],
): Promise<Around> {
  const { ids, areas } = closuresAmong(circles, places);
  const around = await roads.matrix(places, { avoid: areas });
  if (!around.avoided) return { matrix: around, driven: null };
  const usual = await roads.matrix(places);
  // An engine that fell silent in between: what ways around take longer cannot be told any more.
  if (usual.source !== around.source) return { matrix: usual, driven: null };
  const closed = circles.filter(({ id }) => ids.has(id));
  return { matrix: passable({ around, usual, closed }, places), driven: { ids, usual } };
}

type Ways = { around: TravelMatrix; usual: TravelMatrix; closed: readonly IncidentCircle[] };

/**
 * An engine closes a road from crossing to crossing: a place in the block beside a circle has no way in or out. It stays served,
 * along its usual ways and longer by a guess, as does a place in the circle. A way that is chosen for other reasons than
 * time may be quicker around what is closed: that gains nothing.
 */
function passable({ around, usual, closed }: Ways, places: readonly Point[]): TravelMatrix {
  let cutOff = 0;
  const distances = around.distances.map((row) => [...row]);
  const durations = around.durations.map((row, from) =>
    row.map((seconds, to) => {
      const before = usual.durations[from]?.[to] ?? null;
      if (before === null) return seconds;
      if (seconds !== null) return Math.max(seconds, before);
      const [a, b] = [places[from], places[to]];
      const metres = usual.distances[from]?.[to] ?? 0;
      cutOff += 1;
      if (distances[from]) distances[from][to] = metres;
      return a && b ? before + guessedRound({ line: [a, b], seconds: before, metres }, closed, detourFactor) : before;
    }),
  );
  const all = places.length * (places.length - 1);
  const warnings = cutOff > 0 ? [...around.warnings, cutOffSentence(cutOff, all)] : around.warnings;
  return { ...around, durations, distances, warnings };
}

const { detourFactor } = defaultEstimate;

const cutOffSentence = (cutOff: number, all: number): string =>
  `${cutOff} of ${all} distances and times lead through closed roads: no way leads around them. ` +
  'Make their circles smaller where the road is open.';

/** The same over some of its places. */
export function aroundOver({ matrix, driven }: Around, places: readonly number[]): Around {
  return {
    matrix: matrixOver(matrix, places),
    driven: driven && { ...driven, usual: matrixOver(driven.usual, places) },
  };
}

function rimOf({ lat, lng, radiusKm }: IncidentCircle): Point[] {
  const degrees = radiusKm / kmPerDegree;
  const stretch = Math.cos((lat * Math.PI) / 180);
  return Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * index) / corners;
    return { lat: lat + degrees * Math.sin(angle), lng: lng + (degrees * Math.cos(angle)) / stretch };
  });
}
