import type { VendingMachine } from '../../../contract/machines.ts';
import type { Market, MarketWithInventory } from '../../../contract/markets.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { locationKey, type Point } from '../../../domain/place.ts';
import { toLatLng } from '../../http/parse.ts';

/** A location that may be visited, as both lists and the map show it. */
export type Candidate = LocationRef &
  Point & {
    key: string;
    name: string;
    /** Address of a market, location text of a machine: what its row shows. */
    where: string;
    address: string;
    status: string;
    routeDesignation: string | null;
    /** Products or slots at or under their minimum; null while not known. */
    lowCount: number | null;
    /** Name, place and route in lower case, for the search box. */
    searched: string;
  };

export function marketCandidates(markets: readonly Market[], stock: readonly MarketWithInventory[]): Candidate[] {
  const low = new Map(stock.map((market) => [market.id, market.lowStockCount]));
  return markets.map((market) => ({
    type: 'market',
    id: market.id,
    key: locationKey({ type: 'market', id: market.id }),
    ...toLatLng(market),
    name: market.name,
    where: market.address,
    address: market.address,
    status: market.status,
    routeDesignation: market.routeDesignation,
    lowCount: low.get(market.id) ?? null,
    searched: searchedText(market.name, market.address, market.routeDesignation),
  }));
}

export function machineCandidates(machines: readonly VendingMachine[]): Candidate[] {
  return machines.map((machine) => ({
    type: 'vending_machine',
    id: machine.id,
    key: locationKey({ type: 'vending_machine', id: machine.id }),
    ...toLatLng(machine),
    name: machine.name,
    where: machine.location,
    address: machine.address,
    status: machine.status,
    routeDesignation: machine.routeDesignation,
    lowCount: machine.lowSlots,
    searched: searchedText(machine.name, machine.location, machine.routeDesignation),
  }));
}

function searchedText(name: string, where: string, designation: string | null): string {
  return `${name}\n${where}\n${designation ?? ''}`.toLowerCase();
}

/** Rows of a list: those whose name, place or route holds the text, and only the low ones where asked. */
export function matching(rows: readonly Candidate[], wanted: { text: string; lowOnly: boolean }): readonly Candidate[] {
  const text = wanted.text.trim().toLowerCase();
  if (text === '' && !wanted.lowOnly) return rows;
  return rows.filter((row) => {
    if (wanted.lowOnly && !((row.lowCount ?? 0) > 0)) return false;
    return text === '' || row.searched.includes(text);
  });
}

/** The designation all chosen locations share; null when they differ. */
export function sharedDesignation(chosen: readonly Candidate[]): string | null {
  const found = new Set(chosen.map((place) => place.routeDesignation));
  const [only = null] = found;
  return found.size === 1 ? only : null;
}
