/** Units that fit into one tote of mixed products: a default; the picker sees the exact list. */
export const unitsPerTote = 40;

/** Totes that so many units need, as far as can be told before it is known what they are; nothing needs none. */
export function totesFor(units: number): number {
  return Math.ceil(Math.max(0, units) / unitsPerTote);
}
