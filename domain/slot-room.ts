/** How many units a slot takes: said in the same words on the phone, in the office and by the server. */

export const holdsAtMost = (capacity: number): string => `This slot holds at most ${capacity}.`;

export type SlotRoom = { currentQuantity: number; maxQuantity: number };

/**
 * What is wrong with more units than a slot holds, at the number that makes it so: the quantity, or, where that stands as
 * it was before, what the slot is said to hold.
 */
export function roomProblem(
  { currentQuantity, maxQuantity }: SlotRoom,
  before: Pick<SlotRoom, 'currentQuantity'> | null,
): { field: 'currentQuantity' | 'maxQuantity'; sentence: string } | null {
  if (currentQuantity <= maxQuantity) return null;
  if (currentQuantity !== before?.currentQuantity)
    return { field: 'currentQuantity', sentence: holdsAtMost(maxQuantity) };
  const sentence = `There are ${currentQuantity} in this slot. Choose a max quantity of at least ${currentQuantity}.`;
  return { field: 'maxQuantity', sentence };
}
