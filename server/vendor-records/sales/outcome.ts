import { sql } from 'drizzle-orm';
import type { Told } from '../batch.ts';
import { type SaleRow, vendorSales } from '../tables.ts';

export type Outcome = 'waiting' | 'waiting_same' | 'booked' | 'same' | 'held' | 'held_same' | 'none';

type Row = Pick<SaleRow, 'outcome'>;

export const isWaiting = ({ outcome }: Row): boolean => outcome === 'waiting' || outcome === 'waiting_same';

/** Waits for a person. */
export const isHeld = ({ outcome }: Row): boolean => outcome === 'held' || outcome === 'held_same';

/** Not decided yet. */
export const isOpen = (row: Row): boolean => isWaiting(row) || isHeld(row);

/** The id of a sale that is written after it is booked: what is decided about it stands in the row itself. */
export const notStored = 0;
export const isStored = ({ id }: SaleRow): boolean => id !== notStored;

export async function setOutcome({ db, at }: Told, list: readonly SaleRow[], outcome: Outcome): Promise<void> {
  const changed = list.filter((row) => row.outcome !== outcome);
  for (const row of changed) row.outcome = outcome;
  const ids = changed.filter(isStored).map((row) => row.id);
  if (ids.length === 0) return;
  await db
    .update(vendorSales)
    .set({ outcome, updatedAt: at })
    .where(sql`id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`);
}
