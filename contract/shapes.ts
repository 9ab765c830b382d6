import { z } from 'zod';
import { plainText, tooLong } from '../domain/plain-text.ts';

/** Building blocks of the wire. */
export const id = z.int().positive();
/**
 * A whole number in an address, where all is text: digits alone, since `1e3`, `0x10`, `+5` and nothing at all are numbers to
 * JavaScript, and would name another record than the one that was meant.
 */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z.preprocess(
    readAs(/^\d+$/),
    z
      .int({ error: saidAs('a whole number, in digits alone') })
      .min(least)
      .max(most),
  );
}

/** A number in an address that may have a sign and a fraction; for the same reason nothing else is one. */
export function decimalNumber(least: number, most: number) {
  const error = saidAs('a decimal number, such as 12.5');
  return z.preprocess(readAs(/^-?\d+(\.\d+)?$/), z.number({ error }).min(least).max(most));
}

const readAs = (form: RegExp) => (sent: string | number) =>
  typeof sent === 'string' && form.test(sent) ? Number(sent) : sent;
const saidAs =
  (what: string): z.core.$ZodErrorMap =>
  ({ code, input }) =>
    code === 'invalid_type' && input !== undefined ? `must be ${what}` : undefined;

/** The id of a record in an address. */
export const addressId = wholeNumber(1, 2_147_483_647);
export const pathId = z.object({ id: addressId });
export const instant = z.string().meta({ description: 'Instant, ISO 8601 in UTC', format: 'date-time' });
export const day = z.string().meta({ description: 'Calendar day of the operator, YYYY-MM-DD' });
export const decimal = z.string().meta({ description: 'Decimal number as text: nothing is lost' });
/** Text that has to be given: what is missing and what is too long are told apart. */
export function requiredText(label: string, most: number) {
  const missing = `${label} is required`;
  const wrong = `${label} must be text`;
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : wrong) })
    .trim()
    .min(1, missing)
    .max(most, tooLong(label, most))
    .check(plainText);
}
/** What a file that is sent as bytes is called. */
export const fileName = z
  .string({ error: 'Name the file' })
  .trim()
  .min(1, 'Name the file')
  .max(255, 'The file name is too long');
export const empty = z.object({}).meta({ description: 'Nothing to say' });

/** With one record, never in lists: it can be large. */
export const integrationData = z.unknown().optional().meta({
  description: 'What the partner or the list it comes from told of it, as told; null: nothing. For the office only',
});
export const secretState = z
  .object({ configured: z.boolean(), ending: z.string().nullable() })
  .meta({ description: 'Whether it is set, and at most its last two characters' });

/** RFC 9457 problem document; `detail` is the sentence shown, `code` and `fields` are extension members. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    requestId: z.string().optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.output<typeof problem>;
