import { z } from 'zod';

/** Whether the calendar has this `YYYY-MM-DD`: `Date` takes 30 February for 2 March. */
export function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day;
}

/** A calendar day of the operator, `YYYY-MM-DD`. */
export const calendarDay = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'Enter a date as YYYY-MM-DD')
  // Databases know no year 0.
  .refine((day) => isDay(day) && day >= '0001', 'This date does not exist');

/** A day that a person plans or reads off a package: a year typed as 0026 is a slip. */
export const nearDay = calendarDay.refine(
  (day) => day >= '2000' && day < '2100',
  'Enter a date between the years 2000 and 2099',
);
