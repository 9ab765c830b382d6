import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { LocationRef } from '../../domain/location.ts';

const path = '/mobile-inventory';
const fromList = 'from-list';

/** Reads `?type=market&id=7`. Null for anything else: then the list shows. */
function parseLocation(search: string): LocationRef | null {
  const params = new URLSearchParams(search);
  const type = params.get('type');
  const id = Number(params.get('id'));
  if (type !== 'market' && type !== 'vending_machine') return null;
  return Number.isInteger(id) && id > 0 ? { type, id } : null;
}

/** The location opened is in the address, so that the schedule can link to it and the phone's back button closes it. */
export function useOpenedLocation() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const cameFrom: unknown = useHistoryState();
  return {
    // One object as long as the address stays: rows are not drawn again for a new one of the same meaning.
    opened: useMemo(() => parseLocation(search), [search]),
    open: (ref: LocationRef) => navigate(`${path}?type=${ref.type}&id=${ref.id}`, { state: fromList }),
    /** Back by history when the list is behind, so that the phone's back button does not open the location again. */
    close: () => {
      if (cameFrom === fromList) window.history.back();
      else navigate(path);
    },
  };
}
