import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { inventoryItem } from './inventory.ts';
import { slot, vendingMachine } from './machines.ts';
import { market } from './markets.ts';
import { product } from './products.ts';
import { scheduledRoute } from './routes.ts';
import { instant } from './shapes.ts';

/** Most events of one upload; a larger batch is refused with 413. */
export const maxEventsPerBatch = 200;

export const eventResult = z
  .object({
    eventId: z.string(),
    status: z.enum(['applied', 'duplicate', 'superseded', 'needs_review', 'rejected']),
    reason: z.string().nullable().meta({ description: 'A sentence for the driver, when the status is not applied' }),
    quantity: z.int().nullable().meta({ description: 'What the item holds now' }),
    version: z.int().nullable(),
  })
  .meta({ id: 'EventResult' });
export type EventResult = z.output<typeof eventResult>;

export const pushEvents = endpoint({
  method: 'POST',
  path: '/api/sync/events',
  summary: 'Append stock events made on a phone; one result per event, replays are harmless',
  needs: 'device',
  body: z.object({
    deviceId: z.uuid().toLowerCase(),
    sentAtClient: z.iso.datetime({ offset: true }),
    /** Parsed one by one, so that a bad event never blocks the others. */
    events: z.array(z.looseObject({ eventId: z.uuid().toLowerCase() })).min(1),
  }),
  reply: z.object({ serverTime: instant, results: z.array(eventResult) }),
});

export const changes = z
  .object({
    serverTime: instant,
    cursor: z.string(),
    /** True: forget what is stored and take this as the beginning (first call, or the person's scope changed). */
    reset: z.boolean(),
    more: z.boolean(),
    markets: z.array(market),
    machines: z.array(vendingMachine),
    items: z.array(inventoryItem),
    slots: z.array(slot),
    products: z.array(product),
    routes: z.array(scheduledRoute),
    removed: z.array(
      z.object({ kind: z.enum(['market', 'vending_machine', 'market_item', 'machine_slot', 'route']), id: z.int() }),
    ),
  })
  .meta({ id: 'Changes' });
export type Changes = z.output<typeof changes>;

export const listChanges = endpoint({
  method: 'GET',
  path: '/api/sync/changes',
  summary: 'Balances and reference data in scope changed since a cursor, in pages',
  needs: 'stock:read',
  query: z.object({ cursor: z.string().max(300).optional() }),
  reply: changes,
});

export const fieldDay = z.object({
  routes: z.array(z.string()),
  routesAssigned: z.int(),
  completedStops: z.int(),
  totalStops: z.int(),
  todaysUpdates: z.int(),
});

export const getFieldDay = endpoint({
  method: 'GET',
  path: '/api/field-day',
  summary: "The person's day in figures: routes assigned, stops done, stock updates made",
  needs: 'stock:read',
  reply: fieldDay,
});
export type FieldDay = z.output<typeof fieldDay>;

/** What `/api/events` sends: a topic whose lists changed, and the objects concerned. */
export const liveTopics = [
  'markets',
  'machines',
  'stock',
  'alerts',
  'routes',
  'sales',
  'products',
  'settings',
  'plans',
  'incidents',
  'integrations',
  'people',
  'performance',
] as const;
export type LiveTopic = (typeof liveTopics)[number];
export type LiveEvent = { topic: LiveTopic; ids: number[] };
