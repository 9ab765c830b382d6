import { z } from 'zod';
import { arrangement, dayPlanInput } from '../domain/day-plan.ts';
import { endpoint } from './endpoint.ts';
import { day, decimal, empty, id, instant } from './shapes.ts';

const locationType = z.enum(['market', 'vending_machine']);

const plannedStop = z
  .object({
    type: locationType,
    id,
    name: z.string(),
    address: z.string(),
    latitude: decimal,
    longitude: decimal,
    locked: z.boolean(),
    noWay: z.boolean().meta({ description: 'There is no way by road from the stop before' }),
    arrivalAt: instant,
    waitMin: z.int().meta({ description: 'Minutes until the location opens' }),
    lateMin: z.int().meta({ description: 'Minutes after the location has closed; 0 when in time' }),
    serviceMin: z.int(),
    serviceVisits: z.int().meta({ description: 'Past visits that the minutes were learned from; 0: estimated' }),
    legDistanceKm: z.number(),
    legDurationMin: z.number(),
    totes: z.int(),
    accessHours: z.string().nullable(),
    delayMin: z.int().meta({ description: 'Minutes that incidents add to the way here' }),
    incidents: z.array(id).meta({ description: 'The incidents on the way here' }),
  })
  .meta({ id: 'DayPlanStop' });
export type DayPlanStop = z.output<typeof plannedStop>;

const plannedRoute = z
  .object({
    driverId: id.nullable(),
    driverName: z.string().nullable(),
    vehicleId: id.nullable(),
    vehicleName: z.string().nullable(),
    depot: z.object({ name: z.string(), latitude: decimal, longitude: decimal }),
    shiftStartAt: instant,
    shiftEndAt: instant,
    endAt: instant.meta({ description: 'Back at the depot' }),
    totalDistance: z.number().meta({ description: 'Kilometres' }),
    drivingMin: z.int(),
    serviceMin: z.int(),
    waitMin: z.int(),
    delayMin: z.int().meta({ description: 'Minutes of driving that incidents add, the way back included' }),
    overShiftMin: z.int(),
    totes: z.int(),
    capacityTotes: z.int().nullable(),
    stops: z.array(plannedStop),
  })
  .meta({ id: 'DayPlanRoute' });
export type DayPlanRoute = z.output<typeof plannedRoute>;

export const dayPlan = z
  .object({
    id: z.string(),
    date: day,
    status: z.enum(['solving', 'ready', 'saved', 'failed']),
    message: z.string().nullable().meta({ description: 'What went wrong, when the status is failed' }),
    version: z.int(),
    progress: z.array(z.object({ ms: z.int(), cost: z.number() })).meta({
      description:
        'What the search brings down, as it finds better plans: seconds of driving, and much more for each stop left out',
    }),
    elapsedMs: z.int(),
    timeLimitMs: z.int(),
    routes: z.array(plannedRoute),
    unassigned: z.array(
      z.object({
        type: locationType,
        id,
        name: z.string(),
        address: z.string(),
        latitude: decimal,
        longitude: decimal,
        reason: z.string(),
      }),
    ),
    totals: z.object({ distanceKm: z.number(), drivingMin: z.int(), serviceMin: z.int(), stops: z.int() }),
    distanceSource: z.string(),
    warnings: z.array(z.string()).meta({ description: 'What is not as exact as it should be, as sentences' }),
    mayUndo: z.boolean(),
    routeIds: z.array(id).meta({ description: 'The saved routes' }),
  })
  .meta({ id: 'DayPlan' });
export type DayPlan = z.output<typeof dayPlan>;

const planId = z.object({ id: z.uuid() });

export const createDayPlan = endpoint({
  method: 'POST',
  path: '/api/day-plans',
  summary: 'Plan a day for several drivers; the answer comes at once and the plan gets better until its time is over',
  needs: 'route:plan',
  body: dayPlanInput,
  reply: dayPlan,
  status: 201,
});

export const getDayPlan = endpoint({
  method: 'GET',
  path: '/api/day-plans/:id',
  summary: 'A day plan with its progress',
  needs: 'route:plan',
  params: planId,
  reply: dayPlan,
});

export const stopDayPlan = endpoint({
  method: 'POST',
  path: '/api/day-plans/:id/stop',
  summary: 'Stop the search and keep the best plan so far',
  needs: 'route:plan',
  params: planId,
  reply: dayPlan,
});

export const improveDayPlan = endpoint({
  method: 'POST',
  path: '/api/day-plans/:id/improve',
  summary: 'Search again from the plan as it is; locked stops stay with their drivers',
  needs: 'route:plan',
  params: planId,
  body: z.strictObject({ timeLimitMs: z.int().min(100).max(120_000).default(5_000) }),
  reply: dayPlan,
});

export const arrangeDayPlan = endpoint({
  method: 'PUT',
  path: '/api/day-plans/:id/arrangement',
  summary: 'Move or lock stops by hand; as a preview nothing is stored and the answer says what it would cost',
  needs: 'route:plan',
  params: planId,
  body: z.strictObject({ version: z.int(), arrangement, preview: z.boolean().default(false) }),
  reply: dayPlan,
});

export const undoDayPlan = endpoint({
  method: 'POST',
  path: '/api/day-plans/:id/undo',
  summary: 'Take back the last change of the plan',
  needs: 'route:plan',
  params: planId,
  reply: dayPlan,
});

export const saveDayPlan = endpoint({
  method: 'POST',
  path: '/api/day-plans/:id/save',
  summary: 'Make the routes of the plan, one for each driver with stops',
  needs: 'route:plan',
  params: planId,
  reply: dayPlan,
});

export const discardDayPlan = endpoint({
  method: 'DELETE',
  path: '/api/day-plans/:id',
  summary: 'Throw a plan away; routes already made from it stay',
  needs: 'route:plan',
  params: planId,
  reply: empty,
});
