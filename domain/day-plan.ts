import { z } from 'zod';
import { nearDay } from './calendar-day.ts';
import { fitsPlanner, tooManyLocations } from './route.ts';

const id = z.int().positive();
const minuteOfDay = z
  .int('Give a time of the day')
  .min(0, 'Give a time of the day')
  .max(1439, 'Give a time of the day');
const ids = z.array(id).max(3_000, tooManyLocations.error);

/** One driver with a vehicle, from a depot, for a shift. `endMin` before `startMin` means the next day. */
export const crewInput = z
  .strictObject({
    driverId: id.nullish(),
    vehicleId: id.nullish(),
    depotId: id.nullish(),
    startMin: minuteOfDay.default(6 * 60),
    endMin: minuteOfDay.default(15 * 60),
  })
  .refine(({ startMin, endMin }) => startMin !== endMin, {
    error: 'A shift cannot end at the minute it starts',
    path: ['endMin'],
  });
export type CrewInput = z.output<typeof crewInput>;

/** What to plan: places and who drives on a day. */
export const dayPlanInput = z
  .strictObject({
    date: nearDay,
    marketIds: ids.default([]),
    vendingMachineIds: ids.default([]),
    crews: z.array(crewInput).min(1, 'Choose at least one driver').max(200, 'Plan at most 200 drivers at a time'),
    timeLimitMs: z.int().min(100).max(120_000).default(5_000),
    seed: z.int().min(0).optional(),
  })
  .refine(({ marketIds, vendingMachineIds }) => marketIds.length + vendingMachineIds.length > 0, {
    error: 'Please select at least one market or vending machine to plan.',
    path: ['marketIds'],
  })
  .refine(fitsPlanner, tooManyLocations)
  .refine(({ crews }) => !repeats(crews.map((crew) => crew.driverId)), {
    error: 'A driver is there twice. Remove one of them.',
    path: ['crews'],
  })
  .refine(({ crews }) => !repeats(crews.map((crew) => crew.vehicleId)), {
    error: 'A vehicle is there twice. Choose another one.',
    path: ['crews'],
  });
export type DayPlanInput = z.output<typeof dayPlanInput>;

function repeats(chosen: readonly (number | null | undefined)[]): boolean {
  const known = chosen.filter((one) => one !== null && one !== undefined);
  return new Set(known).size < known.length;
}

const place = z.strictObject({ type: z.enum(['market', 'vending_machine']), id });

/** Who visits what in which order: one list per crew, in the order of the crews. A locked stop stays with its driver. */
export const arrangement = z.strictObject({
  routes: z.array(z.array(place.extend({ locked: z.boolean().default(false) })).max(2_000)).max(200),
  unassigned: z.array(place).max(10_000),
});
export type Arrangement = z.output<typeof arrangement>;
