import { z } from 'zod';
import { tooLong } from '../domain/plain-text.ts';
import { endpoint } from './endpoint.ts';
import { nextSync, waitsUntil } from './integrations.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { addressId, decimal, id, instant, pathId, requiredText, secretState } from './shapes.ts';

const environment = z.enum(['sandbox', 'production'], { error: 'Environment must be sandbox or production' });

/** What every configuration of Nayax Core and MoMa 2.0 has beside its own fields. */
export const configState = {
  id,
  name: z.string(),
  environment,
  isActive: z.boolean(),
  syncEnabled: z.boolean(),
  lastSync: instant.nullable(),
  status: z.enum(['active', 'inactive', 'error', 'maintenance']),
  problem: z.string().nullable().meta({ description: 'What is wrong and what to do; null while nothing is' }),
  waitsUntil,
  nextSync,
  devices: z.int().meta({ description: 'Machines known through it' }),
  unlinked: z.int().meta({ description: 'Of these, those not linked to a machine of ours' }),
  run: z
    .object({
      id,
      status: z.enum(['pending', 'running']),
      resource: z.string().nullable(),
      records: z.int(),
      isStopping: z.boolean(),
      waitsUntil: instant.nullable().meta({ description: 'The partner asked to wait until then' }),
    })
    .nullable()
    .meta({ description: 'The sync that waits or is at work' }),
  createdAt: instant,
  updatedAt: instant,
  version: z.int(),
};

export const nayaxConfig = z
  .object({
    ...configState,
    merchantId: z.string(),
    hashCode: secretState,
    apiEndpoint: z.string().nullable(),
    webhookPath: z.string().nullable().meta({ description: 'Where Nayax sends notifications' }),
  })
  .meta({ id: 'NayaxConfig' });
export type NayaxConfig = z.output<typeof nayaxConfig>;

const url = z.string().max(500, tooLong('API endpoint', 500)).nullable();
const name = requiredText('Name', 255);

const nayaxInput = z.strictObject({
  name,
  merchantId: requiredText('Merchant ID', 100),
  hashCode: requiredText('Hash code', 500),
  environment: environment.default('sandbox'),
  apiEndpoint: url.optional(),
  isActive: z.boolean().optional(),
});

/** Only what changes; an absent or empty hash code stays. */
const nayaxChange = z.strictObject({
  ...nayaxInput.partial().shape,
  environment: environment.optional(),
  hashCode: z.string().max(500, tooLong('Hash code', 500)).optional(),
  syncEnabled: z.boolean().optional(),
  version: z.int().optional(),
});

export const listNayaxConfigs = endpoint({
  method: 'GET',
  path: '/api/nayax/configs',
  summary: 'Configurations of Nayax Core; the hash code is only said to be set',
  needs: 'office:read',
  reply: z.array(nayaxConfig),
});

export const createNayaxConfig = endpoint({
  method: 'POST',
  path: '/api/nayax/configs',
  summary: 'Connect Nayax Core',
  needs: 'office:write',
  once: true,
  body: nayaxInput,
  reply: nayaxConfig,
  status: 201,
});

export const updateNayaxConfig = endpoint({
  method: 'PUT',
  path: '/api/nayax/configs/:id',
  summary: 'Change a configuration of Nayax Core',
  needs: 'office:write',
  params: pathId,
  body: nayaxChange,
  reply: nayaxConfig,
});

export const removeNayaxConfig = endpoint({
  method: 'DELETE',
  path: '/api/nayax/configs/:id',
  summary: 'Disconnect Nayax Core: the hash code is erased, sales and links stay',
  needs: 'office:delete',
  params: pathId,
  reply: z.object({ id }),
});

/** What a sync by button did. `finished` false: it goes on by itself, and the list of configurations shows how far it is. */
export const syncReply = z
  .object({
    synced: z.int().meta({ description: 'Machines known through the configuration now' }),
    finished: z.boolean(),
    heard: z
      .enum(['records', 'wait', 'nothing'])
      .nullable()
      .meta({ description: 'Of one that goes on: what the partner sends; that it asks to wait, or does not answer' }),
    added: z.int(),
    updated: z.int(),
    sales: z.int().meta({ description: 'Sales read' }),
    booked: z.int().meta({ description: 'Sales new in the ledger' }),
    held: z.int().meta({ description: 'Records kept back for a person' }),
  })
  .meta({ id: 'ConfigSync' });
export type ConfigSync = z.output<typeof syncReply>;

export const syncNayaxDevices = endpoint({
  method: 'POST',
  path: '/api/nayax/configs/:id/sync-devices',
  summary: 'Read devices, transactions and alerts of one configuration now',
  needs: 'office:write',
  params: pathId,
  reply: syncReply,
});

/** A page of what one configuration, or all, told of. */
export const listQuery = pageQuery.extend({
  configId: addressId.optional(),
  search: z.string().max(100).optional(),
});

export const nayaxDevice = z
  .object({
    id,
    configId: id,
    deviceId: z.string(),
    serialNumber: z.string().nullable(),
    model: z.string().nullable(),
    location: z.string().nullable(),
    status: z.string(),
    lastSeen: instant.nullable(),
    firmware: z.string().nullable(),
    batteryLevel: z.int().nullable(),
    connectivity: z.string(),
    vendingMachineId: id.nullable(),
    name: z.string(),
  })
  .meta({ id: 'NayaxDevice' });
export type NayaxDevice = z.output<typeof nayaxDevice>;

export const listNayaxDevices = endpoint({
  method: 'GET',
  path: '/api/nayax/devices',
  summary: 'Devices that Nayax Core told of, by name',
  needs: 'office:read',
  query: listQuery.extend({ sort: sortBy('name', 'status', 'seen').default('name') }),
  reply: pageOf(nayaxDevice),
});

export const nayaxTransaction = z
  .object({
    id,
    configId: id,
    deviceId: z.string().nullable(),
    transactionId: z.string(),
    orderId: z.string().nullable(),
    amount: decimal,
    currency: z.string(),
    paymentMethod: z.string().nullable(),
    cardType: z.string().nullable(),
    lastFour: z.string().nullable(),
    status: z.string(),
    productCode: z.string().nullable(),
    productName: z.string().nullable(),
    quantity: z.int(),
    transactionDate: instant,
    processedAt: instant.nullable(),
    responseCode: z.string().nullable(),
    responseMessage: z.string().nullable(),
    metadata: z.unknown(),
    machineName: z.string().nullable(),
    vendingMachineId: id.nullable(),
  })
  .meta({ id: 'NayaxTransaction' });
export type NayaxTransaction = z.output<typeof nayaxTransaction>;

export const listNayaxTransactions = endpoint({
  method: 'GET',
  path: '/api/nayax/transactions',
  summary: 'Transactions that Nayax Core told of, newest first',
  needs: 'office:read',
  query: listQuery.extend({ sort: sortBy('date').default('-date') }),
  reply: pageOf(nayaxTransaction),
});
