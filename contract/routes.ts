import { z } from 'zod';
import { calendarDay } from '../domain/calendar-day.ts';
import { plainText } from '../domain/plain-text.ts';
import { optimizeInput, routeInput } from '../domain/route.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { addressId, day, decimal, id, instant, pathId, wholeNumber } from './shapes.ts';

const locationType = z.enum(['market', 'vending_machine']);

export const stop = z
  .object({
    id,
    routeId: id,
    marketId: id.nullable(),
    vendingMachineId: id.nullable(),
    stopOrder: z.int(),
    estimatedArrival: instant.nullable(),
    actualArrival: instant.nullable(),
    expectedArrival: instant.nullable().meta({ description: 'As the day goes; null until the route is under way' }),
    opensAt: instant
      .nullable()
      .optional()
      .meta({ description: 'Of the opening that the plan reckons with; null: any time' }),
    closesAt: instant.nullable().optional(),
    completed: z.boolean(),
    skippedReason: z.string().nullable(),
    locationName: z.string(),
    locationType,
    address: z.string(),
    routeDesignation: z.string().nullable(),
    latitude: decimal,
    longitude: decimal,
    serviceMin: z.int(),
    serviceVisits: z
      .int()
      .optional()
      .meta({ description: 'Past visits that the minutes were learned from; 0: estimated' }),
    legDistanceKm: z.number().nullable(),
    legDurationMin: z.number().nullable(),
    incidents: z.array(id).optional().meta({ description: 'Traffic incidents on the leg to the stop' }),
    delay: z.int().optional().meta({ description: 'Seconds that they add to it' }),
    lowCount: z.int(),
    emptyCount: z.int(),
    isDeleted: z.boolean().optional().meta({ description: 'The place was deleted since; its visits stay readable' }),
  })
  .meta({ id: 'RouteStop' });
export type Stop = z.output<typeof stop>;

const routeFields = {
  id,
  name: z.string(),
  date: day,
  routeDesignation: z.string().nullable(),
  status: z.enum(['planned', 'in_progress', 'completed']),
  optimized: z.boolean(),
  estimatedTime: z.int().meta({ description: 'Minutes' }),
  drivingMin: z.int().nullable(),
  serviceMin: z.int().nullable(),
  distanceSource: z.string().nullable().meta({ description: 'Where distances come from, e.g. estimate' }),
  delay: z.int().optional().meta({ description: 'Seconds that traffic incidents add to the driving' }),
  driverId: id.nullable(),
  driverName: z.string().nullable(),
  vehicleId: id.nullable(),
  vehicleName: z.string().nullable(),
  depotId: id.nullable(),
  depot: z.object({ name: z.string(), latitude: decimal, longitude: decimal }).nullable(),
  plannedStartAt: instant.nullable(),
  startedAt: instant.nullable(),
  completedAt: instant.nullable(),
  totalStops: z.int(),
  completedStops: z.int(),
};

export const route = z
  .object({ ...routeFields, totalDistance: z.number().meta({ description: 'Kilometres' }) })
  .meta({ id: 'Route' });
export type Route = z.output<typeof route>;

export const scheduledRoute = z
  .object({
    ...routeFields,
    totalDistance: z.number().meta({ description: 'Miles' }),
    stops: z.array(stop),
    wayHome: z
      .object({
        incidents: z.array(id).meta({ description: 'Traffic incidents on the way back to the depot' }),
        delay: z.int().meta({ description: 'Seconds that they add to it' }),
      })
      .optional()
      .meta({ description: 'Absent on a route without a depot' }),
  })
  .meta({ id: 'ScheduledRoute' });
export type ScheduledRoute = z.output<typeof scheduledRoute>;

const routeFilter = z.object({
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  status: z.enum(['planned', 'in_progress', 'completed']).optional(),
});

export const listRoutes = endpoint({
  method: 'GET',
  path: '/api/routes',
  summary: 'Routes in scope, newest day first; distances in kilometres',
  needs: 'stock:read',
  query: routeFilter,
  reply: z.array(route),
});

export const pageRoutes = endpoint({
  method: 'GET',
  path: '/api/routes/page',
  summary: 'A page of routes in scope, by day; distances in kilometres',
  needs: 'stock:read',
  query: routeFilter.extend({
    ...pageQuery.shape,
    past: z
      .enum(['true', 'false'])
      .default('false')
      .meta({ description: 'Only those of days gone by, and completed ones' }),
    sort: sortBy('date').default('-date'),
  }),
  reply: pageOf(route),
});

export const getRoute = endpoint({
  method: 'GET',
  path: '/api/routes/:id',
  summary: 'One route with its stops; distance in miles',
  needs: 'stock:read',
  params: pathId,
  reply: scheduledRoute,
});

export const listScheduledRoutes = endpoint({
  method: 'GET',
  path: '/api/scheduled-routes',
  summary: "A day's routes with their stops; distances in miles",
  needs: 'stock:read',
  query: z.object({ date: calendarDay.optional() }),
  reply: z.array(scheduledRoute),
});

export const pageScheduledRoutes = endpoint({
  method: 'GET',
  path: '/api/scheduled-routes/page',
  summary: "A page of a day's routes with their stops, those under way first; distances in miles",
  needs: 'stock:read',
  query: z.object({
    ...pageQuery.shape,
    date: calendarDay.optional(),
    q: z.string().trim().max(100).optional().meta({ description: 'Words of the name, the designation or the driver' }),
    limit: wholeNumber(1, 100).default(20),
  }),
  reply: pageOf(scheduledRoute),
});

export const createRoute = endpoint({
  method: 'POST',
  path: '/api/routes',
  summary: 'Save a route made from a selection, in the order given',
  needs: 'route:plan',
  once: true,
  body: routeInput,
  reply: scheduledRoute,
  status: 201,
});

const skippedStop = z.strictObject({
  stopId: id,
  reason: z.string().trim().min(1, 'Give a reason').max(255).check(plainText),
});

export const updateRoute = endpoint({
  method: 'PATCH',
  path: '/api/routes/:id',
  summary: 'Start a route, or complete it by hand with a reason for each stop left out',
  needs: 'route:drive',
  params: pathId,
  body: z.strictObject({
    status: z.enum(['planned', 'in_progress', 'completed']),
    skipped: z.array(skippedStop).max(500).optional(),
  }),
  reply: scheduledRoute,
});

export const updateStop = endpoint({
  method: 'PATCH',
  path: '/api/route-stops/:id',
  summary: 'Complete a stop; one-way, the first time is kept',
  needs: 'route:drive',
  params: pathId,
  body: z.strictObject({
    completed: z.boolean(),
    actualArrival: z.iso.datetime({ offset: true }).optional(),
  }),
  reply: stop,
});

const plannedStop = z
  .object({
    type: locationType,
    id,
    name: z.string(),
    address: z.string(),
    latitude: decimal,
    longitude: decimal,
    stopOrder: z.int(),
    arrivalAt: instant,
    waitMin: z.int().optional().meta({ description: 'Minutes before the door opens' }),
    lateMin: z.int().optional().meta({ description: 'Minutes after the door has closed' }),
    opensAt: instant
      .nullable()
      .optional()
      .meta({ description: 'Of the opening that the plan reckons with; null: any time' }),
    closesAt: instant.nullable().optional(),
    serviceMin: z.int(),
    serviceVisits: z
      .int()
      .optional()
      .meta({ description: 'Past visits that the minutes were learned from; 0: estimated' }),
    legDistanceKm: z.number(),
    legDurationMin: z.number(),
    incidents: z.array(id).optional().meta({ description: 'Traffic incidents on the leg to the stop' }),
    delay: z.int().optional().meta({ description: 'Seconds that they add to it' }),
    completed: z.boolean(),
  })
  .meta({ id: 'PlannedStop' });
export type PlannedStop = z.output<typeof plannedStop>;

export const optimizeResult = z
  .object({
    optimizedOrder: z.array(plannedStop),
    unassigned: z.array(z.object({ type: locationType, id, name: z.string(), reason: z.string() })),
    totalDistance: z.number().meta({ description: 'Kilometres' }),
    estimatedTime: z.int().meta({ description: 'Minutes: driving, service and waiting for doors to open' }),
    drivingMin: z.int(),
    serviceMin: z.int(),
    waitMin: z.int().optional(),
    serviceVisits: z
      .int()
      .optional()
      .meta({ description: 'Past visits that the minutes were learned from; 0: estimated' }),
    givenDistance: z.number().meta({ description: 'Kilometres of the order given' }),
    givenTime: z.int().meta({ description: 'Minutes of the order given' }),
    distanceSource: z.string(),
    warnings: z.array(z.string()).meta({ description: 'What is not as exact as it should be, as sentences' }),
    delay: z.int().optional().meta({ description: 'Seconds that traffic incidents add to the driving' }),
    start: z.object({ name: z.string(), lat: z.number(), lng: z.number() }),
    routeIds: z.array(id).meta({ description: 'Saved routes whose order was changed' }),
  })
  .meta({ id: 'OptimizeResult' });
export type OptimizeResult = z.output<typeof optimizeResult>;

export const optimizeRoute = endpoint({
  method: 'POST',
  path: '/api/routes/optimize',
  summary:
    'Put locations in the best order. With routeId the open stops of that saved route are re-ordered and stored. Never worse than the order given',
  needs: 'route:drive',
  body: optimizeInput,
  reply: optimizeResult,
});

export const listRouteChoices = endpoint({
  method: 'GET',
  path: '/api/route-choices',
  summary: 'Drivers, vehicles and depots a route can be given',
  needs: 'route:plan',
  reply: z.object({
    drivers: z.array(z.object({ id, name: z.string(), routeDesignation: z.string().nullable() })),
    vehicles: z.array(
      z.object({
        id,
        name: z.string(),
        depotId: id.nullable(),
        capacityTotes: z.int().nullable().meta({ description: 'Null: not known' }),
      }),
    ),
    depots: z.array(z.object({ id, name: z.string(), latitude: decimal, longitude: decimal, isDefault: z.boolean() })),
  }),
});

export const listDriversOfDay = endpoint({
  method: 'GET',
  path: '/api/route-choices/taken',
  summary: 'Drivers who have routes to drive on a day, and how many',
  needs: 'route:plan',
  query: z.object({ date: calendarDay }),
  reply: z.array(z.object({ driverId: id, routes: z.int() })),
});

const locationStock = z.object({
  id,
  itemType: z.enum(['market_item', 'machine_slot']),
  productName: z.string(),
  slotNumber: z.string().nullable(),
  currentQuantity: z.int(),
  minimumQuantity: z.int(),
  capacity: z.int().nullable(),
  price: decimal.nullable(),
});

export const listLocationInventory = endpoint({
  method: 'GET',
  path: '/api/location-inventory',
  summary: 'Stock of one location by type and id',
  needs: 'stock:read',
  query: z.object({
    type: locationType,
    id: addressId,
  }),
  reply: z.array(locationStock),
});
export type LocationStock = z.output<typeof locationStock>;
