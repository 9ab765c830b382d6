import type { LowStockItem } from '../../contract/inventory.ts';
import { type FileColumn, saveShown, saveTable, type TableFormat, tableOf } from '../ui/tables/table-file.ts';

/** Empty before low; of these, the smallest part of the minimum first. */
export function worstStockFirst(a: LowStockItem, b: LowStockItem): number {
  return part(a) - part(b) || b.minimumQuantity - a.minimumQuantity || a.id - b.id;
}

function part({ currentQuantity, minimumQuantity }: LowStockItem): number {
  return Math.max(0, currentQuantity) / Math.max(1, minimumQuantity);
}

const columns: readonly FileColumn<LowStockItem>[] = [
  { header: 'Product', value: (item) => item.productName },
  { header: 'Market', value: (item) => item.marketName },
  { header: 'Market ID', value: (item) => item.marketId },
  { header: 'Current stock', value: (item) => item.currentQuantity },
  { header: 'Minimum stock', value: (item) => item.minimumQuantity },
];

/** Saves the loaded list as a file, made here: nothing is asked of the server. */
export function saveLowStockReport(format: TableFormat | 'json', items: readonly LowStockItem[]): void {
  if (format === 'json') saveShown('low-stock-report.json', 'application/json', JSON.stringify(items, null, 2));
  else void saveTable(format, 'low-stock-report', tableOf(items.toSorted(worstStockFirst), columns));
}
