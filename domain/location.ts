import { z } from 'zod';
import { isNowhere } from './place.ts';

export { distanceKm, locationKey, type Point, toPoint } from './place.ts';

export const locationType = z.enum(['market', 'vending_machine']);
export type LocationType = z.infer<typeof locationType>;

/** Where a phone was, decimal degrees. */
export const position = z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) });

/** A place with stock: a micro market or a vending machine. Ids of the two kinds may coincide, so neither is used alone. */
export const locationRef = z.object({ type: locationType, id: z.int32().positive() });
export type LocationRef = z.infer<typeof locationRef>;

const unknownStatus = 'Status must be active, maintenance or inactive';

export const locationStatus = z.enum(['active', 'maintenance', 'inactive'], { error: unknownStatus });
export type LocationStatus = z.infer<typeof locationStatus>;

/** One that somebody has to choose. */
export const requiredStatus = z.enum(locationStatus.options, {
  error: ({ input }) => (input === undefined || input === null || input === '' ? 'Status is required' : unknownStatus),
});

/** Of an edit: imports and older releases know other statuses, and the one that stands may be sent back. */
export const statusBeside = (held: string) =>
  z
    .string({ error: unknownStatus })
    .min(1, 'Status is required')
    .refine((status) => status === held || locationStatus.safeParse(status).success, unknownStatus);

const decimalPattern = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

function coordinate(name: 'Latitude' | 'Longitude', limit: number) {
  const notANumber = `${name} must be a valid number`;
  const notAsText = `${name} must be sent as text, such as "39.9526"`;
  return z
    .string({
      error: ({ input }) => {
        if (input === undefined || input === null) return `${name} is required`;
        return typeof input === 'number' ? notAsText : notANumber;
      },
    })
    .trim()
    .min(1, `${name} is required`)
    .max(20, notANumber)
    .regex(decimalPattern, notANumber)
    .refine((text) => Math.abs(Number(text)) <= limit, `${name} must lie between -${limit} and ${limit}`);
}

/** Degrees as decimal text, as they travel and are stored: nothing is lost to binary fractions. */
export const latitude = coordinate('Latitude', 90);
export const longitude = coordinate('Longitude', 180);

/** What a form or a call says to a position of 0, 0. */
export const unknownPosition = {
  path: ['latitude'],
  error: '0, 0 stands for an unknown position: enter where it is',
};

/** For `refine` beside it: true for a position that somebody may mean. */
export const isSomewhere = (position: Parameters<typeof isNowhere>[0]): boolean => !isNowhere(position);
