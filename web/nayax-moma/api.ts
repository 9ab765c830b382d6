import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { closePartnerAlert } from '../../contract/integration-review.ts';
import {
  getNayaxMomaAnalytics,
  getReportedStock,
  listMomaAlerts,
  listMomaConfigs,
  listMomaInventory,
  listMomaMachines,
  listMomaSales,
  type MomaConfig,
  removeMomaConfig,
  type SyncAllReply,
  syncAllNayaxMoma,
  syncMomaMachines,
  updateMomaConfig,
} from '../../contract/moma.ts';
import {
  type ConfigSync,
  listNayaxConfigs,
  listNayaxDevices,
  listNayaxTransactions,
  type NayaxConfig,
  removeNayaxConfig,
  syncNayaxDevices,
  updateNayaxConfig,
} from '../../contract/nayax.ts';
import { call, sentenceOf } from '../http/client.ts';
import { formatNumber } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { integrationsChanged } from '../integrations/config-api.ts';
import { useForgetConfig } from '../integrations/removed-config.ts';
import { type ToastMessage, toast } from '../ui/toasts/toast.ts';

export type LynxSystem = 'nayax' | 'moma';
export type LynxConfig = NayaxConfig | MomaConfig;

export const labelOf: Record<LynxSystem, string> = { nayax: 'Nayax Core', moma: 'MoMa 2.0' };

/** Configurations of one system. */
export function useLynxConfigs(system: LynxSystem) {
  const nayax = useQuery({ ...queryFor(listNayaxConfigs, {}), enabled: system === 'nayax' });
  const moma = useQuery({ ...queryFor(listMomaConfigs, {}), enabled: system === 'moma' });
  return system === 'nayax' ? nayax : moma;
}

export type Span = 'all' | LynxSystem;

export function useAnalytics(system: Span, days: number) {
  return useQuery({
    ...queryFor(getNayaxMomaAnalytics, { query: { system, days } }),
    placeholderData: keepPreviousData,
  });
}

export function useSwitchLynx(system: LynxSystem) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isActive }: LynxConfig): Promise<LynxConfig> => {
      const args = { params: { id }, body: { isActive: !isActive } };
      return system === 'nayax' ? call(updateNayaxConfig, args) : call(updateMomaConfig, args);
    },
    onSuccess: ({ name, isActive }) => {
      toast({
        title: isActive ? 'Configuration Active' : 'Configuration Inactive',
        description: isActive ? `${name} syncs again` : `${name} is not synced any more`,
      });
      return integrationsChanged(client);
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Not Changed', description: sentenceOf(error) }),
  });
}

export function useRemoveLynx(system: LynxSystem) {
  const client = useQueryClient();
  const forget = useForgetConfig(['list', 'page', 'q', 'sort']);
  return useMutation({
    mutationFn: ({ id }: LynxConfig) =>
      system === 'nayax' ? call(removeNayaxConfig, { params: { id } }) : call(removeMomaConfig, { params: { id } }),
    onSuccess: (_, { id, name }) => {
      forget(id);
      toast({ title: 'Configuration Deleted', description: `${name} is disconnected; its sales stay` });
      return integrationsChanged(client);
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Not Deleted', description: sentenceOf(error) }),
  });
}

const things: Record<LynxSystem, [one: string, many: string]> = {
  nayax: ['device', 'devices'],
  moma: ['machine', 'machines'],
};
const counted = (count: number, [one, many]: [string, string]): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

export function useSyncLynx(system: LynxSystem) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: LynxConfig): Promise<ConfigSync> =>
      system === 'nayax' ? call(syncNayaxDevices, { params: { id } }) : call(syncMomaMachines, { params: { id } }),
    onSuccess: ({ finished, heard, synced, booked, held }, { name }) => {
      const sales = `${counted(booked, ['new sale', 'new sales'])}${held > 0 ? `, ${formatNumber(held)} to review` : ''}`;
      toast(
        finished
          ? { title: 'Sync Complete', description: `${name}: ${counted(synced, things[system])}, ${sales}` }
          : {
              title: 'Sync Goes On',
              description: `${name} ${goesOn[heardOf({ heard })][0]}: the card shows how far it is`,
            },
      );
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Sync Failed', description: sentenceOf(error) }),
    onSettled: () => integrationsChanged(client),
  });
}

export function useSyncAll() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(syncAllNayaxMoma, {}),
    onSuccess: (done) => toast(sentenceOfAll(done)),
    onError: (error) => toast({ variant: 'destructive', title: 'Full Sync Failed', description: sentenceOf(error) }),
    onSettled: () => integrationsChanged(client),
  });
}

type Heard = NonNullable<ConfigSync['heard']>;
const goesOn: Record<Heard, [one: string, many: string]> = {
  records: ['has much to tell', 'have much to tell'],
  wait: ['asks to wait and is asked again then', 'ask to wait and are asked again then'],
  nothing: ['does not answer and is asked on by itself', 'do not answer and are asked on by themselves'],
};
const heardStates: readonly Heard[] = ['records', 'wait', 'nothing'];
const heardOf = ({ heard }: Pick<ConfigSync, 'heard'>): Heard => heard ?? 'records';

function sentenceOfAll(all: SyncAllReply): ToastMessage {
  const of = (state: SyncAllReply[number]['state']) => all.filter((one) => one.state === state);
  const failed = of('failed');
  const stopped = of('stopped');
  const asides = [
    ...heardStates.map((heard) =>
      named(
        of('going-on').filter((one) => heardOf(one) === heard),
        ...goesOn[heard],
      ),
    ),
    named(of('busy'), 'was being synced already', 'were being synced already'),
    named(stopped, `was stopped by somebody${afterSales(stopped)}`, `were stopped by somebody${afterSales(stopped)}`),
  ].filter((sentence) => sentence !== null);
  if (failed.length > 0) {
    const told = [...failed.map(({ name, error }) => `${name}: ${error}`), ...asides].join(' ');
    return { variant: 'destructive', title: `${failed.length} of ${all.length} Syncs Failed`, description: told };
  }
  const done = of('done');
  const what = `${counted(done.length, ['configuration', 'configurations'])}, ${salesOf(done)}`;
  if (asides.length === 0) return { title: 'Full Sync Complete', description: what };
  const told = [...(done.length > 0 ? [`${what}.`] : []), ...asides, 'The cards show how far.'].join(' ');
  return { title: titleOf(all), description: told };
}

const salesOf = (these: SyncAllReply): string => {
  const booked = these.reduce((sum, one) => sum + one.booked, 0);
  return counted(booked, ['new sale', 'new sales']);
};

/** What a stopped run had stored by then stays. */
const afterSales = (these: SyncAllReply): string =>
  these.some(({ booked }) => booked > 0) ? ` after ${salesOf(these)}` : '';

function titleOf(all: SyncAllReply): string {
  if (all.every(({ state }) => state === 'busy')) return 'Already Syncing';
  return all.some(({ state }) => state === 'busy' || state === 'going-on') ? 'Sync Goes On' : 'Sync Stopped';
}

/** Null for nobody. */
function named(these: SyncAllReply, one: string, many: string): string | null {
  if (these.length === 0) return null;
  return `${these.map(({ name }) => name).join(', ')} ${these.length === 1 ? one : many}.`;
}

export type ListWish = { configId: number; search: string; page: string | null; sort: string };
/** The address may name any order; one the server does not know is refused there with a sentence. */
const asked = <S extends string>({ configId, search, page, sort }: ListWish) => ({
  query: { configId, ...(search ? { search } : {}), ...(page ? { page } : {}), sort: sort as S },
});

export const useNayaxDevices = (wish: ListWish) =>
  useQuery({ ...queryFor(listNayaxDevices, asked(wish)), placeholderData: keepPreviousData });
export const useNayaxTransactions = (wish: ListWish) =>
  useQuery({ ...queryFor(listNayaxTransactions, asked(wish)), placeholderData: keepPreviousData });
export const useMomaMachines = (wish: ListWish) =>
  useQuery({ ...queryFor(listMomaMachines, asked(wish)), placeholderData: keepPreviousData });
export const useMomaInventory = (wish: ListWish) =>
  useQuery({ ...queryFor(listMomaInventory, asked(wish)), placeholderData: keepPreviousData });
export const useMomaSales = (wish: ListWish) =>
  useQuery({ ...queryFor(listMomaSales, asked(wish)), placeholderData: keepPreviousData });
export const useMomaAlerts = (wish: ListWish) =>
  useQuery({ ...queryFor(listMomaAlerts, asked(wish)), placeholderData: keepPreviousData });

export function useCloseAlert() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(closePartnerAlert, { params: { id } }),
    onSuccess: () => integrationsChanged(client),
  });
}

/** What Nayax believes stands in a machine of ours. */
export const useReportedStock = (machineId: number, enabled: boolean) =>
  useQuery({ ...queryFor(getReportedStock, { params: { id: machineId } }), enabled });
