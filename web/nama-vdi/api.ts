import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  listVdiAlerts,
  listVdiConfigs,
  listVdiDevices,
  listVdiSyncJobs,
  listVdiTransactions,
  setVdiStatus,
  syncVdiDevices,
  syncVdiTransactions,
  testVdiConnection,
} from '../../contract/nama-vdi.ts';
import { call, sentenceOf } from '../http/client.ts';
import { countOf } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { integrationsChanged } from '../integrations/config-api.ts';
import { useIsRemoved } from '../integrations/removed-config.ts';
import { toast } from '../ui/toasts/toast.ts';

/** Of transactions and alerts the newest are shown. */
export const shown = 10;

export const useVdiConfigs = () => useQuery(queryFor(listVdiConfigs, {}));
export const useVdiDevices = (configId: number) =>
  useQuery({ ...queryFor(listVdiDevices, { query: { configId } }), enabled: !useIsRemoved(configId) });
export const useVdiTransactions = (configId: number) =>
  useQuery({
    ...queryFor(listVdiTransactions, { query: { configId, limit: shown } }),
    enabled: !useIsRemoved(configId),
  });
export const useVdiAlerts = (configId: number) =>
  useQuery({ ...queryFor(listVdiAlerts, { query: { configId, limit: shown } }), enabled: !useIsRemoved(configId) });
export const useVdiSyncJobs = (configId: number) =>
  useQuery({ ...queryFor(listVdiSyncJobs, { query: { configId, limit: 50 } }), enabled: !useIsRemoved(configId) });

export const tellRefused = (error: unknown): void =>
  toast({ variant: 'destructive', title: 'Error', description: sentenceOf(error) });

const records = (count: number): string => countOf(count, 'record');

/** Asks the other side now; lists are read again also after a failure, which leaves a job. */
export function useVdiSync(what: 'devices' | 'transactions') {
  const client = useQueryClient();
  const endpoint = what === 'devices' ? syncVdiDevices : syncVdiTransactions;
  return useMutation({
    mutationFn: (id: number) => call(endpoint, { params: { id } }),
    onSuccess: ({ recordsProcessed, note }) =>
      toast({
        title: what === 'devices' ? 'Devices Synced' : 'Transactions Synced',
        description: `${records(recordsProcessed)} processed.${note ? ` ${note}` : ''}`,
      }),
    onError: (error) => toast({ variant: 'destructive', title: 'Sync Failed', description: sentenceOf(error) }),
    onSettled: () => integrationsChanged(client),
  });
}

export function useVdiTest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(testVdiConnection, { params: { id } }),
    onSuccess: ({ connected, error }) =>
      connected
        ? toast({ title: 'Connection Successful', description: 'VDI system is reachable' })
        : toast({
            variant: 'destructive',
            title: 'Connection Failed',
            description: error ?? 'Connection test failed',
          }),
    onError: (error) => toast({ variant: 'destructive', title: 'Connection Failed', description: sentenceOf(error) }),
    onSettled: () => integrationsChanged(client),
  });
}

type SettableStatus = 'active' | 'inactive' | 'maintenance';

const statusTold: Record<SettableStatus, [title: string, rest: string]> = {
  active: ['Configuration Active', 'syncs again'],
  inactive: ['Configuration Inactive', 'is not synced any more'],
  maintenance: ['Configuration in Maintenance', 'is synced by button only'],
};

export function useSetVdiStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: { id: number; status: SettableStatus }) =>
      call(setVdiStatus, { params: { id }, body: { status } }),
    onSuccess: ({ name }, { status }) => {
      const [title, rest] = statusTold[status];
      toast({ title, description: `${name} ${rest}` });
      return integrationsChanged(client);
    },
    onError: tellRefused,
  });
}
