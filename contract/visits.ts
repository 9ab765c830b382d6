import { z } from 'zod';
import { reason } from '../domain/inventory.ts';
import { endpoint } from './endpoint.ts';
import { addressId, decimal, id, instant, wholeNumber } from './shapes.ts';

const line = z.object({
  itemType: z.enum(['market_item', 'machine_slot']),
  itemId: id,
  productName: z.string(),
  slotNumber: z.string().nullable(),
  beginning: z.int().nullable(),
  adds: z.int(),
  removed: z.int(),
  spoiled: z.int(),
  spoiledBy: z.object({ expired: z.int().optional(), damaged: z.int().optional(), other: z.int().optional() }),
  ending: z.int().nullable(),
  reasons: z
    .array(reason)
    .optional()
    .meta({ description: 'Why its quantity was changed, each once; absent in what an older release kept' }),
});

export const visit = z
  .object({
    id: z.string(),
    type: z.enum(['market', 'vending_machine']),
    locationId: id,
    routeId: id.nullable(),
    stopId: id.nullable(),
    personName: z.string().nullable(),
    openedAt: instant,
    closedAt: instant.nullable(),
    minutes: z.int().nullable(),
    note: z.string().nullable(),
    bagNumber: z.string().nullable(),
    refunds: decimal.nullable(),
    photos: z.array(z.object({ hash: z.string(), isThere: z.boolean() })),
    latitude: decimal.nullable(),
    longitude: decimal.nullable(),
    lines: z.array(line),
  })
  .meta({ id: 'Visit' });
export type Visit = z.output<typeof visit>;

export const listVisits = endpoint({
  method: 'GET',
  path: '/api/visits',
  summary: 'Visits of a location, newest first, in pages',
  needs: 'stock:read',
  query: z.object({
    type: z.enum(['market', 'vending_machine']),
    id: addressId,
    before: z.iso.datetime({ offset: true }).optional(),
    limit: wholeNumber(1, 100).default(20),
  }),
  reply: z.object({
    visits: z.array(visit),
    more: z.boolean(),
    total: z.int().optional().meta({ description: 'All visits of the location; absent in what an older release kept' }),
    currency: z.string(),
  }),
});

export const listMissingPhotos = endpoint({
  method: 'POST',
  path: '/api/photos/missing',
  summary: 'Which of these photos the server does not have yet',
  needs: 'stock:count',
  body: z.strictObject({ hashes: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(200) }),
  reply: z.object({ missing: z.array(z.string()) }),
});
