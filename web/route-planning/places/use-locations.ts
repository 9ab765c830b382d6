import { useMemo } from 'react';
import type { LocationType } from '../../../domain/location.ts';
import { usePlacePages } from '../../locations/find/places.ts';
import { type Filter, toCandidate, wishOf } from './locations.ts';
import type { ListState, Tab } from './select-card.tsx';

/** Both lists as the screen needs them: what was loaded of them so far, and how many there are. */
export function useLocations(filter: Filter): Record<Tab, ListState> {
  return { markets: useList('market', filter), machines: useList('vending_machine', filter) };
}

function useList(type: LocationType, filter: Filter): ListState {
  const wish = { type, ...wishOf(filter) };
  const asked = usePlacePages(wish, filter.lowOnly ? '-low' : 'name');
  const rows = useMemo(() => (asked.data?.pages ?? []).flatMap((page) => page.rows.map(toCandidate)), [asked.data]);
  const last = asked.data?.pages.at(-1);
  return {
    wish,
    rows,
    total: last?.total ?? 0,
    low: last?.low ?? 0,
    loading: asked.isPending,
    failure: asked.isError && !asked.data ? asked.error : null,
    retry: () => void asked.refetch(),
    more: () => {
      if (asked.hasNextPage && !asked.isFetchingNextPage && !asked.isPlaceholderData) void asked.fetchNextPage();
    },
  };
}
