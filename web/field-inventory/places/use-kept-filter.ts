import { useState } from 'react';
import { allRoutes, type KeptFilter } from './location-filter.ts';

const key = 'milkrun-field-filter';
const nothing: KeptFilter = { search: '', route: allRoutes, type: null };

/** The list's search, route and kind: kept while the tab lives, so that a reload in the cellar changes nothing. */
export function useKeptFilter(): [KeptFilter, (filter: KeptFilter) => void] {
  const [filter, setFilter] = useState(recall);
  const keep = (next: KeptFilter) => {
    setFilter(next);
    try {
      sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // A full or forbidden storage: the filter still holds until the reload.
    }
  };
  return [filter, keep];
}

function recall(): KeptFilter {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return isFilter(kept) ? kept : nothing;
  } catch {
    return nothing;
  }
}

function isFilter(kept: unknown): kept is KeptFilter {
  if (typeof kept !== 'object' || kept === null) return false;
  const { search, route, type } = kept as Partial<KeptFilter>;
  const isKind = type === 'market' || type === 'vending_machine' || type === null;
  return typeof search === 'string' && typeof route === 'string' && isKind;
}
