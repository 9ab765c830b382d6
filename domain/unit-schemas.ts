import { z } from 'zod';

export const distanceUnit = z.enum(['mi', 'km']);
export type DistanceUnit = z.infer<typeof distanceUnit>;

const moneyPattern = /^\d{1,8}(\.\d{1,2})?$/;

/** An amount of money as decimal text, numeric(10,2): never binary fractions, never negative. */
export function money(requiredMessage: string) {
  return z
    .string({ error: requiredMessage })
    .trim()
    .min(1, requiredMessage)
    .regex(moneyPattern, 'Enter an amount such as 2.50');
}
