import { z } from 'zod';
import { tooLong } from '../domain/plain-text.ts';
import { endpoint } from './endpoint.ts';
import { syncCounts } from './integration-runs.ts';
import { nextSync, waitsUntil } from './integrations.ts';
import { pageOf, pageQuery } from './paging.ts';
import { addressId, decimal, id, instant, requiredText, wholeNumber } from './shapes.ts';

const ofConfig = z.object({ configId: addressId });

export const cantaloupeConfig = z
  .object({
    id,
    name: z.string(),
    hasKey: z.boolean().meta({ description: 'The sign-in is set; it is never sent out' }),
    hasSecret: z.boolean().meta({ description: 'The password is set; it is never sent out' }),
    environment: z.enum(['sandbox', 'production']),
    webhookUrl: z.string().nullable(),
    apiEndpoint: z.string().nullable(),
    timeZone: z.string().nullable(),
    isActive: z.boolean(),
    status: z.string(),
    problem: z.string().nullable(),
    waitsUntil,
    nextSync,
    webhookPath: z.string().nullable().meta({ description: 'Where the report transport posts to, on this server' }),
    lastSyncAt: instant.nullable(),
    version: z.int(),
  })
  .meta({ id: 'CantaloupeConfig' });
export type CantaloupeConfig = z.output<typeof cantaloupeConfig>;

export const listCantaloupeConfigs = endpoint({
  method: 'GET',
  path: '/api/cantaloupe/configs',
  summary: 'Configurations of Cantaloupe',
  needs: 'office:read',
  reply: z.array(cantaloupeConfig),
});

// Whether it may be called is for the settings' own check to say, in the words of the form.
const url = (label: string) => z.string().max(500, tooLong(label, 500));
const environment = z.enum(['sandbox', 'production'], { error: 'Environment must be sandbox or production' });

export const createCantaloupeConfig = endpoint({
  method: 'POST',
  path: '/api/cantaloupe/configs',
  summary: 'Connect Cantaloupe: sign-in and password of the report transport',
  needs: 'office:write',
  once: true,
  body: z.strictObject({
    name: requiredText('Name', 255),
    apiKey: requiredText('Sign-in', 500),
    apiSecret: requiredText('Password', 500),
    environment: environment.default('sandbox'),
    webhookUrl: url('Webhook URL').nullish(),
    apiEndpoint: url('Pull address').nullish(),
    timeZone: z.string().trim().max(50, tooLong('Time zone of the devices', 50)).nullish(),
    isActive: z.boolean().default(true),
  }),
  reply: cantaloupeConfig,
  status: 201,
});

export const cantaloupeDevice = z
  .object({
    id,
    configId: id,
    deviceId: z.string(),
    serialNumber: z.string().nullable(),
    model: z.string().nullable(),
    location: z.string(),
    status: z.string(),
    lastSeen: instant.nullable(),
    firmware: z.string().nullable(),
    vendingMachineId: z.int().nullable(),
    vendingMachineName: z.string().nullable(),
  })
  .meta({ id: 'CantaloupeDevice' });
export type CantaloupeDevice = z.output<typeof cantaloupeDevice>;

export const listCantaloupeDevices = endpoint({
  method: 'GET',
  path: '/api/cantaloupe/devices',
  summary: 'Devices of a configuration',
  needs: 'office:read',
  query: ofConfig,
  reply: z.array(cantaloupeDevice),
});

export const cantaloupeTransaction = z
  .object({
    id: z.int(),
    configId: id,
    deviceId: z.string().nullable(),
    vendingMachineId: z.int().nullable(),
    transactionId: z.string(),
    amount: decimal,
    currency: z.string(),
    paymentMethod: z.string().nullable(),
    cardType: z.string().nullable(),
    lastFour: z.string().nullable(),
    status: z.string(),
    productName: z.string().nullable(),
    productCode: z.string().nullable(),
    quantity: z.int(),
    transactionDate: instant,
    processedAt: instant.nullable(),
  })
  .meta({ id: 'CantaloupeTransaction' });
export type CantaloupeTransaction = z.output<typeof cantaloupeTransaction>;

export const listCantaloupeTransactions = endpoint({
  method: 'GET',
  path: '/api/cantaloupe/transactions',
  summary: 'The newest transactions of a configuration',
  needs: 'office:read',
  query: ofConfig.extend({ limit: wholeNumber(1, 1000).default(100) }),
  reply: z.array(cantaloupeTransaction),
});

export const pageCantaloupeTransactions = endpoint({
  method: 'GET',
  path: '/api/cantaloupe/transactions/page',
  summary: 'Transactions of a configuration by pages, the newest first',
  needs: 'office:read',
  query: ofConfig.extend({
    ...pageQuery.shape,
    limit: wholeNumber(1, 1000).default(10),
  }),
  reply: pageOf(cantaloupeTransaction),
});

export const getCantaloupeStatus = endpoint({
  method: 'GET',
  path: '/api/cantaloupe/status',
  summary: 'Devices, transactions and revenue of today, of one configuration or of all',
  needs: 'office:read',
  query: ofConfig.partial(),
  reply: z.object({ devicesCount: z.int(), transactionsToday: z.int(), totalAmount: decimal }),
});

const synced = z.object({
  synced: z.int().meta({ description: 'Records told by this sync' }),
  added: z.int().meta({ description: 'Of them, new ones' }),
  message: z.string().nullable().meta({ description: 'What there is to know about it, e.g. that nothing was called' }),
});

export const syncCantaloupeDevices = endpoint({
  method: 'POST',
  path: '/api/cantaloupe/sync/:configId/devices',
  summary: 'Read the devices of a configuration now',
  needs: 'office:write',
  params: ofConfig,
  reply: synced,
});

export const syncCantaloupeTransactions = endpoint({
  method: 'POST',
  path: '/api/cantaloupe/sync/:configId/transactions',
  summary: 'Read the transactions of a configuration now',
  needs: 'office:write',
  params: ofConfig,
  reply: synced,
});

export const takenReport = z.object({ counts: syncCounts, unreadable: z.array(z.string()) });
export type TakenReport = z.output<typeof takenReport>;
/** Largest report file taken by hand, bytes. */
export const maxReportBytes = 20_000_000;
