/**
 * What broken promises cost from one period of children to the next. Guarantees: a price stays within bounds of what it was at first. Where
 * every child keeps a promise, or none can, it would otherwise move on for ever, until it means nothing beside a leg or drowns it.
 */

/** Children after which prices change, and the share of them that should keep a promise. */
export const PERIOD = 50;
const TARGET = 0.3;
const TOLERANCE = 0.05;
const RAISE = 1.25;
const LOWER = 0.8;
/** Shares of the first price. */
const LEAST = 1e-3;
const MOST = 1e5;

/** The price after a period in which so many children kept the promise. */
export function adapted(price: number, first: number, kept: number): number {
  const share = kept / PERIOD;
  if (share < TARGET - TOLERANCE) return Math.min(price * RAISE, first * MOST);
  if (share > TARGET + TOLERANCE) return Math.max(price * LOWER, first * LEAST);
  return price;
}
