import { holdsAtMost } from '../../../domain/slot-room.ts';

/** Most units of one item, as the stock record keeps them. */
export const mostUnits = 1_000_000;

export type QuantityRead = { quantity: number; problem: null } | { quantity: null; problem: string };

const refused = (problem: string): QuantityRead => ({ quantity: null, problem });

/** Reads a number of units as typed or pasted; what cannot be one is answered with the sentence that says why. */
export function readQuantity(typed: string, capacity: number | null): QuantityRead {
  const text = typed.trim();
  if (text === '') return refused('Enter a number.');
  if (/^[-−]\s*\d/.test(text)) return refused('There cannot be less than 0.');
  if (/^\d+[.,]\d+$/.test(text)) return refused('Enter whole units, without a decimal point.');
  if (!/^\d+$/.test(text)) return refused('Enter digits only, such as 12.');
  const quantity = Number(text);
  if (capacity !== null && quantity > capacity) return refused(holdsAtMost(capacity));
  if (quantity > mostUnits) return refused('That is too many. At most 1,000,000 units are kept.');
  return { quantity, problem: null };
}
