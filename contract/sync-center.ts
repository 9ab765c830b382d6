import { z } from 'zod';
import { integrationSystem } from '../domain/integration.ts';
import { endpoint } from './endpoint.ts';
import { syncRun } from './integration-runs.ts';
import { waitsUntil } from './integrations.ts';
import { pageOf, pageQuery } from './paging.ts';
import { id, instant } from './shapes.ts';

export const syncStatus = z
  .object({
    connected: z.boolean().meta({ description: 'All systems are' }),
    connectedSystems: z.array(integrationSystem),
    missingConnections: z.array(integrationSystem),
    totalDevices: z.int().meta({ description: 'Markets and machines that a partner system tells of' }),
    lastSync: instant.nullable(),
    autoSyncEnabled: z.boolean(),
    systems: z.array(
      z.object({
        system: integrationSystem,
        connected: z.boolean(),
        problem: z.string().nullable().meta({ description: 'What is wrong and what to do' }),
        waitsUntil,
        lastSync: instant.nullable(),
        running: z.boolean().meta({ description: 'A run of it is at work now' }),
      }),
    ),
  })
  .meta({ id: 'SyncStatus' });
export type SyncStatus = z.output<typeof syncStatus>;

export const getSyncStatus = endpoint({
  method: 'GET',
  path: '/api/integration/sync/status',
  summary: 'Which partner systems are connected, and when they were last read',
  needs: 'office:read',
  reply: syncStatus,
});

/** As many as are told of each system. */
export const latestRunsShown = 24;

export const endedRun = syncRun
  .pick({ id: true, status: true, recordsProcessed: true, errorCount: true })
  .extend({ held: z.int().meta({ description: 'Records kept back for a person' }), startedAt: instant })
  .meta({ id: 'EndedRun' });
export type EndedRun = z.output<typeof endedRun>;

export const listLatestRuns = endpoint({
  method: 'GET',
  path: '/api/integration/sync/runs',
  summary: `The last ${latestRunsShown} sync runs of each system that came to an end, oldest first`,
  needs: 'office:read',
  reply: z.array(z.object({ system: integrationSystem, runs: z.array(endedRun) })),
});

export const triggerSync = endpoint({
  method: 'POST',
  path: '/api/integration/sync/trigger',
  summary: 'Read all systems now, and answer when that is done. Needs all of them to be connected',
  needs: 'office:write',
  reply: z.object({
    success: z.boolean().meta({ description: 'All were read to their end' }),
    devicesAdded: z.int(),
    devicesUpdated: z.int(),
    failures: z.array(z.object({ system: integrationSystem, message: z.string() })),
    stopped: z.array(integrationSystem).meta({ description: 'A person stopped them: what was read until then stays' }),
    busy: z
      .array(integrationSystem)
      .meta({ description: 'Were being read already: what that brings is not among the devices told here' }),
  }),
});

export const autoTriggerSync = endpoint({
  method: 'POST',
  path: '/api/integration/sync/auto-trigger',
  summary: 'Turn on reading by timetable and webhook for every configuration, and start with a run of each now',
  needs: 'office:write',
  reply: z.object({ queued: z.int(), autoSyncEnabled: z.boolean() }),
});

export const syncedDevice = z
  .object({
    type: z.enum(['market', 'vending_machine']),
    id,
    name: z.string(),
    address: z.string(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    latitude: z.string(),
    longitude: z.string(),
    routeDesignation: z.string().nullable(),
    serialNumber: z.string().nullable(),
    status: z.string(),
    integrationId: z.string(),
    integrationSource: integrationSystem.nullable(),
    lastSync: instant.nullable(),
  })
  .meta({ id: 'SyncedDevice' });
export type SyncedDevice = z.output<typeof syncedDevice>;

export const pageSyncedDevices = endpoint({
  method: 'GET',
  path: '/api/integration/sync/devices',
  summary: 'Markets and machines that a partner system tells of, by name',
  needs: 'office:read',
  query: pageQuery.extend({
    type: z.enum(['all', 'market', 'vending_machine']).default('all'),
    search: z.string().max(100).optional(),
  }),
  reply: pageOf(syncedDevice),
});
