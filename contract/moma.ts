import { z } from 'zod';
import { integrationSystem, vendorResource } from '../domain/integration.ts';
import { tooLong } from '../domain/plain-text.ts';
import { endpoint } from './endpoint.ts';
import { waitsUntil } from './integrations.ts';
import { configState, listQuery, syncReply } from './nayax.ts';
import { pageOf, sortBy } from './paging.ts';
import { decimal, id, instant, pathId, requiredText, secretState, wholeNumber } from './shapes.ts';

export const momaConfig = z
  .object({ ...configState, apiKey: secretState, apiSecret: secretState, baseUrl: z.string().nullable() })
  .meta({ id: 'MomaConfig' });
export type MomaConfig = z.output<typeof momaConfig>;

const environment = z.enum(['sandbox', 'production'], { error: 'Environment must be sandbox or production' });
const name = requiredText('Name', 255);

const momaInput = z.strictObject({
  name,
  apiKey: requiredText('API key', 500),
  apiSecret: z.string().max(500, tooLong('API secret', 500)).nullable().optional(),
  environment: environment.default('sandbox'),
  baseUrl: z.string().max(500, tooLong('Base URL', 500)).nullable().optional(),
  syncEnabled: z.boolean().default(true),
  isActive: z.boolean().optional(),
});

/** Only what changes; an absent or empty secret stays, null takes the API secret away. */
const momaChange = z.strictObject({
  ...momaInput.partial().shape,
  environment: environment.optional(),
  apiKey: z.string().max(500, tooLong('API key', 500)).optional(),
  syncEnabled: z.boolean().optional(),
  version: z.int().optional(),
});

export const listMomaConfigs = endpoint({
  method: 'GET',
  path: '/api/moma/configs',
  summary: 'Configurations of MoMa 2.0; secrets are only said to be set',
  needs: 'office:read',
  reply: z.array(momaConfig),
});

export const createMomaConfig = endpoint({
  method: 'POST',
  path: '/api/moma/configs',
  summary: 'Connect MoMa 2.0',
  needs: 'office:write',
  once: true,
  body: momaInput,
  reply: momaConfig,
  status: 201,
});

export const updateMomaConfig = endpoint({
  method: 'PUT',
  path: '/api/moma/configs/:id',
  summary: 'Change a configuration of MoMa 2.0',
  needs: 'office:write',
  params: pathId,
  body: momaChange,
  reply: momaConfig,
});

export const removeMomaConfig = endpoint({
  method: 'DELETE',
  path: '/api/moma/configs/:id',
  summary: 'Disconnect MoMa 2.0: secrets are erased, sales and links stay',
  needs: 'office:delete',
  params: pathId,
  reply: z.object({ id }),
});

export const syncMomaMachines = endpoint({
  method: 'POST',
  path: '/api/moma/configs/:id/sync-machines',
  summary: 'Read machines, stock, sales and alerts of one configuration now',
  needs: 'office:write',
  params: pathId,
  reply: syncReply,
});

export const syncAllReply = z.array(
  syncReply.extend({
    configId: id,
    system: integrationSystem,
    name: z.string(),
    state: z.enum(['done', 'going-on', 'busy', 'stopped', 'failed']).meta({
      description: 'going-on: longer than one waits for; busy: another run of it was under way; stopped: by a person',
    }),
    error: z.string().nullable().meta({ description: 'Of one that failed: what happened and what to do' }),
  }),
);
export type SyncAllReply = z.output<typeof syncAllReply>;

export const syncAllNayaxMoma = endpoint({
  method: 'POST',
  path: '/api/nayax-moma/sync-all',
  summary: 'Read all active configurations of Nayax Core and MoMa 2.0; says of each what happened',
  needs: 'office:write',
  reply: syncAllReply,
});

export const momaMachine = z
  .object({
    id,
    configId: id,
    machineId: z.string(),
    name: z.string(),
    location: z.string().nullable(),
    latitude: decimal.nullable(),
    longitude: decimal.nullable(),
    status: z.string(),
    temperature: decimal.nullable().meta({ description: 'Degrees Celsius' }),
    revenue: decimal.meta({ description: 'Settled since the start of the operator’s day' }),
    lastService: instant.nullable(),
    vendingMachineId: id.nullable(),
  })
  .meta({ id: 'MomaMachine' });
export type MomaMachine = z.output<typeof momaMachine>;

export const listMomaMachines = endpoint({
  method: 'GET',
  path: '/api/moma/machines',
  summary: 'Machines that MoMa 2.0 told of, by name',
  needs: 'office:read',
  query: listQuery.extend({ sort: sortBy('name', 'status', 'service').default('name') }),
  reply: pageOf(momaMachine),
});

export const momaInventory = z
  .object({
    id,
    configId: id,
    machineId: z.string().nullable(),
    productCode: z.string().nullable(),
    productName: z.string(),
    currentQuantity: z.int(),
    maxCapacity: z.int().nullable(),
    minimumQuantity: z.int().nullable(),
    price: decimal.nullable(),
    slotNumber: z.string().nullable(),
    lastRefilled: instant.nullable(),
    machineName: z.string().nullable(),
    vendingMachineId: id.nullable(),
  })
  .meta({ id: 'MomaInventory' });
export type MomaInventory = z.output<typeof momaInventory>;

export const listMomaInventory = endpoint({
  method: 'GET',
  path: '/api/moma/inventory',
  summary: 'What MoMa 2.0 believes stands in each selection, by machine',
  needs: 'office:read',
  query: listQuery.extend({ sort: sortBy('machine', 'product', 'quantity').default('machine') }),
  reply: pageOf(momaInventory),
});

export const momaSale = z
  .object({
    id,
    configId: id,
    machineId: z.string().nullable(),
    productCode: z.string().nullable(),
    productName: z.string().nullable(),
    quantity: z.int(),
    price: decimal,
    totalAmount: decimal,
    paymentMethod: z.string().nullable(),
    transactionId: z.string(),
    saleDate: instant,
    synced: z.boolean().meta({ description: 'In the ledger' }),
    status: z.string(),
    machineName: z.string().nullable(),
    vendingMachineId: id.nullable(),
  })
  .meta({ id: 'MomaSale' });
export type MomaSale = z.output<typeof momaSale>;

export const listMomaSales = endpoint({
  method: 'GET',
  path: '/api/moma/sales',
  summary: 'Sales that MoMa 2.0 told of, newest first',
  needs: 'office:read',
  query: listQuery.extend({ sort: sortBy('date').default('-date') }),
  reply: pageOf(momaSale),
});

export const momaAlert = z
  .object({
    id,
    configId: id,
    machineId: z.string().nullable(),
    alertType: z.string(),
    message: z.string(),
    severity: z.string(),
    resolved: z.boolean(),
    resolvedAt: instant.nullable(),
    raisedAt: instant,
    machineName: z.string().nullable(),
    vendingMachineId: id.nullable(),
  })
  .meta({ id: 'MomaAlert' });
export type MomaAlert = z.output<typeof momaAlert>;

export const listMomaAlerts = endpoint({
  method: 'GET',
  path: '/api/moma/alerts',
  summary: 'Alerts that MoMa 2.0 told of, newest first',
  needs: 'office:read',
  query: listQuery.extend({ sort: sortBy('date').default('-date') }),
  reply: pageOf(momaAlert),
});

export const reportedStock = z
  .object({
    rows: z.array(
      z.object({
        id,
        system: integrationSystem,
        slotNumber: z.string().nullable(),
        productName: z.string(),
        theirs: z.int().meta({ description: 'What the system believes is there' }),
        ours: z.int().nullable().meta({ description: 'What the ledger says; null where there is no such slot here' }),
      }),
    ),
    toldAt: instant.nullable().meta({ description: 'When the newest of it was told' }),
  })
  .meta({ id: 'ReportedStock' });
export type ReportedStock = z.output<typeof reportedStock>;

export const getReportedStock = endpoint({
  method: 'GET',
  path: '/api/nayax-moma/machines/:id/stock',
  summary: 'What Nayax believes stands in a machine of ours, beside what the ledger says',
  needs: 'office:read',
  params: pathId,
  reply: reportedStock,
});

export const nayaxMomaAnalytics = z
  .object({
    today: z.object({ transactions: z.int(), revenue: decimal }),
    devices: z.object({ nayax: z.int(), nayaxActive: z.int(), moma: z.int(), momaActive: z.int() }),
    days: z.int(),
    methods: z
      .array(z.object({ method: z.string(), transactions: z.int(), amount: decimal }))
      .meta({ description: 'Completed transactions by payment method, the largest first' }),
    open: z.object({ pending: z.int(), failed: z.int() }).meta({ description: 'Not among the methods' }),
    perDay: z.array(z.object({ day: z.string(), amount: decimal })),
    health: z.array(
      z.object({
        configId: id,
        system: integrationSystem,
        name: z.string(),
        state: z.enum(['working', 'failing', 'waiting', 'new', 'inactive']),
        problem: z.string().nullable(),
        waitsUntil,
        fresh: z.array(z.object({ resource: vendorResource, lastGoodAt: instant.nullable() })),
        runs: z.int().meta({ description: 'Syncs of the last 24 hours that no partner paused' }),
        failedRuns: z.int(),
        rejectedDeliveries: z.int(),
        devices: z.object({ active: z.int(), offline: z.int(), inactive: z.int() }),
      }),
    ),
  })
  .meta({ id: 'NayaxMomaAnalytics' });
export type NayaxMomaAnalytics = z.output<typeof nayaxMomaAnalytics>;

export const getNayaxMomaAnalytics = endpoint({
  method: 'GET',
  path: '/api/nayax-moma/analytics',
  summary: 'Payment methods and health of Nayax Core and MoMa 2.0, from what is stored',
  needs: 'office:read',
  query: z.object({
    days: wholeNumber(1, 90).default(30),
    system: z.enum(['all', 'nayax', 'moma']).default('all').meta({
      description: 'all: a transaction that both systems told of counts once',
    }),
  }),
  reply: nayaxMomaAnalytics,
});
