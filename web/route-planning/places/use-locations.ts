import { startTransition, useEffect, useMemo, useState } from 'react';
import type { LocationType } from '../../../domain/location.ts';
import { usePlacePages } from '../../locations/find/places.ts';
import { type Filter, toCandidate, wishOf } from './locations.ts';
import type { ListState, Tab } from './select-card.tsx';

type Locations = {
  lists: Record<Tab, ListState>;
  /** What all but the list in front goes by: they are asked once its rows are there, not at the same time. */
  followed: Filter;
};

/** Both lists as the screen needs them: what was loaded of them so far, and how many there are. */
export function useLocations({ tab, route, asked, lowOnly }: Filter & { tab: Tab }): Locations {
  const [followed, setFollowed] = useState<Filter>({ route, asked, lowOnly });
  const filter = { route, asked, lowOnly };
  const markets = useList('market', tab === 'markets' ? filter : followed);
  const machines = useList('vending_machine', tab === 'machines' ? filter : followed);
  const lists = { markets, machines };
  const isBehind = followed.route !== route || followed.asked !== asked || followed.lowOnly !== lowOnly;
  const follows = isBehind && lists[tab].isSettled;
  // After the rows are on the screen: what follows draws for longer than they do.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filter is a new object with each drawing
  useEffect(() => {
    if (follows) startTransition(() => setFollowed(filter));
  }, [follows, route, asked, lowOnly]);
  return { lists, followed };
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
    isSettled: asked.isError || (asked.isSuccess && !asked.isPlaceholderData),
    failure: asked.isError && !asked.data ? asked.error : null,
    retry: () => void asked.refetch(),
    more: () => {
      if (asked.hasNextPage && !asked.isFetchingNextPage && !asked.isPlaceholderData) void asked.fetchNextPage();
    },
  };
}
