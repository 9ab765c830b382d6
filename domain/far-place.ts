import { distanceKm, type Point, toPoint } from './place.ts';

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

const mostNamed = 5;

/** What is said of far places on a plan: a sentence for each of the first five, one for the rest. */
export function farSentences(names: readonly string[]): string[] {
  const sentences = names
    .slice(0, mostNamed)
    .map((name) => `${name} is more than ${farKm} km (31 mi) from every other stop and the depot. Check its position.`);
  const more = names.length - mostNamed;
  return more > 0 ? [...sentences, `${more} more ${more === 1 ? 'stop is' : 'stops are'} as far away.`] : sentences;
}

type Located = { name: string; latitude: string; longitude: string };

/** The sentences about those locations of a plan that are far from all others and the depots. */
export function farWarnings(locations: readonly Located[], depots: readonly Point[]): string[] {
  const places = locations.map((location) => ({ name: location.name, ...toPoint(location) }));
  return farSentences(farPlaces(places, depots).map(({ name }) => name));
}
