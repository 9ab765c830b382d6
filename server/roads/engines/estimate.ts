import { setImmediate } from 'node:timers/promises';
import { distanceKm, type Point } from '../../../domain/location.ts';
import { defaultEstimate, estimateSeconds, type TravelEstimate } from '../../../domain/travel-estimate.ts';
import type { Leg, Table } from './provider.ts';

/** Travel without a road engine: straight lines lengthened by the detour factor. */
export function estimateTable(
  from: readonly Point[],
  to: readonly Point[],
  estimate: TravelEstimate = defaultEstimate,
): { durations: number[][]; distances: number[][] } {
  const km = from.map((a) => to.map((b) => distanceKm(a, b) * estimate.detourFactor));
  return {
    durations: km.map((row) => row.map((value) => estimateSeconds(value, estimate))),
    distances: km.map((row) => row.map((value) => Math.round(value * 1000))),
  } satisfies Table;
}

/** Pairs computed before other calls get their turn: well under 20 ms. */
const pairsAtATime = 40_000;

/** The same for many points, without keeping other calls waiting. */
export async function estimateInSlices(points: readonly Point[], estimate: TravelEstimate) {
  const whole: { durations: number[][]; distances: number[][] } = { durations: [], distances: [] };
  const rowsAtATime = Math.max(1, Math.floor(pairsAtATime / Math.max(1, points.length)));
  for (let at = 0; at < points.length; at += rowsAtATime) {
    if (at > 0) await setImmediate();
    const slice = estimateTable(points.slice(at, at + rowsAtATime), points, estimate);
    whole.durations.push(...slice.durations);
    whole.distances.push(...slice.distances);
  }
  return whole;
}

/** Straight legs through points. */
export function estimateLegs(points: readonly Point[], estimate: TravelEstimate = defaultEstimate): Leg[] {
  return points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    const km = distanceKm(from, to) * estimate.detourFactor;
    return { seconds: estimateSeconds(km, estimate), metres: Math.round(km * 1000), geometry: [from, to] };
  });
}
