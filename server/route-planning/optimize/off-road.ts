import { offRoadSentences, startSentences } from '../../../domain/far-place.ts';
import { type Point, toPoint } from '../../../domain/location.ts';
import type { Roads } from '../../deps.ts';

type Located = { name: string; latitude: string; longitude: string };

/** The sentences about those locations of a plan that no road is near; none where no engine knows. */
export async function offRoadWarnings(roads: Roads, locations: readonly Located[]): Promise<string[]> {
  const kms = await roads.roadKm(locations.map(toPoint));
  return offRoadSentences(locations.map(({ name }, index) => ({ name, roadKm: kms[index] ?? null })));
}

type Start = { name: string | null; point: Point };

/** The sentences about starts of a plan that lie far from its stops, far from every road, or off the map of the roads. */
export async function startWarnings(
  roads: Roads,
  starts: readonly Start[],
  locations: readonly Located[],
): Promise<string[]> {
  const stops = locations.map(toPoint);
  const kms = await roads.roadKm([...starts.map(({ point }) => point), ...stops]);
  return startSentences(
    starts.map((start, index) => ({ ...start, roadKm: kms[index] ?? null })),
    stops.map((stop, index) => ({ ...stop, roadKm: kms[starts.length + index] ?? null })),
  );
}
