import { useState } from 'react';
import { allRoutes, type LocationFilter } from './location-filter.ts';

const key = 'milkrun-field-filter';
const nothing: LocationFilter = { search: '', route: allRoutes, type: 'market' };

/** The list's search, route and kind: kept while the tab lives, so that a reload in the cellar changes nothing. */
export function useKeptFilter(): [LocationFilter, (filter: LocationFilter) => void] {
  const [filter, setFilter] = useState(recall);
  const keep = (next: LocationFilter) => {
    setFilter(next);
    try {
      sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // A full or forbidden storage: the filter still holds until the reload.
    }
  };
  return [filter, keep];
}

function recall(): LocationFilter {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return isFilter(kept) ? kept : nothing;
  } catch {
    return nothing;
  }
}

function isFilter(kept: unknown): kept is LocationFilter {
  if (typeof kept !== 'object' || kept === null) return false;
  const { search, route, type } = kept as Partial<LocationFilter>;
  return typeof search === 'string' && typeof route === 'string' && (type === 'market' || type === 'vending_machine');
}
