import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { acknowledgeAlert, listAlerts } from '../../contract/alerts.ts';
import { call, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toast.ts';

/** Alerts that are not resolved, newest first. */
export const useOpenAlerts = (query: { acknowledged?: 'true' | 'false' }) => useQuery(queryFor(listAlerts, { query }));

const shownIn = ['/api/vending-machine-alerts', '/api/dashboard'];

function alertsChanged(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => shownIn.some((start) => String(path).startsWith(start)),
  });
}

export function useAcknowledge() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(acknowledgeAlert, { params: { id } }),
    onSuccess: () => alertsChanged(client),
    onError: (error) => toast({ title: 'Not acknowledged', description: sentenceOf(error), variant: 'destructive' }),
  });
}
