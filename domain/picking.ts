import { z } from 'zod';
import { unitsPerTote } from './totes.ts';

/**
 * How a route's goods are picked in the warehouse: drinks first because they are heavy and come by the case, dry goods
 * over them, cold things last. Quantities are units.
 */

export const handlings = ['drinks', 'dry', 'cold'] as const;
/** In the order of picking. */
export type Handling = (typeof handlings)[number];

/** Short words are looked for whole: there is ice in 'Juice' and 'Licorice', and tea in 'Steak'. */
const kinds: readonly [Handling, RegExp][] = [
  ['cold', /fresh|frozen|dairy|cold|sandwich|salad|yogurt|\bice\b/i],
  ['drinks', /soda|waters?\b|juice|energy|drink|beverage|\bteas?\b|coffee|milk/i],
];

/** How a product is handled, by the words of its category; without one it is dry. */
export function handlingOf(category: string | null): Handling {
  return kinds.find(([, words]) => words.test(category ?? ''))?.[0] ?? 'dry';
}

/** Whole cases and what is left over; without a case size everything is single units. */
export function inCases(units: number, caseSize: number | null): { cases: number; singles: number } {
  if (!caseSize || caseSize < 2) return { cases: 0, singles: units };
  return { cases: Math.floor(units / caseSize), singles: units % caseSize };
}

/** One tote; cold ones are bags of their own. `from` and `to` are its numbers at the stop: a big line fills several. */
export type Tote<L> = { from: number; to: number; kind: Handling; units: number; lines: L[] };

/**
 * Packs the lines of one stop into totes of `unitsPerTote`, each kind of handling apart, lines in the order given. A line
 * is never divided between two rows of the list; one larger than a tote gets as many as it needs.
 */
export function packTotes<L extends { units: number; handling: Handling }>(lines: readonly L[]): Tote<L>[] {
  const totes: Tote<L>[] = [];
  for (const kind of handlings) {
    let open: Tote<L> | null = null;
    for (const line of lines) {
      if (line.handling !== kind || line.units <= 0) continue;
      if (!open || open.units + line.units > unitsPerTote) {
        open = { from: 0, to: 0, kind, units: 0, lines: [] };
        totes.push(open);
      }
      open.units += line.units;
      open.lines.push(line);
    }
  }
  let number = 0;
  for (const tote of totes) {
    tote.from = number + 1;
    number += Math.ceil(tote.units / unitsPerTote);
    tote.to = number;
  }
  return totes;
}

/** Totes that the lines of one stop fill. */
export const countTotes = (lines: readonly { units: number; handling: Handling }[]): number =>
  packTotes(lines).at(-1)?.to ?? 0;

/** Hours of age from which what is known of a location is ageing, and from which it is old. */
const ageing = { from: 3, old: 8 };

/** How old the data behind a stop's list are; nothing known is old. */
export function freshnessOf(at: Date | null, now: Date): 'fresh' | 'ageing' | 'old' {
  if (!at) return 'old';
  const hours = (now.getTime() - at.getTime()) / 3_600_000;
  if (hours < ageing.from) return 'fresh';
  return hours <= ageing.old ? 'ageing' : 'old';
}

/** Why less was picked than the list asks for. */
export const shortReason = z.enum(['out_of_stock', 'damaged', 'expired', 'not_found', 'no_room'], {
  error: 'Say why less was picked',
});
export type ShortReason = z.infer<typeof shortReason>;

export const shortReasonLabel: Record<ShortReason, string> = {
  out_of_stock: 'Out of stock',
  damaged: 'Damaged',
  expired: 'Past its date',
  not_found: 'Not found',
  no_room: 'No room in the truck',
};

const units = z.int('Enter whole units').min(0, 'Units cannot be below 0').max(100_000, 'At most 100,000 units');

/** What was picked for one line; null takes it back. A substitute is a product of the catalogue put in its place. */
export const pickInput = z
  .strictObject({
    lineId: z.int().positive(),
    picked: units.nullable(),
    reason: shortReason.nullish(),
    insteadId: z.int().positive().nullish(),
    insteadUnits: units.nullish(),
  })
  .refine(({ insteadId, insteadUnits }) => Boolean(insteadId) === Boolean(insteadUnits), {
    path: ['insteadUnits'],
    error: 'A substitute needs a product and its units',
  });
export type PickInput = z.output<typeof pickInput>;
