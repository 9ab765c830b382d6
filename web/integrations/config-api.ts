import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { backfillSync, cancelSync, pageSyncRuns, startSync, testConnection } from '../../contract/integration-runs.ts';
import {
  type ConfigUpdate,
  createConfig,
  type IntegrationConfig,
  listConfigs,
  listSystems,
  removeConfig,
  updateConfig,
} from '../../contract/integrations.ts';
import type { IntegrationSystem } from '../../domain/integration.ts';
import { call, isRefused, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { type ToastMessage, toast } from '../ui/toasts/toast.ts';
import { configRemoval } from './removed-config.ts';

/** What can be connected, with the fields of each system's form. */
export const useSystems = () => useQuery(queryFor(listSystems, {}));

export const useConfigs = (system: IntegrationSystem) => useQuery(queryFor(listConfigs, { query: { system } }));

export const useAllConfigs = () => useQuery(queryFor(listConfigs, { query: {} }));

/** The latest runs of a configuration. */
export function useRuns(configId: number) {
  return useQuery(queryFor(pageSyncRuns, { query: { limit: 5, configId } }));
}

/** The newest runs of all configurations of a system. */
export function useRunsOfSystem(system: IntegrationSystem, limit: number) {
  return useQuery(queryFor(pageSyncRuns, { query: { limit, system } }));
}

const shownIn = ['/api/integration', '/api/cantaloupe', '/api/nayax', '/api/moma', '/api/nama-vdi', '/api/lightspeed'];

/** Everything that shows configurations or their records. */
export function integrationsChanged(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => shownIn.some((start) => String(path).startsWith(start)),
  });
}

const failed = (title: string) => (error: unknown) =>
  toast({ title, description: sentenceOf(error), variant: 'destructive' });

export type ConfigTyped = {
  name: string;
  settings: Record<string, string | boolean | null>;
  isActive: boolean;
  syncEnabled: boolean;
};

/** Saves the form: a new configuration of the system, or the changes of one. */
export function useSaveConfig(system: IntegrationSystem, config: IntegrationConfig | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (typed: ConfigTyped): Promise<IntegrationConfig> => {
      if (!config) return call(createConfig, { body: { system, ...typed } });
      const body: ConfigUpdate = { ...typed, version: config.version };
      return call(updateConfig, { params: { id: config.id }, body });
    },
    onSuccess: () => integrationsChanged(client),
    // Somebody else was faster: the form goes on from what they saved.
    onError: (error) => isRefused(error, 'version') && void integrationsChanged(client),
  });
}

export function useUpdateConfig() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: ConfigUpdate & { id: number }) => call(updateConfig, { params: { id }, body }),
    onSuccess: () => integrationsChanged(client),
    onError: failed('Not saved'),
  });
}

/** What is said once it is removed, and the title where it was not: each screen has its own words. */
type Removal = { done: ToastMessage; failure: string; onRemoved?: (configId: number) => void };

export function useRemoveConfig({ done, failure, onRemoved }: Removal) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: configRemoval,
    mutationFn: (id: number) => call(removeConfig, { params: { id } }),
    onSuccess: (_, configId) => {
      onRemoved?.(configId);
      toast(done);
      return integrationsChanged(client);
    },
    onError: failed(failure),
  });
}

export function useStartSync() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(startSync, { params: { id }, body: {} }),
    onSuccess: () => integrationsChanged(client),
    onError: failed('Sync Failed'),
  });
}

export function useBackfill() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, from }: { id: number; from: string }) => call(backfillSync, { params: { id }, body: { from } }),
    onSuccess: () => integrationsChanged(client),
  });
}

export function useCancelSync() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(cancelSync, { params: { id } }),
    onSuccess: () => integrationsChanged(client),
    onError: failed('Not stopped'),
  });
}

export function useTestConnection() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(testConnection, { params: { id } }),
    onSuccess: () => integrationsChanged(client),
  });
}
