import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { countPlaces, type ListedPlace, pagePlaces } from '../../../contract/locations.ts';
import { call } from '../../http/client.ts';
import { queryFor } from '../../http/query-client.ts';

type Query = Parameters<typeof call<typeof pagePlaces>>[1]['query'];

/** Which locations are wanted; what is absent narrows nothing. */
export type PlaceWish = Omit<Query, 'page' | 'limit' | 'sort'>;

const pageRows = 100;
/** Pages for everything that matches: the largest that the server answers. */
const largestPage = 1_000;

/** The locations that match, page after page. What was found stays in sight until the next answer, but not of another route. */
export function usePlacePages(wish: PlaceWish, sort: 'name' | '-low') {
  return useInfiniteQuery({
    queryKey: [pagePlaces.path, wish, sort],
    queryFn: ({ pageParam }) =>
      call(pagePlaces, { query: { ...wish, sort, limit: pageRows, ...(pageParam ? { page: pageParam } : {}) } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (before, query) =>
      (query?.queryKey[1] as PlaceWish | undefined)?.route === wish.route ? before : undefined,
  });
}

/** The first locations that match. */
export function useFirstPlaces(wish: PlaceWish, limit: number) {
  return useQuery({
    ...queryFor(pagePlaces, { query: { ...wish, limit } }),
    placeholderData: keepPreviousData,
  });
}

/** How many locations each route has, and how many of them need a visit. */
export const usePlaceCounts = () => useQuery(queryFor(countPlaces, {}));

/** Everything that matches; null: more than `most`. */
export async function loadPlaces(wish: PlaceWish, most: number): Promise<ListedPlace[] | null> {
  const found: ListedPlace[] = [];
  let page: string | null = null;
  do {
    const answer: Awaited<ReturnType<typeof call<typeof pagePlaces>>> = await call(pagePlaces, {
      query: { ...wish, limit: largestPage, ...(page ? { page } : {}) },
    });
    if (answer.total > most) return null;
    found.push(...answer.rows);
    page = answer.next;
  } while (page && found.length <= most);
  return found;
}
