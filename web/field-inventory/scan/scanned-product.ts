import type { Product } from '../../../contract/products.ts';
import { suggestedRestock } from '../../../domain/product.ts';
import { targetQuantity } from '../../../domain/stock-status.ts';
import { withDraft } from '../../offline/day/overlay.ts';
import type { StockRow } from '../../offline/kept/reads.ts';
import { itemKey } from '../../offline/outbox/records.ts';
import type { Drafts } from '../drafts/draft-desk.ts';

/** What a scan means at a location: the row that takes the product, and how much it would take. */
export type Suggestion = { row: StockRow; units: number; shown: number };

function isOf(row: StockRow, product: Product): boolean {
  if (row.productId !== null) return row.productId === product.id;
  return row.productName.trim().toLowerCase() === product.name.trim().toLowerCase();
}

/** Of several slots with the product, the emptiest. Null when the location does not stock it. */
export function suggestionFor(product: Product, rows: readonly StockRow[], drafts: Drafts): Suggestion | null {
  const found = rows
    .filter((row) => isOf(row, product))
    .map((row) => {
      const shown = withDraft(row.quantity, drafts.get(itemKey(row)));
      const target = row.capacity === null ? targetQuantity(row) : (row.parQuantity ?? row.capacity);
      const wanted = suggestedRestock({ onHand: shown, target, caseSize: product.caseSize });
      const units = row.capacity === null ? wanted : Math.min(wanted, row.capacity - shown);
      return { row, shown, units, missing: target - shown };
    });
  return found.sort((a, b) => b.missing - a.missing)[0] ?? null;
}
