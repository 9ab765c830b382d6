import { type QueryClient, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type Alert,
  acknowledgeAlert,
  alertPage,
  getAlertRules,
  reopenAlert,
  resolveAlert,
  saveAlertRules,
} from '../../contract/alerts.ts';
import { type AlertSettings, type AlertState, severity } from '../../domain/alert-rules.ts';
import { call, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

export type AlertFilter = {
  state: AlertState;
  severity?: string;
  type?: string;
  route?: string;
  q?: string;
  machine?: number;
  sort?: 'gravest' | 'newest';
};

/** Alerts that nobody has taken note of: the gravest of them, and how many there are. */
export const useNewAlerts = (limit: number) =>
  useQuery(queryFor(alertPage, { query: { state: 'new', sort: 'gravest', limit } }));

export const alertsAtOnce = 25;

/** What the server is asked; a severity from an old address is left out. */
function asked({ severity: grave, ...filter }: AlertFilter) {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '' && value !== undefined));
  const known = severity.safeParse(grave);
  return { ...given, ...(known.success ? { severity: known.data } : {}) };
}

export async function loadAlertPage(filter: AlertFilter, page: string | null) {
  const query = { ...asked(filter), limit: 100, ...(page ? { cursor: Number(page) } : {}) };
  const { alerts, next } = await call(alertPage, { query });
  return { rows: alerts, next: next === null ? null : String(next) };
}

export function useAlertPages(filter: AlertFilter) {
  const query = { ...asked(filter), limit: alertsAtOnce };
  return useInfiniteQuery({
    queryKey: [alertPage.path, query],
    queryFn: ({ pageParam }) => call(alertPage, { query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) } }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: (before) => before,
  });
}

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

/** The same slot is sold out in many machines: with its machine one knows which alert it was. */
const named = ({ machineName, message }: Alert): string => `${machineName}: ${message}`;

/** Ends an alert. Its cause raises no other while it is there, so a slip of the hand can be taken back. */
export function useResolve() {
  const client = useQueryClient();
  const reopen = useMutation({
    mutationFn: ({ id }: Alert) => call(reopenAlert, { params: { id } }),
    onSuccess: (alert) => {
      toast({ title: 'Alert open again', description: named(alert) });
      return alertsChanged(client);
    },
    onError: (error) => {
      toast({ title: 'Not taken back', description: sentenceOf(error), variant: 'destructive' });
      return alertsChanged(client);
    },
  });
  return useMutation({
    mutationFn: (id: number) => call(resolveAlert, { params: { id } }),
    onSuccess: (alert) => {
      toast({
        title: 'Alert resolved',
        description: named(alert),
        action: { label: 'Undo', run: () => reopen.mutate(alert) },
      });
      return alertsChanged(client);
    },
    onError: (error) => toast({ title: 'Not resolved', description: sentenceOf(error), variant: 'destructive' }),
  });
}

export const loadAlertRules = () => call(getAlertRules, {});

export const useAlertRules = () => useQuery(queryFor(getAlertRules, {}));

export function useSaveAlertRules(version: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settings: AlertSettings) => call(saveAlertRules, { body: settings }, { version }),
    onSuccess: () => {
      toast({ title: 'Alert rules saved' });
      return alertsChanged(client);
    },
  });
}
