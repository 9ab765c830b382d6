import { QueryClient, queryOptions } from '@tanstack/react-query';
import type { CallArgs, Endpoint, Reply } from '../../contract/endpoint.ts';
import { call, load } from './client.ts';

/**
 * Data never becomes stale by itself: the server pushes what changed. Nothing is fetched again on focus or in intervals,
 * and nothing that failed is sent twice.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey }) => load(String(queryKey[0])),
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Query options of an endpoint, keyed by its path and what is asked of it. */
export function queryFor<E extends Endpoint>(endpoint: E, args: CallArgs<E>) {
  return queryOptions<Reply<E>>({ queryKey: [endpoint.path, args], queryFn: () => call(endpoint, args) });
}
