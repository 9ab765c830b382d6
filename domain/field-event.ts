import { z } from 'zod';
import { calendarDay } from './calendar-day.ts';
import { locationRef, position } from './location.ts';

/** Schema version of the field events that phones write today; older ones stay readable for 180 days. */
export const fieldEventVersion = 1;

const id = z.int32().positive();
const clientInstant = z.iso.datetime({ offset: true });

/** What every event made on a phone carries. Times are the phone's own and only ever used as ages. */
const base = {
  eventId: z.uuid(),
  schemaVersion: z.int().min(1).max(fieldEventVersion),
  occurredAtClient: clientInstant,
  deviceSeq: z.int().min(0),
  lastServerTime: clientInstant.nullable(),
};

const reason = z.string().trim().min(1, 'Give a reason').max(255, 'The reason is too long: at most 255 characters');
const stop = { ...base, routeId: id, stopId: id };

/** Why units were taken out unsold. */
export const spoilReasons = ['expired', 'damaged', 'other'] as const;

/** A SHA-256 of a photo's bytes, in hexadecimal: its name everywhere. */
export const photoHash = z.string().regex(/^[0-9a-f]{64}$/, 'This is not the name of a photo');

/** Most photos of one visit. */
export const maxVisitPhotos = 20;

/** Photos of visits are kept for this long, days. */
export const photoDays = 180;

/** What the driver noted of a visit beside the counts, as it stood when it was saved; a later one replaces it. */
const visit = z.strictObject({
  ...base,
  type: z.literal('visit'),
  visitId: z.uuid(),
  location: locationRef,
  routeId: id.nullable(),
  stopId: id.nullable(),
  openedAtClient: clientInstant,
  closedAtClient: clientInstant.nullable(),
  note: z.string().max(500).nullable(),
  bagNumber: z.string().trim().max(50).nullable(),
  refunds: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,2})?$/, 'Enter an amount such as 2.50')
    .nullable(),
  photoIds: z.array(photoHash).max(maxVisitPhotos),
  position: position.nullable(),
});
export type VisitEvent = z.output<typeof visit>;

/** A driver's progress on a route. */
const progress = [
  z.strictObject({ ...base, type: z.literal('route-started'), routeId: id }),
  z.strictObject({ ...stop, type: z.literal('stop-arrived') }),
  z.strictObject({ ...stop, type: z.literal('stop-completed') }),
  z.strictObject({ ...stop, type: z.literal('stop-skipped'), reason }),
  /** Takes back a completed or skipped stop. */
  z.strictObject({ ...stop, type: z.literal('stop-reopened') }),
  /** Takes back an arrival at a stop that is not done. */
  z.strictObject({ ...stop, type: z.literal('arrival-undone') }),
  /** Takes back the start of a route on which nothing has been done yet. */
  z.strictObject({ ...base, type: z.literal('start-undone'), routeId: id }),
  /** Ends a route by hand; each of its stops is done or skipped by then. */
  z.strictObject({ ...base, type: z.literal('route-completed'), routeId: id }),
] as const;

/** Why units come home: never put in and still good, taken out still good, or spoiled by why. */
export const returnReasons = ['unused', 'removed', ...spoilReasons] as const;
export type ReturnReason = (typeof returnReasons)[number];

/** A driver's day is over: what came back, and how much of it the phone had not sent yet. A later one replaces it. */
const dayEnded = z.strictObject({
  ...base,
  type: z.literal('day-ended'),
  date: calendarDay,
  routeIds: z.array(id).max(50),
  returns: z
    .array(
      z.strictObject({
        productName: z.string().trim().min(1).max(255),
        reason: z.enum(returnReasons),
        units: z.int().min(1).max(100_000, 'Enter a number below 100,000'),
      }),
    )
    .max(1000),
  bagNumbers: z.array(z.string().trim().min(1).max(50)).max(200),
  unitsFilled: z.int32().min(0),
  unsent: z.int32().min(0),
});
export type DayEndEvent = z.output<typeof dayEnded>;

/** Anything a phone tells beside changes of stock, immutable like those. */
export const fieldEvent = z.discriminatedUnion('type', [...progress, visit, dayEnded]);
export type FieldEvent = z.output<typeof fieldEvent>;
export type ProgressEvent = z.output<(typeof progress)[number]>;
export type StopEvent = Extract<ProgressEvent, { stopId: number }>;

/** How a visit's five numbers come out of what was recorded at one item, oldest first. */
export type VisitMovement = {
  kind: 'count' | 'restock' | 'removal' | 'spoilage' | 'return';
  quantity: number;
  /** What the screen said before. */
  shown: number | null;
  reason: string | null;
};

export type VisitLine = {
  beginning: number | null;
  adds: number;
  removed: number;
  spoiled: number;
  spoiledBy: Partial<Record<(typeof spoilReasons)[number], number>>;
  ending: number | null;
};

/**
 * Beginning, adds, removed, spoiled and ending of one item. A count that comes first says what was found, if something
 * else follows it; a count that comes last says what was left. Units that a last count shows beyond the rest were added,
 * those it lacks were removed. Unknown (null) where the phone knew no quantity before.
 * Source: the five numbers of a service, as the trade counts them.
 */
export function visitLine(movements: readonly VisitMovement[]): VisitLine {
  const line: VisitLine = { beginning: null, adds: 0, removed: 0, spoiled: 0, spoiledBy: {}, ending: null };
  let held: number | null = null;
  for (const [index, movement] of movements.entries()) {
    if (index === 0) {
      const isFound = movement.kind === 'count' && movements.length > 1;
      held = isFound ? movement.quantity : movement.shown;
      line.beginning = held;
      if (isFound) continue;
    }
    held = applied(line, movement, held);
  }
  line.ending = held;
  return line;
}

function applied(line: VisitLine, movement: VisitMovement, held: number | null): number | null {
  const { kind, quantity } = movement;
  if (kind === 'count') {
    if (held !== null && quantity > held) line.adds += quantity - held;
    if (held !== null && quantity < held) line.removed += held - quantity;
    return quantity;
  }
  if (kind === 'restock') line.adds += quantity;
  else if (kind === 'spoilage') {
    line.spoiled -= quantity;
    const why = spoilReasons.find((one) => one === movement.reason) ?? 'other';
    line.spoiledBy[why] = (line.spoiledBy[why] ?? 0) - quantity;
  } else line.removed -= quantity;
  return held === null ? null : held + quantity;
}
