import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  getCantaloupeStatus,
  listCantaloupeConfigs,
  listCantaloupeDevices,
  maxReportBytes,
  pageCantaloupeTransactions,
  syncCantaloupeDevices,
  syncCantaloupeTransactions,
  type TakenReport,
} from '../../contract/cantaloupe.ts';
import { removeConfig, updateConfig } from '../../contract/integrations.ts';
import { ApiError, call, sendFile, sentenceOf } from '../http/client.ts';
import { formatNumber } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { configRemoval, useForgetConfig, useIsRemoved } from '../integrations/removed-config.ts';
import { toast } from '../ui/toasts/toast.ts';

export const useConfigs = () => useQuery(queryFor(listCantaloupeConfigs, {}));

export const useStatus = (configId: number | null) =>
  useQuery({
    ...queryFor(getCantaloupeStatus, { query: configId === null ? {} : { configId } }),
    enabled: !useIsRemoved(configId),
  });
export const useDevices = (configId: number) =>
  useQuery({ ...queryFor(listCantaloupeDevices, { query: { configId } }), enabled: !useIsRemoved(configId) });
export const useTransactions = (configId: number, page: string | null) =>
  useQuery({
    ...queryFor(pageCantaloupeTransactions, { query: { configId, ...(page ? { page } : {}) } }),
    enabled: !useIsRemoved(configId),
    placeholderData: keepPreviousData,
  });

/** Everything that shows this system is read again. */
function useRefresh() {
  const client = useQueryClient();
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [path] }) =>
        typeof path === 'string' &&
        ['/api/cantaloupe', '/api/integration', '/api/payment-reports'].some((one) => path.startsWith(one)),
    });
}

type Change = { id: number; version: number; isActive: boolean };

export function useUpdateConfig() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, version, isActive }: Change) =>
      call(updateConfig, { params: { id }, body: { version, isActive } }),
    onSuccess: async () => {
      toast({ title: 'Configuration Saved' });
      await refresh();
    },
    onError: failed('Error'),
  });
}

export function useRemoveConfig() {
  const refresh = useRefresh();
  const forget = useForgetConfig(['tab', 'page', 'devices-page']);
  return useMutation({
    mutationKey: configRemoval,
    mutationFn: (id: number) => call(removeConfig, { params: { id } }),
    onSuccess: async (_, configId) => {
      forget(configId);
      toast({ title: 'Configuration Deleted', description: 'Its sales and devices stay.' });
      await refresh();
    },
    onError: failed('Error'),
  });
}

/** Shows what happened. */
export const failed = (title: string) => (error: unknown) =>
  toast({ title, description: sentenceOf(error), variant: 'destructive' });

/** Why is said in the form, which stays open. */
export const tellNotCreated = (): void =>
  toast({
    title: 'Error',
    description: 'Failed to create configuration. Please try again.',
    variant: 'destructive',
  });

export function useSync(what: 'devices' | 'transactions') {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (configId: number) =>
      call(what === 'devices' ? syncCantaloupeDevices : syncCantaloupeTransactions, { params: { configId } }),
    onSuccess: async ({ synced, message }) => {
      toast({
        title: what === 'devices' ? 'Devices Synced' : 'Transactions Synced',
        description: `Successfully synced ${formatNumber(synced)} ${what}.`,
        ...(message ? { detail: message } : {}),
      });
      await refresh();
    },
    onError: failed('Sync Failed'),
  });
}

/** Largest report file, in words. */
export const mostText = `${formatNumber(maxReportBytes / 1_000_000)} MB`;

export function useSendReport() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ configId, file }: { configId: number; file: File }): Promise<TakenReport> => {
      if (file.size > maxReportBytes) {
        const detail = `${file.name} is too large: at most ${mostText}. Export fewer days at a time.`;
        throw new ApiError(413, detail, { detail });
      }
      // The shape is the contract's promise.
      return (await sendFile(
        `/api/cantaloupe/configs/${configId}/reports?name=${encodeURIComponent(file.name)}`,
        file,
      )) as TakenReport;
    },
    onSuccess: async () => void (await refresh()),
  });
}
