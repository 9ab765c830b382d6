import type { LocationRef } from '../../domain/location.ts';

/** Where a location is opened. */
export function addressOf(ref: LocationRef): string {
  return `${ref.type === 'market' ? '/markets' : '/vending-machines'}/${ref.id}`;
}
