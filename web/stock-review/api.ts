import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  acceptHeld,
  dismissHeld,
  listStockReview,
  reopenConflict,
  reopenHeld,
  settleConflict,
} from '../../contract/stock-review.ts';
import { call } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';

export const useReview = () => useQuery(queryFor(listStockReview, {}));

/** Failed too: somebody else was quicker, and the list says so. */
function reread(client: QueryClient): Promise<void> {
  const starts = ['/api/stock-review', '/api/dashboard/exceptions'];
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => starts.some((start) => String(path).startsWith(start)),
  });
}

export function useSettle() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, keep }: { id: number; keep: 'first' | 'second' }) =>
      call(settleConflict, { params: { id }, body: { keep } }),
    onSettled: () => reread(client),
  });
}

export function useReopen() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(reopenConflict, { params: { id } }),
    onSettled: () => reread(client),
  });
}

const decisions = { accept: acceptHeld, dismiss: dismissHeld, reopen: reopenHeld };

export function useDecide() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ eventId, verb }: { eventId: string; verb: keyof typeof decisions }) =>
      call(decisions[verb], { params: { eventId } }),
    onSettled: () => reread(client),
  });
}
