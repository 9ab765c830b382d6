import { z } from 'zod';
import { isAccessHours } from './access-hours.ts';
import { isSomewhere, latitude, longitude, requiredStatus, statusBeside, unknownPosition } from './location.ts';
import { plainText, tooLong } from './plain-text.ts';

/** Text limits of the columns; over-long input and what no database keeps get a sentence. */
export function text(max: number, label: string) {
  return z
    .string({
      error: ({ input }) => `${label} ${input === undefined || input === null ? 'is required' : 'must be text'}`,
    })
    .trim()
    .max(max, tooLong(label, max))
    .check(plainText);
}

/** The same, not empty. */
export function requiredText(max: number, label: string) {
  return text(max, label).min(1, `${label} is required`);
}

/** A route designation: a plain string such as 101. Empty means none. */
export const routeDesignation = text(20, 'Route designation')
  .nullish()
  .transform((value) => value || null);

/** When the location can be entered, as in 'Mo-Fr 08:00-17:00; Sa 09:00-12:00'. */
export const accessHours = text(255, 'Access hours').refine(
  isAccessHours,
  'Write access hours as Mo-Fr 08:00-17:00; Sa 09:00-12:00, or leave them empty',
);

const marketFields = z.strictObject({
  name: requiredText(255, 'Name'),
  address: requiredText(500, 'Address'),
  city: text(100, 'City').nullish(),
  state: text(50, 'State').nullish(),
  latitude,
  longitude,
  status: requiredStatus,
  routeDesignation,
  accessHours: accessHours.nullish(),
  accessNotes: text(500, 'Access notes').nullish(),
  contactPhone: text(50, 'Contact phone').nullish(),
  notes: text(500, 'Notes').nullish(),
  integrationId: text(255, 'Integration ID').nullish(),
});

/** What a person may set on a market. */
export const marketInput = marketFields.refine(isSomewhere, unknownPosition);
export type MarketInput = z.output<typeof marketInput>;

/** The same of a market that is there, with the status that it has. */
export const marketEdit = (status: string) =>
  marketFields.extend({ status: statusBeside(status) }).refine(isSomewhere, unknownPosition);

/** An edit may name some fields only; the rest stays. Which statuses it may name depends on the one that stands. */
export const marketUpdate = marketFields
  .partial()
  .extend({ status: text(50, 'Status').optional() })
  .refine(isSomewhere, unknownPosition);
export type MarketUpdate = z.output<typeof marketUpdate>;
