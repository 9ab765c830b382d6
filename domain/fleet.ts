import { z } from 'zod';
import { isCurrency, noCurrency } from './currency.ts';
import { isSomewhere, latitude, longitude, unknownPosition } from './location.ts';
import { requiredText, text } from './market.ts';
import { isTimeZone } from './time.ts';
import { distanceUnit } from './unit-schemas.ts';

/** Where vehicles start and end, and stock is kept. */
export const depotInput = z
  .strictObject({
    name: requiredText(255, 'Name'),
    address: requiredText(500, 'Address'),
    latitude,
    longitude,
    isDefault: z.boolean().default(false),
  })
  .refine(isSomewhere, unknownPosition);
export type DepotInput = z.output<typeof depotInput>;

/** A vehicle of the operator. Capacity in totes; null: nobody said. */
export const vehicleInput = z.strictObject({
  name: requiredText(255, 'Name'),
  licensePlate: text(20, 'License plate').nullish(),
  depotId: z.int().positive().nullish(),
  capacityTotes: z.int('Enter a whole number of totes').min(1, 'Enter at least 1 tote').max(10_000).nullish(),
});
export type VehicleInput = z.output<typeof vehicleInput>;

/** What the operator is called, and how it counts time, money and distance. */
export const operatorInput = z.strictObject({
  name: requiredText(255, 'Company name'),
  timeZone: z.string().refine(isTimeZone, 'Choose a time zone such as America/New_York'),
  currency: z.string().trim().toUpperCase().refine(isCurrency, noCurrency),
  distanceUnit,
});
export type OperatorInput = z.output<typeof operatorInput>;
