import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply } from '../../contract/endpoint.ts';
import { linkDevice } from '../../contract/integration-review.ts';
import { cancelSync, pageSyncRuns, startSync } from '../../contract/integration-runs.ts';
import { listConfigs, listSystems, removeConfig, updateConfig } from '../../contract/integrations.ts';
import {
  connectLightspeed,
  lightspeedRedirect,
  pageLightspeedOutlets,
  pageLightspeedProducts,
  pageLightspeedSales,
} from '../../contract/lightspeed.ts';
import { call, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { configRemoval, useForgetConfig, useIsRemoved } from '../integrations/removed-config.ts';
import { toast } from '../ui/toasts/toast.ts';

const system = 'lightspeed' as const;

export const useConfigs = () => useQuery(queryFor(listConfigs, { query: { system } }));

/** The fields of the form, as the connector names them. */
export function useFields() {
  const systems = useQuery(queryFor(listSystems, {}));
  return { ...systems, data: systems.data?.find((one) => one.system === system) };
}

export const useRedirectUri = () => useQuery(queryFor(lightspeedRedirect, {}));

type ListWish = { configId: number; search: string; page: string | null };
const asked = ({ configId, search, page }: ListWish) => ({
  configId,
  ...(search ? { search } : {}),
  ...(page ? { page } : {}),
});

function useKept(configId: number) {
  return { enabled: !useIsRemoved(configId), placeholderData: keepPreviousData };
}

export const useOutlets = (wish: ListWish) =>
  useQuery({ ...queryFor(pageLightspeedOutlets, { query: asked(wish) }), ...useKept(wish.configId) });
export const useLightspeedSales = (wish: ListWish) =>
  useQuery({ ...queryFor(pageLightspeedSales, { query: asked(wish) }), ...useKept(wish.configId) });

type Sort = NonNullable<Parameters<typeof call<typeof pageLightspeedProducts>>[1]['query']['sort']>;
export const useLightspeedProducts = (wish: ListWish & { sort: string }) =>
  useQuery({
    ...queryFor(pageLightspeedProducts, { query: { ...asked(wish), sort: wish.sort as Sort } }),
    ...useKept(wish.configId),
  });

export const useRuns = (configId: number, page: string | null) =>
  useQuery({
    ...queryFor(pageSyncRuns, { query: { configId, limit: 10, ...(page ? { page } : {}) } }),
    placeholderData: keepPreviousData,
  });

type Wish = Parameters<typeof call<typeof connectLightspeed>>[1]['body'];

/** Leaves for Lightspeed's sign-in page, where the one who asked is still there: nobody is carried off from a dialog they closed. */
export function useConnect() {
  const { isPending, mutateAsync } = useMutation({ mutationFn: (body: Wish) => call(connectLightspeed, { body }) });
  const leave = ({ url }: Reply<typeof connectLightspeed>): void => window.location.assign(url);
  return { isPending, connect: (body: Wish) => mutateAsync(body, { onSuccess: leave }) };
}

function changed(client: QueryClient): Promise<void> {
  const starts = ['/api/integration', '/api/lightspeed'];
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => starts.some((start) => String(path).startsWith(start)),
  });
}

const waitingText = (booked: number): string =>
  booked === 1 ? '1 waiting sale is booked' : `${booked} waiting sales are booked`;

export function useTie() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, marketId }: { id: number; marketId: number }) =>
      call(linkDevice, { params: { id }, body: { type: 'market', id: marketId } }),
    onSuccess: ({ booked }) => {
      toast({ title: 'Outlet tied', description: booked ? waitingText(booked) : undefined });
      return changed(client);
    },
    // Not said in the dialog: it may have been closed before the answer came.
    onError: (error) => toast({ variant: 'destructive', title: 'Not Tied', description: sentenceOf(error) }),
  });
}

export function useStartSync() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(startSync, { params: { id }, body: {} }),
    onSuccess: () => changed(client),
    onError: (error) => toast({ variant: 'destructive', title: 'Sync Failed', description: sentenceOf(error) }),
  });
}

export function useCancelSync() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(cancelSync, { params: { id } }),
    onSuccess: () => changed(client),
    onError: (error) => toast({ variant: 'destructive', title: 'Error', description: sentenceOf(error) }),
  });
}

export function useSetActive() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isActive }: { id: number; isActive: boolean }) =>
      call(updateConfig, { params: { id }, body: { isActive } }),
    onSuccess: ({ isActive }) => {
      toast({ title: isActive ? 'Activated' : 'Paused' });
      return changed(client);
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Error', description: sentenceOf(error) }),
  });
}

export function useDisconnect() {
  const client = useQueryClient();
  const forget = useForgetConfig(['tab', 'page', 'q', 'sort']);
  return useMutation({
    mutationKey: configRemoval,
    mutationFn: (id: number) => call(removeConfig, { params: { id } }),
    onSuccess: (_, configId) => {
      forget(configId);
      toast({ title: 'Disconnected', description: 'The secrets are erased. Sales and markets stay.' });
      return changed(client);
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Error', description: sentenceOf(error) }),
  });
}
