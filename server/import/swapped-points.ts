import { instantIn } from '../../domain/time.ts';

/**
 * Finds out whether latitude and longitude of a file stand the wrong way round. A point read that way is often a point all the same:
 * New York lies in Antarctica then. So each is held against where the operator is, as written and the other way round.
 */

/** Where the operator is: cells with a place or depot in them, and the longitude that the time zone suggests. */
export type Around = { cells: ReadonlySet<string>; longitude: number | null };

export const cellDegrees = 2;
/** Degrees around the middle of a time zone in which its people live, China's and Spain's left out. */
const zoneReach = 30;
/** North of the northernmost towns, and the same to the south. */
export const farthestLatitude = 72;

export type Numbers = { lat: number; lng: number };

export const cellOf = ({ lat, lng }: Numbers): string =>
  `${Math.floor(lat / cellDegrees)} ${Math.floor(lng / cellDegrees)}`;

/** Where most people of a time zone are; UTC is nobody's. */
export function longitudeOf(timeZone: string, day: string): number | null {
  if (/^(?:Etc\/)?(?:UTC|GMT)$/i.test(timeZone)) return null;
  const hours = (Date.parse(`${day}T00:00:00Z`) - instantIn(timeZone, day, 0).getTime()) / 3_600_000;
  return 15 * hours;
}

/** How well a point fits: 3 near a place or depot, 2 somewhere in the time zone, 1 elsewhere, 0 nowhere on the globe. */
function fitness({ lat, lng }: Numbers, { cells, longitude }: Around): 0 | 1 | 2 | 3 {
  if (Math.abs(lat) > 90 || Math.abs(lng) > 180) return 0;
  const steps = [-cellDegrees, 0, cellDegrees];
  if (steps.some((north) => steps.some((east) => cells.has(cellOf({ lat: lat + north, lng: lng + east }))))) return 3;
  const away = longitude === null ? 0 : Math.abs(((lng - longitude + 540) % 360) - 180);
  return Math.abs(lat) <= farthestLatitude && away <= zoneReach ? 2 : 1;
}

/** True where the point fits better the other way round. */
export function looksSwapped({ lat, lng }: Numbers, around: Around): boolean {
  return fitness({ lat: lng, lng: lat }, around) > fitness({ lat, lng }, around);
}
