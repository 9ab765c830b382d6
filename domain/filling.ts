import type { MovementKind } from './inventory.ts';

/** Reasons of counts that say the slot was filled, not merely looked at. */
const fillingReasons: readonly (string | null)[] = ['fill', 'full_restock', 'quick_restock', 'barcode_restock'];

/** Whether units were put in: with the first of these a planned product comes into its slot. */
export function isFilling({ kind, reason }: { kind: MovementKind; reason: string | null }): boolean {
  return kind === 'restock' || (kind === 'count' && fillingReasons.includes(reason));
}
