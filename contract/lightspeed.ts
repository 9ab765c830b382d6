import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { addressId, decimal, id, instant, requiredText } from './shapes.ts';

/** Lightspeed Retail is joined by sending the person to its own sign-in page; everything else is as for every system. */
export const connectLightspeed = endpoint({
  method: 'POST',
  path: '/api/lightspeed/connect',
  summary:
    'Begin to connect: answers with the address of Lightspeed’s sign-in page. Nothing is stored until it comes back',
  needs: 'office:write',
  body: z.union([
    z.strictObject({
      name: requiredText('Name', 255),
      settings: z.record(z.string().max(50), z.union([z.string().max(4000), z.boolean(), z.null()])),
    }),
    z.strictObject({ configId: id.meta({ description: 'Connect this configuration again' }) }),
  ]),
  reply: z.object({ url: z.string() }),
});

export const lightspeedCallback = endpoint({
  method: 'GET',
  path: '/api/lightspeed/callback',
  summary: 'Where Lightspeed sends the browser back to; goes on to the screen, and says there what came of it',
  needs: 'public',
  query: z.object({
    state: z.string().max(200).optional(),
    code: z.string().max(2000).optional(),
    domain_prefix: z.string().max(200).optional(),
    error: z.string().max(200).optional(),
  }),
  reply: z.object({}),
});

export const lightspeedRedirect = endpoint({
  method: 'GET',
  path: '/api/lightspeed/redirect-uri',
  summary: 'The redirect address to enter for the application in the developer portal of Lightspeed',
  needs: 'office:read',
  reply: z.object({ redirectUri: z.string() }),
});

const ofConfig = pageQuery.extend({
  configId: addressId,
  search: z.string().max(100).optional(),
});

export const lightspeedOutlet = z
  .object({
    id,
    lightspeedId: z.string(),
    name: z.string(),
    address: z.string().nullable(),
    currency: z.string().nullable(),
    timeZone: z.string().nullable(),
    removed: z.boolean(),
    link: z.enum(['linked', 'unsure', 'ignored']),
    linkReason: z.string().nullable(),
    market: z.object({ id, name: z.string() }).nullable(),
  })
  .meta({ id: 'LightspeedOutlet' });
export type LightspeedOutlet = z.output<typeof lightspeedOutlet>;

export const pageLightspeedOutlets = endpoint({
  method: 'GET',
  path: '/api/lightspeed/outlets',
  summary: 'Outlets of a connection and the market each stands for',
  needs: 'office:read',
  query: ofConfig.extend({ sort: sortBy('name').default('name') }),
  reply: pageOf(lightspeedOutlet),
});

export const lightspeedProduct = z
  .object({
    id,
    lightspeedId: z.string(),
    configId: id,
    name: z.string(),
    sku: z.string().nullable(),
    description: z.string().nullable(),
    price: decimal.nullable(),
    cost: decimal.nullable(),
    category: z.string().nullable(),
    supplier: z.string().nullable(),
    currentQuantity: z.int().meta({ description: 'As Lightspeed tells it: may be below 0' }),
    reorderPoint: z.number().nullable(),
    reorderLevel: z.number().nullable(),
    locationId: z.string().nullable(),
    locationName: z.string().nullable(),
    lastSyncAt: instant,
  })
  .meta({ id: 'LightspeedProduct' });
export type LightspeedProduct = z.output<typeof lightspeedProduct>;

export const pageLightspeedProducts = endpoint({
  method: 'GET',
  path: '/api/lightspeed/products',
  summary: 'Products of a connection, one row for each outlet that has them',
  needs: 'office:read',
  query: ofConfig.extend({ sort: sortBy('name', 'quantity').default('name') }),
  reply: pageOf(lightspeedProduct),
});

export const lightspeedSale = z
  .object({
    id,
    lightspeedId: z.string(),
    configId: id,
    saleDate: instant,
    receiptNumber: z.string().nullable(),
    status: z.enum(['completed', 'pending', 'failed', 'refunded']),
    total: decimal,
    subtotal: decimal,
    tax: decimal,
    currency: z.string(),
    locationId: z.string().nullable(),
    locationName: z.string().nullable(),
    customerName: z.string().nullable(),
    customerEmail: z.string().nullable(),
    itemCount: z.number(),
  })
  .meta({ id: 'LightspeedSale' });
export type LightspeedSale = z.output<typeof lightspeedSale>;

export const pageLightspeedSales = endpoint({
  method: 'GET',
  path: '/api/lightspeed/sales',
  summary: 'Sales of a connection, newest first',
  needs: 'office:read',
  query: ofConfig,
  reply: pageOf(lightspeedSale),
});
