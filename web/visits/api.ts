import { useInfiniteQuery } from '@tanstack/react-query';
import { listVisits } from '../../contract/visits.ts';
import type { LocationRef } from '../../domain/location.ts';
import { call } from '../http/client.ts';

const pageSize = 10;

/** The visits of a location, newest first, page after page. */
export function useVisits({ type, id }: LocationRef) {
  return useInfiniteQuery({
    queryKey: [listVisits.path, { type, id }],
    queryFn: ({ pageParam }) =>
      call(listVisits, { query: { type, id, limit: pageSize, ...(pageParam ? { before: pageParam } : {}) } }),
    initialPageParam: '',
    // A phone is not told of the visits it sent itself: opened again, the list is asked for again.
    staleTime: 0,
    getNextPageParam: (page) => (page.more ? page.visits.at(-1)?.openedAt : undefined),
  });
}

const exportedAtOnce = 100;

/** A page of the visits for an export, by where the one before ended. */
export async function loadVisits({ type, id }: LocationRef, before: string | null) {
  const query = { type, id, limit: exportedAtOnce, ...(before ? { before } : {}) };
  const { visits, more } = await call(listVisits, { query });
  return { rows: visits, next: more ? (visits.at(-1)?.openedAt ?? null) : null };
}
