import type { Stop } from '../../../contract/routes.ts';
import type { LocationRef } from '../../../domain/location.ts';

/** The location that a stop visits. */
export function stopRef(stop: Stop): LocationRef {
  if (stop.marketId !== null) return { type: 'market', id: stop.marketId };
  return { type: 'vending_machine', id: stop.vendingMachineId ?? 0 };
}

/** Where its stock is counted. */
export function inventoryAddress(stop: Stop): string {
  const { type, id } = stopRef(stop);
  return `/mobile-inventory?type=${type}&id=${id}`;
}
