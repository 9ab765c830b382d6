import { distanceKm, type Point, toPoint } from './place.ts';
import { kmToMiles } from './units.ts';

/** Farther than this from everything else in kilometres, a position is more likely mistyped than true. */
export const farKm = 50;

/**
 * Places more than 50 km, as the crow flies, from every other place and every depot. Where there is nothing to compare with,
 * none is far.
 */
export function farPlaces<P extends Point>(places: readonly P[], depots: readonly Point[]): P[] {
  const isNear = (place: P, other: Point): boolean => distanceKm(place, other) <= farKm;
  return places.filter((place, at) => {
    if (places.length + depots.length < 2) return false;
    if (depots.some((depot) => isNear(place, depot))) return false;
    return !places.some((other, index) => index !== at && isNear(place, other));
  });
}

/** Farther than this from every road in kilometres, a position is in the water, in a field, or off the map of the roads. */
const offRoadKm = 0.5;

const mostNamed = 5;

/** A sentence for each of the first five, one for the rest. */
function firstOf(sentences: readonly string[], rest: (more: number, stops: string) => string): string[] {
  const more = sentences.length - mostNamed;
  if (more <= 0) return [...sentences];
  return [...sentences.slice(0, mostNamed), rest(more, more === 1 ? 'stop is' : 'stops are')];
}

/** What is said of far places on a plan. */
export function farSentences(names: readonly string[]): string[] {
  const sentences = names.map(
    (name) => `${name} is more than ${farKm} km (31 mi) from every other stop and the depot. Check its position.`,
  );
  return firstOf(sentences, (more, stops) => `${more} more ${stops} as far away.`);
}

/** Kilometres to the nearest road; `outside`: the map of the roads does not reach there; null: nobody knows. */
export type RoadDistance = number | 'outside' | null;
type Placed = { name: string; roadKm: RoadDistance };

/** The sentences about places of a plan that no road is near: what the plan reckons with begins and ends at the nearest one. */
export function offRoadSentences(places: readonly Placed[]): string[] {
  return [...farFromRoad(places), ...outsideMap(places)];
}

/** Where a plan begins; its name is null where only a position was given. */
type StartPlace = { name: string | null; point: Point; roadKm: RoadDistance };

/**
 * A sentence for each start of a plan that is more likely mistyped than true: far from every stop, far from every road, or off
 * the map of the roads while some stop is on it.
 */
export function startSentences(
  starts: readonly StartPlace[],
  stops: readonly (Point & { roadKm: RoadDistance })[],
): string[] {
  if (stops.length === 0) return [];
  const isMapElsewhere = stops.every(({ roadKm }) => roadKm === 'outside');
  return starts.flatMap(({ name, point, roadKm }) => {
    const who = name === null ? 'The start' : `The start, ${name},`;
    const next = `Check its position${name === null ? '' : ' in Settings'}, or start from elsewhere.`;
    if (stops.every((stop) => distanceKm(stop, point) > farKm))
      return [`${who} is more than ${farKm} km (31 mi) from every stop. ${next}`];
    if (roadKm === 'outside')
      return isMapElsewhere
        ? []
        : [`${who} is outside the map of the roads: ways from and to it are estimated. ${next}`];
    if (roadKm === null || roadKm <= offRoadKm) return [];
    return [`${who} is ${awayText(roadKm)} from the nearest road, and ways from and to it begin at that road. ${next}`];
  });
}

const awayText = (km: number): string => `${km.toFixed(1)} km (${kmToMiles(km).toFixed(1)} mi)`;

/** Few outside are named: of many, or of all, the map is to blame and not the places. */
function outsideMap(places: readonly Placed[]): string[] {
  const outside = places.filter(({ roadKm }) => roadKm === 'outside');
  if (outside.length > mostNamed || outside.length === places.length) return [];
  return outside.map(({ name }) => `${name} is outside the map of the roads: ways to it are estimated.`);
}

function farFromRoad(places: readonly Placed[]): string[] {
  const sentences = places.flatMap(({ name, roadKm }) => {
    if (roadKm === null || roadKm === 'outside' || roadKm <= offRoadKm) return [];
    return [
      `${name} is ${awayText(roadKm)} from the nearest road, and the way there ends at that road. Check its position.`,
    ];
  });
  return firstOf(sentences, (more, stops) => `${more} more ${stops} as far from a road.`);
}

type Located = { name: string; latitude: string; longitude: string };

/** The sentences about those locations of a plan that are far from all others and the depots. */
export function farWarnings(locations: readonly Located[], depots: readonly Point[]): string[] {
  const places = locations.map((location) => ({ name: location.name, ...toPoint(location) }));
  return farSentences(farPlaces(places, depots).map(({ name }) => name));
}
