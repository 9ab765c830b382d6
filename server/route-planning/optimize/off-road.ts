import { offRoadSentences } from '../../../domain/far-place.ts';
import { toPoint } from '../../../domain/location.ts';
import type { Roads } from '../../deps.ts';

type Located = { name: string; latitude: string; longitude: string };

/** The sentences about those locations of a plan that no road is near; none where no engine knows. */
export async function offRoadWarnings(roads: Roads, locations: readonly Located[]): Promise<string[]> {
  const kms = await roads.roadKm(locations.map(toPoint));
  return offRoadSentences(locations.map(({ name }, index) => ({ name, roadKm: kms[index] ?? null })));
}
