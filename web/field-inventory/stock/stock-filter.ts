import { fieldStatus } from '../../../domain/stock-status.ts';
import { withDraft } from '../../offline/day/overlay.ts';
import type { StockRow } from '../../offline/kept/reads.ts';
import { type Draft, itemKey } from '../../offline/outbox/records.ts';
import type { Drafts } from '../drafts/draft-desk.ts';

/** What of a location is listed. `needsMe` holds the items that did when it was asked for: rows stay under the hand. */
export type StockFilter = { search: string; needsMe: ReadonlySet<number> | null };

export const everything: StockFilter = { search: '', needsMe: null };

/** Empty, low, past its date, or with a change that needs attention. */
export function needsPerson(row: StockRow, drafts: Drafts): boolean {
  if (row.state === 'needs_attention' || isPastDate(row, drafts.get(itemKey(row)))) return true;
  return fieldStatus(withDraft(row.quantity, drafts.get(itemKey(row))), row.minimumQuantity) !== 'good';
}

/** Something is in the slot that may not be sold any more, and nobody has touched it yet. */
export function isPastDate(row: Pick<StockRow, 'pastDate' | 'quantity'>, draft: Draft | undefined): boolean {
  return row.pastDate !== null && row.quantity > 0 && !draft;
}

export function isFiltered(filter: StockFilter): boolean {
  return filter.search.trim() !== '' || filter.needsMe !== null;
}

/** Words of the product's name in any order, or the beginning of the slot's code. */
export function filterStock(rows: StockRow[], filter: StockFilter): StockRow[] {
  const words = filter.search.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && !filter.needsMe) return rows;
  return rows.filter((row) => {
    if (filter.needsMe && !filter.needsMe.has(row.itemId)) return false;
    const name = row.productName.toLowerCase();
    const code = (row.slotNumber ?? '').toLowerCase();
    return words.every((word) => name.includes(word) || (code !== '' && code.startsWith(word)));
  });
}

/** How many items the driver has dealt with in this visit: changed, saved, or opened to look at. */
export function countLooked(rows: readonly StockRow[], drafts: Drafts, seen: ReadonlySet<number>): number {
  return rows.filter((row) => seen.has(row.itemId) || drafts.has(itemKey(row)) || row.state !== 'none').length;
}
