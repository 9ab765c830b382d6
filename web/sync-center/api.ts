import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply } from '../../contract/endpoint.ts';
import {
  autoTriggerSync,
  getSyncStatus,
  listLatestRuns,
  pageSyncedDevices,
  triggerSync,
} from '../../contract/sync-center.ts';
import type { IntegrationSystem } from '../../domain/integration.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { call, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

export type DeviceType = 'all' | 'market' | 'vending_machine';

export const useLatestRuns = () => useQuery(queryFor(listLatestRuns, {}));
export const useSyncStatus = () => useQuery(queryFor(getSyncStatus, {}));

export function useSyncedDevices(type: DeviceType, search: string, page: string | null) {
  const query = { type, ...(search ? { search } : {}), ...(page ? { page } : {}) };
  return useQuery({ ...queryFor(pageSyncedDevices, { query }), placeholderData: keepPreviousData });
}

/** Status, markets and machines. */
function reload(client: QueryClient): Promise<void> {
  const starts = ['/api/integration', '/api/markets', '/api/vending-machines'];
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => starts.some((start) => String(path).startsWith(start)),
  });
}

/** Named once: what a system says of itself mostly begins with its name. */
function failureText({ system, message }: { system: IntegrationSystem; message: string }): string {
  const label = systemLabel[system];
  return message.startsWith(label) ? message : `${label}: ${message}`;
}

const stopText = (system: IntegrationSystem): string =>
  `${systemLabel[system]} was stopped by somebody: what was read until then stays.`;

function busyText(systems: readonly IntegrationSystem[]): string {
  const names = systems.map((system) => systemLabel[system]).join(' and ');
  const [were, they] = systems.length === 1 ? ['was', 'it brings'] : ['were', 'they bring'];
  return `${names} ${were} being read already: what ${they} is not counted here.`;
}

/** What goes on at somebody else's word has not come to its end. */
function titleOf({ failures, stopped, busy }: Reply<typeof triggerSync>): string {
  if (failures.length > 0) return 'Sync Completed';
  if (stopped.length > 0) return 'Sync Stopped';
  return busy.length > 0 ? 'Sync Goes On' : 'Sync Completed';
}

export function useManualSync() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(triggerSync, {}),
    onSuccess: (done) => {
      const { success, devicesAdded, devicesUpdated, failures, stopped, busy } = done;
      const beside = busy.length > 0 ? [busyText(busy)] : [];
      const rest = [...failures.map(failureText), ...stopped.map(stopText), ...beside].join(' ');
      toast({
        title: titleOf(done),
        description: `Added ${devicesAdded} devices, updated ${devicesUpdated} devices${rest ? `. ${rest}` : ''}`,
        ...(success ? {} : { variant: 'destructive' }),
      });
      return reload(client);
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Sync Failed', description: sentenceOf(error) }),
  });
}

export function useAutoSync() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(autoTriggerSync, {}),
    onSuccess: () => {
      toast({ title: 'Auto-Sync Triggered', description: 'Automatic synchronization has been initiated.' });
      return reload(client);
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Auto-Sync Failed', description: sentenceOf(error) }),
  });
}
