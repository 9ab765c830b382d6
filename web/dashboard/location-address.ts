import type { LocationRef } from '../../domain/location.ts';

/** Where a location is opened. */
export function addressOf(ref: LocationRef): string {
  return `/mobile-inventory?type=${ref.type}&id=${ref.id}`;
}
