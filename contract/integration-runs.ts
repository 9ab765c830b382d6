import { z } from 'zod';
import { integrationSystem, vendorResource } from '../domain/integration.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { addressId, day, id, instant, pathId } from './shapes.ts';

/** What a run, a delivery or a file did; `processed` counts every record told, the rest what came of them. */
export const syncCounts = z
  .object({
    processed: z.int(),
    devices: z.int(),
    added: z.int().meta({ description: 'Places created or linked for the first time' }),
    updated: z.int().meta({ description: 'Places and readers whose details changed' }),
    products: z.int(),
    stock: z.int(),
    sales: z.int(),
    booked: z.int().meta({ description: 'Sales new in the ledger' }),
    alerts: z.int(),
    held: z.int().meta({ description: 'Records kept back for a person' }),
    unchanged: z.int(),
  })
  .meta({ id: 'SyncCounts' });
export type SyncCounts = z.output<typeof syncCounts>;

export const syncProgress = z.object({
  resource: vendorResource.nullable(),
  pages: z.int(),
  records: z.int(),
  waitsUntil: instant.nullable().meta({ description: 'The partner asked to wait until then' }),
});
export type SyncProgress = z.output<typeof syncProgress>;

export const syncRun = z
  .object({
    id,
    configId: id,
    system: integrationSystem,
    configName: z.string(),
    jobType: z.string(),
    cause: z.enum(['manual', 'timetable', 'nightly', 'backfill', 'webhook', 'push']),
    resources: z.array(vendorResource),
    since: instant.nullable(),
    status: z
      .enum(['pending', 'running', 'succeeded', 'paused', 'failed', 'cancelled', 'abandoned'])
      .meta({ description: 'paused: the partner asked to be left alone for a while; the rest is read after that' }),
    isStopping: z.boolean().meta({ description: 'Somebody asked to stop it, and it is still at work' }),
    progress: syncProgress.nullable(),
    counts: syncCounts,
    recordsProcessed: z.int(),
    errorCount: z.int(),
    errorDetails: z.array(z.string()),
    message: z.string().nullable(),
    createdAt: instant,
    startedAt: instant.nullable(),
    completedAt: instant.nullable(),
    durationMs: z.int().nullable(),
    nextSyncAt: instant.nullable(),
  })
  .meta({ id: 'SyncRun' });
export type SyncRun = z.output<typeof syncRun>;

export const pageSyncRuns = endpoint({
  method: 'GET',
  path: '/api/integrations/runs',
  summary: 'Sync runs, newest first, of all configurations or of one',
  needs: 'office:read',
  query: pageQuery.extend({
    configId: addressId.optional(),
    system: integrationSystem.optional(),
    status: z.enum(['all', 'open', 'failed']).default('all'),
  }),
  reply: pageOf(syncRun),
});

export const getSyncRun = endpoint({
  method: 'GET',
  path: '/api/integrations/runs/:id',
  summary: 'A sync run and how far it is',
  needs: 'office:read',
  params: pathId,
  reply: syncRun,
});

export const startSync = endpoint({
  method: 'POST',
  path: '/api/integrations/configs/:id/sync',
  summary: 'Read a configuration now; answers at once with the run, which goes on by itself',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({ resources: z.array(vendorResource).min(1).max(5).optional() }),
  reply: syncRun,
  status: 202,
});

export const backfillSync = endpoint({
  method: 'POST',
  path: '/api/integrations/configs/:id/backfill',
  summary: 'Read sales again from a day on; what is known is not counted twice',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({ from: z.iso.date('Write the day as YYYY-MM-DD').meta(day.meta() ?? {}) }),
  reply: syncRun,
  status: 202,
});

export const cancelSync = endpoint({
  method: 'POST',
  path: '/api/integrations/runs/:id/cancel',
  summary: 'Stop a run after the page it reads; what was read stays',
  needs: 'office:write',
  params: pathId,
  reply: syncRun,
});

export const testConnection = endpoint({
  method: 'POST',
  path: '/api/integrations/configs/:id/test',
  summary: 'One call that proves address and credentials',
  needs: 'office:write',
  params: pathId,
  reply: z.object({ connected: z.boolean(), detail: z.string().nullable(), error: z.string().nullable() }),
});
