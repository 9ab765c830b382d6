import { z } from 'zod';
import { wholeNumber } from './shapes.ts';

/** What every call that answers a page takes: where the page begins, and how many rows it has. */
export const pageQuery = z.object({
  page: z
    .string()
    .max(1000)
    .optional()
    .meta({ description: '`next` or `previous` of another page; absent: the first' }),
  limit: wholeNumber(1, 1000).default(25),
});

/** A page of rows. `from` counts the first of them from 1; both cursors are to be handed back as they are. */
export function pageOf<R extends z.ZodType>(row: R) {
  return z.object({
    rows: z.array(row),
    total: z.int(),
    isMore: z.boolean().optional().meta({ description: 'At least `total`: the rest was not counted' }),
    from: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
  });
}

/** Sort by one of the names; a minus before it means the largest first. */
export function sortBy<const N extends readonly [string, ...string[]]>(...names: N) {
  return z.enum([...names, ...names.map((name) => `-${name}` as const)] as [N[number], ...`-${N[number]}`[]]);
}
