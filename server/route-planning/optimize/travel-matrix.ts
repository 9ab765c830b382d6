import type { TravelMatrix } from '../../roads/service.ts';

export type { TravelMatrix } from '../../roads/service.ts';

/** The places that can be come to from the first place and left for `home`, by index; the rest has no way by road. */
export function reachedFrom(matrix: TravelMatrix, home: number): (place: number) => boolean {
  const isNowhere = (from: number, to: number): boolean => matrix.durations[from]?.[to] === null;
  return (place) => !isNowhere(0, place) && !isNowhere(place, home);
}

/** Minutes of driving from the first place to another and on to `home`; null where there is no way by road. */
export function wayMinOf({ durations }: TravelMatrix, place: number, home: number): number | null {
  const [there, back] = [durations[0]?.[place] ?? null, durations[place]?.[home] ?? null];
  return there === null || back === null ? null : (there + back) / 60;
}

/** The same matrix over some of its places. */
export function matrixOver(matrix: TravelMatrix, places: readonly number[]): TravelMatrix {
  const pick = (rows: TravelMatrix['durations']) =>
    places.map((row) => places.map((column) => rows[row]?.[column] ?? null));
  const outside = places.map((place) => matrix.outside[place] ?? false);
  return { ...matrix, outside, durations: pick(matrix.durations), distances: pick(matrix.distances) };
}
