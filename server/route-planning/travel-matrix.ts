import { distanceKm, type Point } from '../../domain/location.ts';

/** Road distance over straight distance in cities: a default until completed routes teach better. */
export const detourFactor = 1.3;
/** Driving speeds by the length of a leg: slow in town, faster the farther. */
const speeds = [
  { uptoKm: 3, kmPerHour: 30 },
  { uptoKm: 15, kmPerHour: 45 },
  { uptoKm: Number.POSITIVE_INFINITY, kmPerHour: 80 },
];

/** Whole seconds and metres between all points; asymmetric sources are allowed. */
export type TravelMatrix = { durations: number[][]; distances: number[][]; source: 'estimate' };

/** Seconds to drive a distance, each stretch at the speed of its class. */
export function estimateSeconds(km: number): number {
  let from = 0;
  let hours = 0;
  for (const { uptoKm, kmPerHour } of speeds) {
    const stretch = Math.max(0, Math.min(km, uptoKm) - from);
    hours += stretch / kmPerHour;
    from = uptoKm;
  }
  return Math.round(hours * 3600);
}

/** Travel between points without a road engine: straight lines lengthened by the detour factor. */
export function estimateMatrix(points: readonly Point[]): TravelMatrix {
  const km = points.map((a) => points.map((b) => distanceKm(a, b) * detourFactor));
  return {
    durations: km.map((row) => row.map(estimateSeconds)),
    distances: km.map((row) => row.map((value) => Math.round(value * 1000))),
    source: 'estimate',
  };
}
