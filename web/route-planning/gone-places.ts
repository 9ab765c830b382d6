import type { LocationRef } from '../../domain/location.ts';
import { locationKey } from '../../domain/place.ts';
import { isRefused } from '../http/client.ts';

type Named = LocationRef & { name: string };

/** Those that the server refused because they were deleted after they were chosen. */
export function goneOf<P extends Named>(error: unknown, places: readonly P[]): P[] {
  return places.filter((place) => isRefused(error, locationKey(place)));
}

/** Said of them once they are taken out. */
export function goneText(gone: readonly Named[]): string {
  const [first] = gone;
  return first && gone.length === 1
    ? `${first.name} does not exist any more and was taken out.`
    : `${gone.length} of the locations do not exist any more and were taken out.`;
}
