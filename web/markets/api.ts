import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createMarket,
  getMarket,
  getMarketSummary,
  listRouteDesignations,
  type Market,
  pageMarkets,
  removeMarket,
  updateMarket,
} from '../../contract/markets.ts';
import type { MarketInput, MarketUpdate } from '../../domain/market.ts';
import { call } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

export type MarketFilter = { search: string; status: string | null; sort: string };

type PageQuery = Parameters<typeof call<typeof pageMarkets>>[1]['query'];

/** The filter as the server takes it. */
function asked({ search, status, sort }: MarketFilter): PageQuery {
  return {
    // The address may name any sort; one the server does not know is refused there with a sentence.
    sort: sort as NonNullable<PageQuery['sort']>,
    ...(search ? { search } : {}),
    ...(status ? { status } : {}),
  };
}

export function useMarketsPage(filter: MarketFilter, page: string | null, limit?: number) {
  const query = { ...asked(filter), ...(limit ? { limit } : {}), ...(page ? { page } : {}) };
  return useQuery({ ...queryFor(pageMarkets, { query }), placeholderData: keepPreviousData });
}

/** Pages for an export: large ones, one after the other. */
export function loadMarketsPage(filter: MarketFilter, page: string | null) {
  return call(pageMarkets, { query: { ...asked(filter), limit: 1000, ...(page ? { page } : {}) } });
}

export const useMarketSummary = () => useQuery(queryFor(getMarketSummary, {}));

/** The market that something is narrowed down to, if any. */
export const useChosenMarket = (id: number | null) =>
  useQuery({ ...queryFor(getMarket, { params: { id: id ?? 0 } }), enabled: id !== null });

export const loadMarket = (id: number): Promise<Market> => call(getMarket, { params: { id } });

export function useDesignations() {
  return useQuery(queryFor(listRouteDesignations, {}));
}

/** Everything that shows markets or counts them. */
const shownIn = [
  '/api/markets',
  '/api/locations',
  '/api/dashboard',
  '/api/inventory',
  '/api/route-designations',
  '/api/scheduled-routes',
];

function marketsChanged(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => shownIn.some((start) => String(path).startsWith(start)),
  });
}

/** Creates a market, or changes the one given; says how it went. The failure is the form's to show as well. */
export function useSaveMarket(market: Market | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: MarketUpdate): Promise<Market> =>
      market
        ? call(updateMarket, { params: { id: market.id }, body }, { version: market.version })
        : // The form of a new one has checked it as such.
          call(createMarket, { body: body as MarketInput }),
    onSuccess: (saved) => {
      toast({ title: market ? 'Market Updated' : 'Market Created', description: saved.name });
      return marketsChanged(client);
    },
    onError: () =>
      toast(
        market
          ? { ...failed, title: 'Update Failed', description: 'Failed to update market. Please try again.' }
          : { ...failed, title: 'Creation Failed', description: 'Failed to create market. Please try again.' },
      ),
  });
}

const failed = { variant: 'destructive' } as const;

export function useRemoveMarket() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(removeMarket, { params: { id } }),
    onSuccess: () => {
      toast({ title: 'Market Deleted', description: 'Market has been successfully deleted.' });
      return marketsChanged(client);
    },
    onError: () =>
      toast({ ...failed, title: 'Delete Failed', description: 'Failed to delete market. Please try again.' }),
  });
}
