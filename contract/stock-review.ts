import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, instant, pathId } from './shapes.ts';

const location = z.object({ type: z.enum(['market', 'vending_machine']), id });

const side = z.object({ quantity: z.int(), person: z.string().nullable(), at: instant });

export const countConflict = z
  .object({
    id,
    itemType: z.enum(['market_item', 'machine_slot']),
    itemId: id,
    productName: z.string(),
    slotNumber: z.string().nullable(),
    place: z.string(),
    location,
    first: side,
    second: side,
    moved: z.int().meta({ description: 'What was put in or taken out between the two counts' }),
    quantityNow: z.int(),
  })
  .meta({ id: 'CountConflict' });
export type CountConflict = z.output<typeof countConflict>;

/** What a phone sent and the server did not book, in the words of a list. */
export const heldEvent = z
  .object({
    eventId: z.string(),
    status: z.enum(['rejected', 'needs_review']),
    reason: z.string().meta({ description: 'The sentence the driver reads' }),
    kind: z
      .string()
      .meta({ description: 'count, restock, removal, spoilage, return, the type of a field event, or unreadable' }),
    quantity: z.int().nullable(),
    capacity: z.int().nullable().meta({ description: 'What the slot holds; null for anything else' }),
    note: z.string().nullable(),
    productName: z.string().nullable(),
    slotNumber: z.string().nullable(),
    place: z.string().nullable(),
    location: location.nullable(),
    person: z.string().nullable(),
    happenedAt: instant,
    receivedAt: instant,
  })
  .meta({ id: 'HeldEvent' });
export type HeldEvent = z.output<typeof heldEvent>;

const heldList = z.object({ total: z.int(), rows: z.array(heldEvent) });

export const listStockReview = endpoint({
  method: 'GET',
  path: '/api/stock-review',
  summary: 'What came from phones and needs a manager: counts that differ, and events that were not booked',
  needs: 'office:read',
  reply: z.object({
    conflicts: z.object({ total: z.int(), rows: z.array(countConflict) }),
    held: heldList,
    leftOut: heldList.meta({ description: 'Dismissed in the last 14 days, the latest first' }),
  }),
});

export const settleConflict = endpoint({
  method: 'POST',
  path: '/api/stock-review/conflicts/:id/settle',
  summary: 'Say which of two counts holds; what moved since stays counted',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({ keep: z.enum(['first', 'second']) }),
  reply: z.object({ quantity: z.int().meta({ description: 'What the item holds now' }) }),
});

export const reopenConflict = endpoint({
  method: 'POST',
  path: '/api/stock-review/conflicts/:id/reopen',
  summary: 'Take back which of two counts holds: the later one counts again, and the difference is open',
  needs: 'office:write',
  params: pathId,
  reply: z.object({ id }),
});

const heldId = z.object({ eventId: z.uuid() });
const decided = z.object({ eventId: z.string() });

export const acceptHeld = endpoint({
  method: 'POST',
  path: '/api/stock-review/held/:eventId/accept',
  summary: 'Book an event of a phone that was held, as of when it happened',
  needs: 'office:write',
  params: heldId,
  reply: decided,
});

export const dismissHeld = endpoint({
  method: 'POST',
  path: '/api/stock-review/held/:eventId/dismiss',
  summary: 'Leave a held event out; it stays stored',
  needs: 'office:write',
  params: heldId,
  reply: decided,
});

export const reopenHeld = endpoint({
  method: 'POST',
  path: '/api/stock-review/held/:eventId/reopen',
  summary: 'Put a dismissed event back on the list',
  needs: 'office:write',
  params: heldId,
  reply: decided,
});

export const countNotice = z.object({
  id,
  productName: z.string(),
  slotNumber: z.string().nullable(),
  place: z.string(),
  location,
  mine: z.object({ quantity: z.int(), at: instant }),
  other: side,
  resolution: z.enum(['first', 'second', 'recounted']).nullable(),
  /** Whether the person's own count is the one that holds; null while open or when somebody counted again. */
  mineHolds: z.boolean().nullable(),
});
export type CountNotice = z.output<typeof countNotice>;

export const getFieldNotices = endpoint({
  method: 'GET',
  path: '/api/field-notices',
  summary:
    "What became of the person's own counts: those that differ from somebody else's, and held ones since decided",
  needs: 'stock:count',
  reply: z.object({
    conflicts: z.array(countNotice),
    decided: z.array(z.object({ eventId: z.string(), resolution: z.enum(['accepted', 'dismissed']) })),
  }),
});
export type FieldNotices = z.output<typeof getFieldNotices.reply>;
