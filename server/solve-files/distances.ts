import { refused } from './numbered-lines.ts';

export type Place = { x: number; y: number };

/** Degrees and minutes written as DDD.MM, in radians; the constants are those of TSPLIB's manual, section 2.4. */
function radians(value: number): number {
  const degrees = Math.trunc(value);
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: published costs rest on this value.
  return (3.141592 * (degrees + (5 * (value - degrees)) / 3)) / 180;
}

function geographic(a: Place, b: Place): number {
  const [latitudeA, longitudeA] = [radians(a.x), radians(a.y)];
  const [latitudeB, longitudeB] = [radians(b.x), radians(b.y)];
  const q1 = Math.cos(longitudeA - longitudeB);
  const q2 = Math.cos(latitudeA - latitudeB);
  const q3 = Math.cos(latitudeA + latitudeB);
  return Math.trunc(6378.388 * Math.acos(0.5 * ((1 + q1) * q2 - (1 - q1) * q3)) + 1);
}

const straight = (a: Place, b: Place) => Math.hypot(a.x - b.x, a.y - b.y);

/** Distances of TSPLIB (Reinelt 1995), by the name its files give. */
export const distanceRules: Record<string, (a: Place, b: Place) => number> = {
  EUC_2D: (a, b) => Math.round(straight(a, b)),
  CEIL_2D: (a, b) => Math.ceil(straight(a, b)),
  ATT: (a, b) => Math.ceil(Math.sqrt(((a.x - b.x) ** 2 + (a.y - b.y) ** 2) / 10)),
  GEO: geographic,
};

/** Units per file unit where times matter: distances are cut after the first decimal (DIMACS challenge 2021). */
export const tenths = 10;

/** Distance in tenths. The root comes first, as in the published costs. */
export const inTenths = (a: Place, b: Place) => Math.floor(tenths * straight(a, b));

/** Beyond this the table of all pairs does not fit into memory. */
const mostPlaces = 4_000;

/** Refuses more places than a table of all pairs can hold. */
export function mustFit(places: readonly unknown[]): void {
  if (places.length <= mostPlaces) return;
  throw refused(
    'problem',
    `jobs and vehicles name ${places.length} places; at most ${mostPlaces} can be solved at a time. Divide it.`,
  );
}

/** Every pair; nothing from a place to itself. */
export function tableOf(places: readonly Place[], distance: (a: Place, b: Place) => number): number[][] {
  mustFit(places);
  return places.map((a) => places.map((b) => (a === b ? 0 : distance(a, b))));
}
