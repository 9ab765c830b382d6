import { z } from 'zod';
import { calendarDay } from '../domain/calendar-day.ts';
import { returnReasons } from '../domain/field-event.ts';
import { locationType } from '../domain/location.ts';
import { handlings, pickInput, shortReason } from '../domain/picking.ts';
import { routeStatus } from '../domain/route.ts';
import { endpoint } from './endpoint.ts';
import { day, id, instant, pathId } from './shapes.ts';

const pickState = z.enum(['open', 'picking', 'picked', 'checked']);

const pickRoute = z
  .object({
    routeId: id,
    name: z.string(),
    date: day,
    routeDesignation: z.string().nullable(),
    driverName: z.string().nullable(),
    vehicleName: z.string().nullable(),
    capacityTotes: z.int().nullable(),
    plannedStartAt: instant.nullable(),
    stops: z.int(),
    stopsAdded: z.int().meta({ description: 'Stops that came onto the route after its list was made' }),
    status: routeStatus,
    state: pickState,
    lines: z.int().meta({ description: 'Lines of the list; 0 until picking has begun' }),
    linesDone: z.int(),
    unitsShort: z.int(),
  })
  .meta({ id: 'PickRoute' });
export type PickRoute = z.output<typeof pickRoute>;

const pickLine = z.object({
  lineId: id.nullable().meta({ description: 'Null until picking has begun' }),
  itemType: z.enum(['market_item', 'machine_slot']),
  itemId: id,
  productId: id.nullable(),
  productName: z.string(),
  picture: z.string().nullable().meta({ description: 'Which picture the product has; null: none' }),
  slotNumber: z.string().nullable(),
  handling: z.enum(handlings),
  caseSize: z.int().nullable(),
  planned: z.int(),
  picked: z.int().nullable(),
  reason: shortReason.nullable(),
  instead: z.object({ productId: id, name: z.string(), units: z.int() }).nullable(),
});
export type PickLine = z.output<typeof pickLine>;

const pickStop = z.object({
  stopId: id,
  stopOrder: z.int(),
  type: locationType,
  locationId: id,
  name: z.string(),
  knownAt: instant.nullable().meta({ description: 'When the newest data behind the list are from' }),
  isNew: z.boolean().meta({ description: 'Added to the route after picking began' }),
  totes: z.array(
    z.object({
      from: z.int(),
      to: z.int(),
      kind: z.enum(handlings),
      units: z.int(),
      lines: z.array(pickLine),
    }),
  ),
});
export type PickStop = z.output<typeof pickStop>;

export const pickSheet = z
  .object({
    route: pickRoute,
    madeAt: instant,
    finishedAt: instant.nullable(),
    finishedBy: z.string().nullable(),
    checkedAt: instant.nullable(),
    checkedBy: z.string().nullable(),
    mayCheck: z.boolean().meta({ description: 'It is finished, and by somebody else than the caller' }),
    stops: z.array(pickStop).meta({ description: 'In the order of loading: the last stop first' }),
    cameBack: z
      .array(z.object({ productName: z.string(), reason: z.enum(returnReasons), units: z.int() }))
      .meta({ description: 'What the driver brought back at the end of the day' }),
  })
  .meta({ id: 'PickSheet' });
export type PickSheet = z.output<typeof pickSheet>;

export const listPickRoutes = endpoint({
  method: 'GET',
  path: '/api/picking',
  summary: 'The routes of a day in scope and how far each is picked',
  needs: 'stock:count',
  query: z.object({ date: calendarDay.optional() }),
  reply: z.object({ date: day, routes: z.array(pickRoute) }),
});

export const getPickSheet = endpoint({
  method: 'GET',
  path: '/api/picking/:id',
  summary: 'What to pick for a route by stop and tote; the id is the route. From the need until picking begins',
  needs: 'stock:count',
  params: pathId,
  reply: pickSheet,
});

export const preparePickSheet = endpoint({
  method: 'POST',
  path: '/api/picking/:id/prepare',
  summary: 'Begin picking, or calculate anew the stops of which nothing is picked',
  needs: 'stock:count',
  params: pathId,
  reply: pickSheet,
});

export const recordPicks = endpoint({
  method: 'PUT',
  path: '/api/picking/:id/lines',
  summary: 'What was picked for lines of a list; less than asked for needs a reason',
  needs: 'stock:count',
  params: pathId,
  body: z.strictObject({ picks: z.array(pickInput).min(1).max(2_000) }),
  reply: pickSheet,
});

export const setPickState = endpoint({
  method: 'POST',
  path: '/api/picking/:id/state',
  summary: 'Finish a list, say it was checked by a second person, or open it again',
  needs: 'stock:count',
  params: pathId,
  body: z.strictObject({ state: z.enum(['picked', 'checked', 'picking']) }),
  reply: pickSheet,
});
