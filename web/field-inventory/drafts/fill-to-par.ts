import { targetQuantity } from '../../../domain/stock-status.ts';
import type { StockRow } from '../../offline/kept/reads.ts';

/** What a row is filled up to: a slot to its par, else to its capacity; a shelf place to its target. */
export function fillTarget(row: Pick<StockRow, 'capacity' | 'parQuantity' | 'minimumQuantity'>): number {
  if (row.capacity === null) return targetQuantity(row);
  return Math.min(row.parQuantity ?? row.capacity, row.capacity);
}

/** Units that fill a row from what is there; 0 for one that is full or above its par. */
export function unitsToFill(row: Parameters<typeof fillTarget>[0], shown: number): number {
  return Math.max(0, fillTarget(row) - shown);
}
