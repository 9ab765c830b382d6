import { z } from 'zod';

export const distanceUnit = z.enum(['mi', 'km']);
export type DistanceUnit = z.infer<typeof distanceUnit>;

/** Units as a whole number within bounds, each refused with a sentence that can stand by itself. */
export function wholeNumber(label: string, { least, most }: { least: number; most: number }) {
  return z
    .int(`${label} must be a whole number`)
    .min(least, `${label} must be ${least === 0 ? '0 or greater' : `at least ${least}`}`)
    .max(most, `${label} is too large: at most ${most.toLocaleString('en-US')}`);
}

const moneyPattern = /^\d{1,8}(\.\d{1,2})?$/;

const moneyOrNonePattern = /^(\d{1,8}(\.\d{1,2})?)?$/;

const noAmount = 'Enter an amount such as 2.50';

/** A JSON number may well read as an amount: it has to be said that only its writing is wrong. */
const wrongAmount = (input: unknown): string =>
  typeof input === 'number' ? 'Send the amount as text, such as "2.50"' : noAmount;

/** An amount of money as decimal text, numeric(10,2): never binary fractions, never negative. */
export function money(requiredMessage: string) {
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? requiredMessage : wrongAmount(input)) })
    .trim()
    .min(1, requiredMessage)
    .regex(moneyPattern, noAmount);
}

/** An amount that may be left empty, as a form sends it: empty text and null both say that there is none. */
export function optionalMoney() {
  return z
    .string({ error: ({ input }) => wrongAmount(input) })
    .trim()
    .regex(moneyOrNonePattern, noAmount)
    .transform((amount) => amount || null)
    .nullish();
}
