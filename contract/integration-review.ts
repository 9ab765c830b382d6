import { z } from 'zod';
import { integrationSystem } from '../domain/integration.ts';
import { isSomewhere, latitude, locationType, longitude, unknownPosition } from '../domain/location.ts';
import { plainText } from '../domain/plain-text.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { addressId, decimal, id, instant, pathId } from './shapes.ts';

const configFilter = pageQuery.extend({ configId: addressId.optional() });

const candidate = z.object({ type: locationType, id, name: z.string(), address: z.string() });

export const reviewDevice = z
  .object({
    id,
    configId: id,
    system: integrationSystem,
    configName: z.string(),
    vendorId: z.string(),
    integrationId: z.string().nullable(),
    locationType,
    name: z.string(),
    machineNumber: z.string().nullable(),
    serialNumber: z.string().nullable(),
    address: z.string().nullable(),
    city: z.string().nullable(),
    latitude: decimal.nullable(),
    longitude: decimal.nullable(),
    reason: z.string().nullable().meta({ description: 'Why it is not linked by itself' }),
    waitingSales: z.int().meta({ description: 'Sales that wait for the link' }),
    candidates: z.array(candidate).meta({ description: 'Places of ours that it may be, likeliest first' }),
  })
  .meta({ id: 'ReviewDevice' });
export type ReviewDevice = z.output<typeof reviewDevice>;

export const pageReviewDevices = endpoint({
  method: 'GET',
  path: '/api/integrations/review/devices',
  summary:
    'Devices of partner systems that wait for a person: link each to a place, add it, or say that it is none of ours',
  needs: 'office:read',
  query: configFilter,
  reply: pageOf(reviewDevice),
});

const linked = z.object({ id, type: locationType, locationId: id, booked: z.int(), held: z.int() });

export const linkDevice = endpoint({
  method: 'POST',
  path: '/api/integrations/review/devices/:id/link',
  summary: 'Say which place of ours a device is; its waiting sales are booked',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({ type: locationType, id }),
  reply: linked,
});

export const addDevicePlace = endpoint({
  method: 'POST',
  path: '/api/integrations/review/devices/:id/add',
  summary: 'Add a device as a new market or machine; a position is needed where the system tells none',
  needs: 'office:write',
  params: pathId,
  body: z
    .strictObject({ latitude: latitude.optional(), longitude: longitude.optional() })
    .refine(isSomewhere, unknownPosition),
  reply: linked,
});

export const ignoreDevice = endpoint({
  method: 'POST',
  path: '/api/integrations/review/devices/:id/ignore',
  summary: 'Say that a device is none of ours, or take that back',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({ ignored: z.boolean().default(true) }),
  reply: z.object({ id }),
});

const heldRecord = z.object({
  productName: z.string().nullable(),
  productCode: z.string().nullable(),
  slotNumber: z.string().nullable(),
  quantity: z.number(),
  unitPrice: z.string(),
  amount: z.string(),
  currency: z.string(),
  paymentMethod: z.string().nullable(),
  soldAt: z.string(),
  soldAtText: z.string().nullable(),
});

const repair = z.object({
  soldAt: z.string().optional(),
  unitPrice: z.string().optional(),
  amount: z.string().optional(),
  quantity: z.number().optional(),
  slotNumber: z.string().optional(),
  productId: z.number().optional(),
  asTold: z.boolean().optional(),
});

export const held = z
  .object({
    id,
    configId: id,
    system: integrationSystem,
    configName: z.string(),
    kind: z.string(),
    reason: z.enum(['price', 'amounts', 'clock', 'counter', 'changed', 'map', 'slot', 'product', 'unreadable']),
    explanation: z.string(),
    repair: repair.nullable().meta({ description: 'What one click would change; null where a person has to choose' }),
    record: heldRecord.nullable(),
    place: z.object({ type: locationType, id, name: z.string() }).nullable(),
    alike: z.int().meta({ description: 'Records held for the same cause, this one among them' }),
    heldAt: instant,
  })
  .meta({ id: 'HeldRecord' });
export type Held = z.output<typeof held>;

export const pageHeld = endpoint({
  method: 'GET',
  path: '/api/integrations/held',
  summary: 'Records of partner systems that are not booked because they cannot be true or cannot be placed',
  needs: 'office:read',
  query: configFilter,
  reply: pageOf(held),
});

const replayed = z.object({ booked: z.int(), held: z.int(), dismissed: z.int() });

export const repairHeld = endpoint({
  method: 'POST',
  path: '/api/integrations/held/:id/repair',
  summary:
    'Book a held record: as repaired, as told, or as the slot or product chosen, which is remembered. As told, one that contradicts a booked sale corrects it',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({
    how: z.enum(['repair', 'as-told', 'map']),
    slotNumber: z.string().trim().min(1).max(20).check(plainText).optional(),
    productId: id.optional(),
    alike: z.boolean().default(true).meta({ description: 'With every record held for the same cause' }),
  }),
  reply: replayed,
});

export const dismissHeld = endpoint({
  method: 'POST',
  path: '/api/integrations/held/:id/dismiss',
  summary: 'Leave a held record out for good',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({ alike: z.boolean().default(false) }),
  reply: replayed,
});

export const stockDifference = z
  .object({
    id,
    configId: id,
    system: integrationSystem,
    place: z.object({ type: locationType, id, name: z.string() }),
    slotNumber: z.string().nullable(),
    productName: z.string(),
    theirs: z.int(),
    ours: z.int().nullable().meta({ description: 'Null: we have no such slot or item' }),
    toldAt: instant,
  })
  .meta({ id: 'StockDifference' });

export const pageStockDifferences = endpoint({
  method: 'GET',
  path: '/api/integrations/stock-differences',
  summary: 'Where a partner system believes in another stock than our ledger',
  needs: 'office:read',
  query: configFilter,
  reply: pageOf(stockDifference),
});

const plannedSlot = z.object({
  productName: z.string(),
  price: decimal.nullable(),
  capacity: z.int().nullable(),
});

export const planogramDifference = z
  .object({
    id,
    system: integrationSystem,
    name: z.string(),
    toldAt: instant,
    slots: z.array(
      z.object({
        slotNumber: z.string(),
        theirs: plannedSlot.nullable().meta({ description: 'Null: the system has no such slot' }),
        ours: plannedSlot.nullable().meta({ description: 'Null: the machine has no such slot here' }),
        differs: z.array(z.enum(['slot', 'product', 'price', 'capacity'])),
      }),
    ),
  })
  .meta({ id: 'PlanogramDifference', description: 'A machine whose planogram a partner system has otherwise' });
export type PlanogramDifference = z.output<typeof planogramDifference>;

export const pagePlanogramDifferences = endpoint({
  method: 'GET',
  path: '/api/integrations/planograms',
  summary: 'Machines whose planogram a partner system has otherwise, slot by slot; nothing is taken over by itself',
  needs: 'office:read',
  query: configFilter,
  reply: pageOf(planogramDifference),
});

export const adoptPlanogram = endpoint({
  method: 'POST',
  path: '/api/integrations/planograms/:id/adopt',
  summary: 'Add the slots that a machine lacks as its partner system has them; what is there stays as it is',
  needs: 'office:write',
  params: pathId,
  reply: z.object({ id, added: z.int() }),
});

export const closePartnerAlert = endpoint({
  method: 'POST',
  path: '/api/integrations/alerts/:id/close',
  summary: 'Say that what a partner system reported is over; a second time keeps the first',
  needs: 'office:write',
  params: pathId,
  reply: z.object({ id, resolvedAt: instant, resolvedBy: z.string().nullable() }),
});

export const deliveryStatus = z.enum(['pending', 'done', 'dead', 'left_out']);

export const deliveryRow = z
  .object({
    id,
    configId: id,
    system: integrationSystem,
    configName: z.string(),
    eventType: z.string(),
    eventId: z.string().nullable(),
    status: deliveryStatus,
    attempts: z.int(),
    repeats: z.int(),
    bodyBytes: z.int(),
    receivedAt: instant,
    nextAttemptAt: instant.nullable(),
    processedAt: instant.nullable(),
    error: z.string().nullable(),
    canReplay: z.boolean(),
    alike: z.int().meta({ description: 'Failed messages of the same configuration and cause, this one among them' }),
    leftOut: z
      .object({ at: instant, by: z.string().nullable(), reason: z.string() })
      .nullable()
      .meta({ description: 'Who said that it is not processed, when and why' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryTold = z.output<typeof deliveryRow>;

export const pageDeliveries = endpoint({
  method: 'GET',
  path: '/api/integrations/deliveries',
  summary: 'Messages of partner systems, newest first',
  needs: 'office:read',
  query: configFilter.extend({ status: z.enum(['all', 'pending', 'dead', 'left_out']).default('all') }),
  reply: pageOf(deliveryRow),
});

const deliveryContent = z
  .object({
    id,
    text: z.string().nullable().meta({ description: 'As received, without secrets; null: no text, or kept no longer' }),
    isShortened: z.boolean(),
    sales: z
      .array(
        z.object({
          deviceId: z.string().nullable(),
          productName: z.string().nullable(),
          amount: z.string(),
          currency: z.string(),
          soldAt: instant,
        }),
      )
      .meta({ description: 'What it tells, where it can be read' }),
  })
  .meta({ id: 'DeliveryContent' });
export type DeliveryContent = z.output<typeof deliveryContent>;

export const readDelivery = endpoint({
  method: 'GET',
  path: '/api/integrations/deliveries/:id/content',
  summary: 'What came with a message, as received but without secrets',
  needs: 'office:read',
  params: pathId,
  reply: deliveryContent,
});

const replay = z.object({
  id,
  status: deliveryStatus.meta({ description: 'What came of it: pending where it failed and is tried again by itself' }),
  error: z.string().nullable(),
});
export type Replayed = z.output<typeof replay>;

export const replayDelivery = endpoint({
  method: 'POST',
  path: '/api/integrations/deliveries/:id/replay',
  summary: 'Process a message once more, now, and answer with what came of it',
  needs: 'office:write',
  params: pathId,
  reply: replay,
});

const leftOutReply = z.object({ messages: z.int() });

export const leaveOutDelivery = endpoint({
  method: 'POST',
  path: '/api/integrations/deliveries/:id/leave-out',
  summary:
    'Say why a message that failed is not processed: it leaves the list of failed messages and is kept with the reason',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({
    reason: z
      .string({ error: 'Say why' })
      .trim()
      .min(1, 'Say why')
      .max(500, 'Reason is too long: at most 500 characters')
      .check(plainText),
    alike: z.boolean().default(false).meta({ description: 'With every message that failed for the same cause' }),
  }),
  reply: leftOutReply,
});

export const takeBackDelivery = endpoint({
  method: 'POST',
  path: '/api/integrations/deliveries/:id/take-back',
  summary: 'Put a message that was left out back among those that failed',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({
    alike: z.boolean().default(false).meta({ description: 'With every message that was left out together with it' }),
  }),
  reply: leftOutReply,
});

export const reviewSummary = endpoint({
  method: 'GET',
  path: '/api/integrations/review',
  summary: 'How much waits for a person',
  needs: 'office:read',
  reply: z.object({
    devices: z.int(),
    held: z.int(),
    dead: z.int(),
    differences: z.int(),
    planograms: z.int(),
  }),
});
