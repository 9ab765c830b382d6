import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  addDevicePlace,
  adoptPlanogram,
  dismissHeld,
  ignoreDevice,
  leaveOutDelivery,
  linkDevice,
  pageDeliveries,
  pageHeld,
  pagePlanogramDifferences,
  pageReviewDevices,
  pageStockDifferences,
  readDelivery,
  repairHeld,
  replayDelivery,
  reviewSummary,
  takeBackDelivery,
} from '../../contract/integration-review.ts';
import { machinePage } from '../../contract/machines.ts';
import { pageMarkets } from '../../contract/markets.ts';
import { listProducts } from '../../contract/products.ts';
import type { LocationRef, LocationType } from '../../domain/location.ts';
import { call } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { integrationsChanged } from '../integrations/config-api.ts';

export const useReviewSummary = () => useQuery(queryFor(reviewSummary, {}));

const limit = 25;
const pageOf = (page: string | null) => ({ limit, ...(page ? { page } : {}) });

export const useReviewDevices = (page: string | null) =>
  useQuery({ ...queryFor(pageReviewDevices, { query: pageOf(page) }), placeholderData: keepPreviousData });

export const useHeld = (page: string | null) =>
  useQuery({ ...queryFor(pageHeld, { query: pageOf(page) }), placeholderData: keepPreviousData });

const deliveriesIn = (status: 'all' | 'pending' | 'dead' | 'left_out', page: string | null) => ({
  ...queryFor(pageDeliveries, { query: { ...pageOf(page), status } }),
  placeholderData: keepPreviousData,
});
export const useDeadDeliveries = (page: string | null) => useQuery(deliveriesIn('dead', page));
export const useWaitingDeliveries = (page: string | null) => useQuery(deliveriesIn('pending', page));
export const useLeftOutDeliveries = (page: string | null) => useQuery(deliveriesIn('left_out', page));
export const useAllDeliveries = (page: string | null) => useQuery(deliveriesIn('all', page));

export const useDeliveryContent = (id: number) => useQuery(queryFor(readDelivery, { params: { id } }));

export const useDifferences = (page: string | null) =>
  useQuery({ ...queryFor(pageStockDifferences, { query: pageOf(page) }), placeholderData: keepPreviousData });

export const usePlanogramDifferences = (page: string | null) =>
  useQuery({ ...queryFor(pagePlanogramDifferences, { query: pageOf(page) }), placeholderData: keepPreviousData });

export function useAdoptPlanogram() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(adoptPlanogram, { params: { id } }),
    onSuccess: () => integrationsChanged(client),
  });
}

export type Found = { id: number; name: string; detail: string };

/** Places of ours whose name has what was typed. */
export function usePlaces(type: LocationType, search: string) {
  return useQuery({
    queryKey: ['/api/integrations/places', type, search],
    enabled: search.trim().length > 1,
    queryFn: async (): Promise<Found[]> => {
      if (type === 'market') {
        const { rows } = await call(pageMarkets, { query: { search, limit: 8 } });
        return rows.map(({ id, name, address }) => ({ id, name, detail: address }));
      }
      const { machines } = await call(machinePage, { query: { q: search, limit: 8 } });
      return machines.map(({ id, name, machineId, address }) => ({ id, name, detail: `${machineId}, ${address}` }));
    },
  });
}

/** Products of the catalogue whose name has what was typed. */
export function useProductsNamed(search: string) {
  return useQuery({ ...queryFor(listProducts, { query: { search, limit: 8 } }), enabled: search.trim().length > 1 });
}

export type DeviceDecision =
  | { id: number; verb: 'link'; place: LocationRef }
  | { id: number; verb: 'add'; position: { latitude?: string; longitude?: string } }
  | { id: number; verb: 'ignore'; ignored: boolean };

function decideDevice(decision: DeviceDecision): Promise<{ booked?: number; held?: number }> {
  const params = { id: decision.id };
  if (decision.verb === 'link') return call(linkDevice, { params, body: decision.place });
  if (decision.verb === 'add') return call(addDevicePlace, { params, body: decision.position });
  return call(ignoreDevice, { params, body: { ignored: decision.ignored } }).then(() => ({}));
}

export function useDecideDevice() {
  const client = useQueryClient();
  return useMutation({ mutationFn: decideDevice, onSuccess: () => integrationsChanged(client) });
}

type Repair = Parameters<typeof call<typeof repairHeld>>[1]['body'] & { id: number };

export function useRepairHeld() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: Repair) => call(repairHeld, { params: { id }, body }),
    onSuccess: () => integrationsChanged(client),
  });
}

export function useDismissHeld() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, alike }: { id: number; alike: boolean }) =>
      call(dismissHeld, { params: { id }, body: { alike } }),
    onSuccess: () => integrationsChanged(client),
  });
}

export function useReplay() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(replayDelivery, { params: { id } }),
    onSuccess: () => integrationsChanged(client),
  });
}

type LeavingOut = { id: number; reason: string; alike: boolean };

export function useLeaveOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: LeavingOut) => call(leaveOutDelivery, { params: { id }, body }),
    onSuccess: () => integrationsChanged(client),
  });
}

export function useTakeBack() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, alike }: { id: number; alike: boolean }) =>
      call(takeBackDelivery, { params: { id }, body: { alike } }),
    onSuccess: () => integrationsChanged(client),
  });
}
