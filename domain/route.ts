import { z } from 'zod';
import { nearDay } from './calendar-day.ts';
import { unknownPosition } from './location.ts';
import { requiredText } from './market.ts';
import { plainText } from './plain-text.ts';
import { mostLocations, type RouteStatus, routeStatuses } from './route-plan.ts';

export const routeStatus = z.enum(routeStatuses);

/** Status moves forward only. */
export function mayBecome(from: RouteStatus, to: RouteStatus): boolean {
  return routeStatuses.indexOf(to) === routeStatuses.indexOf(from) + 1;
}

const tooMany = 'Choose at most 3,000 locations at a time; plan the rest apart';
const ids = z.array(z.int().positive()).max(mostLocations, tooMany);

/** Travel between all chosen places is held at once: beyond this a server runs out of memory. */
export function fitsPlanner({ marketIds, vendingMachineIds }: { marketIds: number[]; vendingMachineIds: number[] }) {
  return marketIds.length + vendingMachineIds.length <= mostLocations;
}
export const tooManyLocations = { error: tooMany, path: ['marketIds'] };

/** Where a plan begins, decimal degrees. */
export const startLocation = z
  .strictObject({
    lat: z.number().min(-90, 'Latitude must lie between -90 and 90').max(90, 'Latitude must lie between -90 and 90'),
    lng: z
      .number()
      .min(-180, 'Longitude must lie between -180 and 180')
      .max(180, 'Longitude must lie between -180 and 180'),
  })
  .refine(({ lat, lng }) => lat !== 0 || lng !== 0, { path: ['lat'], error: unknownPosition.error });

const aboutVehicle = 'Give a vehicle by its id, or as {id, capacity} with the totes that it holds';
const wholeTotes = 'The capacity of a vehicle is a whole number of totes, at least 1';
const vehicleId = z.int(aboutVehicle).positive(aboutVehicle);
/** A vehicle of the fleet, or any that holds so many totes; a capacity given with an id is taken instead of the fleet's. */
const planVehicle = z.union(
  [
    vehicleId,
    z
      .strictObject({ id: vehicleId.optional(), capacity: z.int(wholeTotes).positive(wholeTotes).optional() })
      .refine(({ id, capacity }) => id !== undefined || capacity !== undefined, aboutVehicle),
  ],
  aboutVehicle,
);
export type PlanVehicle = z.output<typeof planVehicle>;

// Loose: what another planner knows does not keep from planning, and the reply names it.
const planOptions = z.looseObject({
  timeLimitMs: z.int().min(50).max(60_000).optional(),
  seed: z.int().min(0).optional(),
  optional: z.boolean().optional(),
});

/** Options that somebody gave and nobody here knows. */
export const unknownOptions = (options: object): string[] =>
  Object.keys(options).filter((name) => !Object.hasOwn(planOptions.shape, name));

/** What to put in order. `marketIds` alone means markets only. Without a start the route's depot is used. */
export const optimizeInput = z
  .strictObject({
    marketIds: ids.default([]),
    vendingMachineIds: ids.default([]),
    startLocation: startLocation.nullish(),
    depotId: z.int().positive().nullish(),
    routeId: z.int().positive().nullish(),
    vehicles: z.array(planVehicle).max(100).default([]),
    date: nearDay.nullish(),
    options: planOptions.default({}),
  })
  .refine(fitsPlanner, tooManyLocations);
export type OptimizeInput = z.output<typeof optimizeInput>;

/** A route made from a selection, in the order given. */
export const routeInput = z.strictObject({
  name: requiredText(255, 'Name'),
  date: nearDay,
  routeDesignation: z.string().trim().max(20).check(plainText).nullish(),
  driverId: z.int().positive().nullish(),
  vehicleId: z.int().positive().nullish(),
  depotId: z.int().positive().nullish(),
  optimized: z.boolean().default(false),
  stops: z
    .array(z.strictObject({ type: z.enum(['market', 'vending_machine']), id: z.int().positive() }))
    .min(1, 'Select at least one location for the route')
    .max(500, 'A route has at most 500 stops'),
});
export type RouteInput = z.output<typeof routeInput>;
