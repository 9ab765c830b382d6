import { QueryClient, queryOptions } from '@tanstack/react-query';
import type { CallArgs, Endpoint, Reply } from '../../contract/endpoint.ts';
import { ApiError, call, load } from './client.ts';

/** A busy server is asked so often again, each time when it said. */
const triesWhenBusy = 3;
/** Nobody waits longer than this without being told. */
const longestWaitMs = 15_000;

/** After how long a busy server wants to be asked again; null: not by itself. */
export function busyWaitMs(error: unknown): number | null {
  const seconds = error instanceof ApiError && error.status === 503 ? error.retryAfterSeconds : null;
  const wait = seconds ? seconds * 1000 : null;
  return wait !== null && wait <= longestWaitMs ? wait : null;
}

/** Marks a read its screen does well without, and never waits for: its failure is nothing to tell about the server. */
export const doneWithout = { isDoneWithout: true };

/** A server that restarts is looked for this often. */
const lookAgainMs = 5_000;

/** After how long to look whether a server is back that restarts or has no database; null: it would not help. */
export function askAgainMs(error: unknown): number | null {
  return busyWaitMs(error) ?? (error instanceof ApiError && error.isUnreachable ? lookAgainMs : null);
}

/**
 * Data never becomes stale by itself: the server pushes what changed. Nothing is fetched again on focus or in intervals,
 * and nothing that failed is sent twice, but for reading what a busy server asked to be read a moment later.
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
        retry: (failures, error) => failures < triesWhenBusy && busyWaitMs(error) !== null,
        retryDelay: (_failures, error) => busyWaitMs(error) ?? 0,
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
