import { z } from 'zod';
import { calendarDay } from '../domain/calendar-day.ts';
import { locationType } from '../domain/location.ts';
import { endpoint } from './endpoint.ts';
import { addressId, day, decimal, id, instant, pathId } from './shapes.ts';

const error = z
  .object({
    counts: z.int().meta({ description: 'Past counts compared' }),
    mae: z.number().meta({ description: 'Mean absolute error, units an item' }),
    bias: z.number().meta({ description: 'Mean signed error; above zero more was expected than was found' }),
  })
  .nullable()
  .meta({
    id: 'ForecastError',
    description: 'How far forecasts were from what past counts found; null: no such count',
  });

export const locationNeed = z
  .object({
    type: locationType,
    id,
    name: z.string(),
    nextVisit: day,
    nextVisitPlanned: z.boolean().meta({ description: 'False: assumed from the usual time between visits' }),
    visitAfter: day.meta({ description: 'The visit after that, planned or assumed' }),
    unitsPerDay: z.number(),
    soldOut: z.int().meta({ description: 'Slots or items with nothing left that still sell' }),
    runningOut: z.int().meta({ description: 'Further ones expected to run out before the visit' }),
    lostUnits: z.number(),
    lostMoney: decimal.meta({ description: 'Expected lost sales until the visit' }),
    savedMoney: decimal.meta({ description: 'Further sales lost until the visit after, if this one is left out' }),
    prizeSeconds: z.int().meta({ description: 'Seconds of driving that the visit is worth' }),
    fillUnits: z.int().meta({ description: 'Units to bring' }),
    why: z.array(z.string()),
    error,
  })
  .meta({ id: 'LocationNeed' });
export type LocationNeed = z.output<typeof locationNeed>;

export const neededItem = z
  .object({
    itemType: z.enum(['market_item', 'machine_slot']),
    id,
    productName: z.string(),
    slotNumber: z.string().nullable(),
    onHand: z.int(),
    par: z.int(),
    perDay: z.number().meta({ description: 'Units on an average day' }),
    historyDays: z.number().meta({ description: 'Days behind it, older ones weighing less; 0: the mean of its kind' }),
    daysOfCover: z.number().nullable().meta({ description: 'Null: nothing sells' }),
    runsOut: day.nullable(),
    untilVisit: z.number().meta({ description: 'Units expected to be asked for until the visit' }),
    runOutChance: z.number().min(0).max(1),
    lostUnits: z.number(),
    lostMoney: decimal,
    fill: z.int().meta({ description: 'Units to bring' }),
    cases: z.int().nullable().meta({ description: 'Whole cases in it, where the case size is known' }),
  })
  .meta({ id: 'NeededItem' });
export type NeededItem = z.output<typeof neededItem>;

const standing = {
  currency: z.string(),
  costPerHour: z.number().meta({ description: 'What an hour of driver and van costs' }),
  overallError: error,
};

/** Most locations of a kind in one call. */
export const needLimit = 500;

/** `7,12,31` */
const idList = z
  .string()
  .regex(/^\d{1,9}(,\d{1,9})*$/, 'Name ids such as 7,12,31')
  .transform((text) => [...new Set(text.split(',').map(Number))])
  .refine((ids) => ids.length <= needLimit, `Name at most ${needLimit} locations of a kind`)
  .optional();

export const listNeeds = endpoint({
  method: 'GET',
  path: '/api/needs',
  summary:
    'What locations need until their next visit: what runs out, expected lost sales, what to load and why. Unknown ones are left out',
  needs: 'stock:read',
  query: z.object({ markets: idList, machines: idList, visit: calendarDay.optional() }),
  reply: z.object({ ...standing, locations: z.array(locationNeed) }),
});

export const getNeed = endpoint({
  method: 'GET',
  path: '/api/location-need',
  summary: 'What one location needs, by slot or item, the dearest first',
  needs: 'stock:read',
  query: z.object({
    type: locationType,
    id: addressId,
    visit: calendarDay.optional(),
  }),
  reply: z.object({ ...standing, location: locationNeed, items: z.array(neededItem) }),
});

const pickedStop = z.object({
  stopId: id,
  why: z.array(z.string()),
  units: z.int().meta({ description: 'Units to bring' }),
  lastNote: z
    .object({ at: instant, text: z.string() })
    .nullable()
    .meta({ description: 'What was noted at the latest visit that has a note' }),
  items: z.array(
    z.object({
      itemType: z.enum(['market_item', 'machine_slot']),
      id,
      productName: z.string(),
      slotNumber: z.string().nullable(),
      fill: z.int().min(1),
      instead: z.string().nullish().meta({ description: 'Name of the product that this one was packed in place of' }),
    }),
  ),
});

export const pickList = z
  .object({ routeId: id, madeAt: instant, stops: z.array(pickedStop) })
  .meta({ id: 'PickList', description: 'What to bring to each stop of a route, and why the stop is in the plan' });
export type PickList = z.output<typeof pickList>;
export type PickedStop = PickList['stops'][number];

export const getPickList = endpoint({
  method: 'GET',
  path: '/api/routes/:id/pick-list',
  summary: 'What to bring to each stop of a route on its day, and why; phones keep it for the time without signal',
  needs: 'stock:read',
  params: pathId,
  reply: pickList,
});
