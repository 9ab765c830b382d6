import type { VendingMachine } from '../../contract/machines.ts';
import type { Market, MarketWithInventory } from '../../contract/markets.ts';
import type { LocationRef } from '../../domain/location.ts';

/** A location that may be planned, and whether anything is low there. */
export type Place = LocationRef & { designation: string; needsVisit: boolean };

/** Locations in service. Machines and markets that are under repair or switched off are not visited by plan. */
export function placesOf(
  markets: readonly Market[],
  stock: readonly MarketWithInventory[],
  machines: readonly VendingMachine[],
): Place[] {
  const low = new Set(stock.filter((market) => market.lowStockCount > 0).map((market) => market.id));
  return [
    ...markets.map(({ id, status, routeDesignation }) => ({
      type: 'market' as const,
      id,
      status,
      designation: routeDesignation ?? '',
      needsVisit: low.has(id),
    })),
    ...machines.map(({ id, status, routeDesignation, lowSlots }) => ({
      type: 'vending_machine' as const,
      id,
      status,
      designation: routeDesignation ?? '',
      needsVisit: lowSlots > 0,
    })),
  ].flatMap(({ status, ...place }) => (status === 'inactive' ? [] : [place]));
}

export type Group = { designation: string; all: number; needing: number };

/** How many locations each route designation has, and how many of them need a visit. */
export function groupsOf(places: readonly Place[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { designation, needsVisit } of places) {
    const group = groups.get(designation) ?? { designation, all: 0, needing: 0 };
    group.all += 1;
    if (needsVisit) group.needing += 1;
    groups.set(designation, group);
  }
  return [...groups.values()].sort((a, b) => a.designation.localeCompare(b.designation, 'en', { numeric: true }));
}

/** What a setting of the screen chooses. */
export function chosenOf(places: readonly Place[], off: ReadonlySet<string>, everything: boolean): Place[] {
  return places.filter((place) => !off.has(place.designation) && (everything || place.needsVisit));
}

/** The search gets longer with the plan: seconds for a day's routes, half a minute for a fleet. */
export function timeLimitMs(places: number): number {
  if (places <= 100) return 3_000;
  return places <= 400 ? 8_000 : 30_000;
}
