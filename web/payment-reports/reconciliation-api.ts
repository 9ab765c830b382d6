import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  countCash,
  getReconciliation,
  importPayouts,
  type PaymentDifference,
  reopenDifference,
  settleDifference,
} from '../../contract/reconciliation.ts';
import type { IntegrationSystem } from '../../domain/integration.ts';
import { call, sentenceOf } from '../http/client.ts';
import { countOf, formatNumber } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';
import { queryOf, type Wish } from './wish.ts';

export const useReconciliation = (wish: Wish) =>
  useQuery({ ...queryFor(getReconciliation, { query: queryOf(wish) }), placeholderData: keepPreviousData });

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [getReconciliation.path] });
}

const failed = (error: unknown): void =>
  toast({ title: 'Not saved', description: sentenceOf(error), variant: 'destructive' });

export function useReopen() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (key: string) => call(reopenDifference, { body: { key } }),
    onSuccess: async () => {
      toast({ title: 'Difference open again' });
      await refresh();
    },
    onError: failed,
  });
}

export function useSettle() {
  const refresh = useRefresh();
  const reopen = useReopen();
  return useMutation({
    mutationFn: ({ key, kind, at }: Pick<PaymentDifference, 'key' | 'kind' | 'at'>) =>
      call(settleDifference, { body: { key, kind, at } }),
    onSuccess: async ({ key }) => {
      toast({ title: 'Difference accepted', action: { label: 'Undo', run: () => reopen.mutate(key) } });
      await refresh();
    },
    onError: failed,
  });
}

export function useCountCash() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ visitId, counted }: { visitId: string; counted: string | null }) =>
      call(countCash, { params: { visitId }, body: { counted } }),
    onSuccess: async () => void (await refresh()),
    onError: failed,
  });
}

export function useImportPayouts() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ system, file }: { system: IntegrationSystem; file: File }) =>
      call(importPayouts, { body: { system, name: file.name.slice(0, 100), content: await file.text() } }),
    onSuccess: async ({ added, known, refused }) => {
      const [first] = refused;
      const odd = first
        ? ` Left out: line ${first.line} ${first.reason}${refused.length > 1 ? `, and ${refused.length - 1} more` : ''}.`
        : '';
      const before = known > 0 ? `${formatNumber(known)} known already and not counted again` : 'none known already';
      toast({
        title: added === 0 && known > 0 ? 'Nothing new in this file' : 'Payout file taken in',
        description: `${countOf(added, 'line')} new, ${before}.${odd}`,
      });
      await refresh();
    },
    onError: failed,
  });
}
