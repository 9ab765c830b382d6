import { z } from 'zod';
import { tooLong } from '../domain/plain-text.ts';
import { endpoint } from './endpoint.ts';
import { nextSync, waitsUntil } from './integrations.ts';
import { addressId, decimal, id, instant, pathId, requiredText, secretState, wholeNumber } from './shapes.ts';

const version = z.enum(['1.0', '2.0'], { error: 'Version must be 2.0 or 1.0' });
const environment = z.enum(['production', 'sandbox'], { error: 'Environment must be production or sandbox' });
export const vdiStatus = z.enum(['active', 'inactive', 'error', 'maintenance']);

export const vdiConfig = z
  .object({
    id,
    name: z.string(),
    vmsSystemId: z.string(),
    mmsSystemId: z.string().nullable(),
    apiEndpoint: z.string(),
    apiKey: secretState,
    version,
    environment,
    enableDexData: z.boolean(),
    enableTransactionData: z.boolean(),
    enableOperationalData: z.boolean(),
    lastSync: instant.nullable(),
    status: vdiStatus,
    problem: z.string().nullable(),
    waitsUntil,
    nextSync,
  })
  .meta({ id: 'VdiConfig' });
export type VdiConfig = z.output<typeof vdiConfig>;

export const vdiConfigInput = z.strictObject({
  name: requiredText('Name', 255),
  vmsSystemId: requiredText('VMS System ID', 64),
  mmsSystemId: z.string().max(64, tooLong('MMS System ID', 64)).nullish(),
  apiEndpoint: requiredText('API Endpoint', 500),
  apiKey: z.string().max(500, tooLong('API Key', 500)).nullish(),
  version: version.default('2.0'),
  environment: environment.default('production'),
  enableDexData: z.boolean().default(true),
  enableTransactionData: z.boolean().default(true),
  enableOperationalData: z.boolean().default(true),
});

export const listVdiConfigs = endpoint({
  method: 'GET',
  path: '/api/nama-vdi/configs',
  summary: 'VDI configurations; the API key is only said to be set',
  needs: 'office:read',
  reply: z.array(vdiConfig),
});

export const createVdiConfig = endpoint({
  method: 'POST',
  path: '/api/nama-vdi/configs',
  summary: 'Add a VDI configuration',
  needs: 'office:write',
  once: true,
  body: vdiConfigInput,
  reply: vdiConfig,
  status: 201,
});

export const setVdiStatus = endpoint({
  method: 'PUT',
  path: '/api/nama-vdi/configs/:id/status',
  summary: 'Set a VDI configuration active, inactive, or into maintenance, during which nothing is asked by itself',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({ status: z.enum(['active', 'inactive', 'maintenance']) }),
  reply: vdiConfig,
});

const ofConfig = z.object({
  configId: addressId,
  limit: wholeNumber(1, 200).default(100),
});
const json = z.unknown().meta({ description: 'As the partner told it' });

export const vdiDevice = z
  .object({
    id,
    configId: id,
    deviceId: z.string(),
    deviceType: z.string(),
    serialNumber: z.string().nullable(),
    model: z.string().nullable(),
    location: z.string().nullable(),
    latitude: decimal.nullable(),
    longitude: decimal.nullable(),
    status: z.string(),
    lastSeen: instant.nullable(),
    firmware: z.string().nullable(),
    capabilities: z.array(z.string()).meta({ description: 'Types of documents its side sends' }),
    metadata: json,
    link: z.string(),
  })
  .meta({ id: 'VdiDevice' });
export type VdiDevice = z.output<typeof vdiDevice>;

export const vdiTransaction = z
  .object({
    id: z.int(),
    configId: id,
    deviceId: z.string().nullable(),
    transactionId: z.string(),
    transactionType: z.string(),
    productCode: z.string().nullable(),
    productName: z.string().nullable(),
    quantity: z.int(),
    unitPrice: decimal,
    totalAmount: decimal,
    currency: z.string().nullable(),
    paymentMethod: z.string().nullable(),
    paymentData: json,
    transactionDate: instant,
    processedAt: instant,
    status: z.string(),
    errorMessage: z.string().nullable(),
    dexData: z.string().nullable(),
    metadata: json,
  })
  .meta({ id: 'VdiTransaction' });
export type VdiTransaction = z.output<typeof vdiTransaction>;

export const vdiAlert = z
  .object({
    id,
    configId: id,
    deviceId: z.string().nullable(),
    alertType: z.string(),
    severity: z.enum(['low', 'medium', 'high', 'critical']),
    message: z.string(),
    alertCode: z.string().nullable(),
    resolved: z.boolean(),
    resolvedAt: instant.nullable(),
    resolvedBy: z.string().nullable(),
    alertData: json,
    createdAt: instant,
  })
  .meta({ id: 'VdiAlert' });
export type VdiAlert = z.output<typeof vdiAlert>;

export const vdiSyncJob = z
  .object({
    id,
    configId: id,
    jobType: z.string(),
    status: z.enum(['pending', 'running', 'completed', 'paused', 'failed', 'cancelled']),
    startedAt: instant.nullable(),
    completedAt: instant.nullable(),
    recordsProcessed: z.int(),
    errorCount: z.int(),
    errorDetails: z.array(z.string()),
    lastSyncDate: instant.nullable(),
    nextSyncDate: instant.nullable(),
    cause: z.string(),
    createdAt: instant,
  })
  .meta({ id: 'VdiSyncJob' });
export type VdiSyncJob = z.output<typeof vdiSyncJob>;

export const listVdiDevices = endpoint({
  method: 'GET',
  path: '/api/nama-vdi/devices',
  summary: 'Devices of a VDI configuration',
  needs: 'office:read',
  query: ofConfig.extend({ limit: wholeNumber(1, 5_000).default(5_000) }),
  reply: z.array(vdiDevice),
});

export const listVdiTransactions = endpoint({
  method: 'GET',
  path: '/api/nama-vdi/transactions',
  summary: 'Transactions of a VDI configuration, newest first',
  needs: 'office:read',
  query: ofConfig,
  reply: z.array(vdiTransaction),
});

export const listVdiAlerts = endpoint({
  method: 'GET',
  path: '/api/nama-vdi/alerts',
  summary: 'Alerts of a VDI configuration, newest first',
  needs: 'office:read',
  query: ofConfig,
  reply: z.array(vdiAlert),
});

export const listVdiSyncJobs = endpoint({
  method: 'GET',
  path: '/api/nama-vdi/sync-jobs',
  summary: 'What was asked of a VDI configuration and what it pushed, newest first',
  needs: 'office:read',
  query: ofConfig,
  reply: z.array(vdiSyncJob),
});

const processed = z.object({
  recordsProcessed: z.int(),
  note: z.string().nullable().meta({ description: 'What to know about the figure' }),
});

export const syncVdiDevices = endpoint({
  method: 'POST',
  path: '/api/nama-vdi/configs/:id/sync-devices',
  summary: 'Ask for devices and alerts now, and wait for them',
  needs: 'office:write',
  params: pathId,
  reply: processed,
});

export const syncVdiTransactions = endpoint({
  method: 'POST',
  path: '/api/nama-vdi/configs/:id/sync-transactions',
  summary: 'Ask for transactions now, and wait for them',
  needs: 'office:write',
  params: pathId,
  reply: processed,
});

export const testVdiConnection = endpoint({
  method: 'POST',
  path: '/api/nama-vdi/configs/:id/test-connection',
  summary: 'One call that proves address and sign-in',
  needs: 'office:write',
  params: pathId,
  reply: z.object({ connected: z.boolean(), error: z.string().nullable() }),
});
