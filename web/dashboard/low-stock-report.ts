import type { LowStockItem } from '../../contract/inventory.ts';
import { type FileColumn, saveShown, saveTable, type TableFormat, tableOf } from '../ui/tables/table-file.ts';

/** As the call that answers the whole list has it. */
function mostShortFirst(a: LowStockItem, b: LowStockItem): number {
  const shortage = ({ minimumQuantity, currentQuantity }: LowStockItem): number => minimumQuantity - currentQuantity;
  const [one, other] = [a.productName.toLowerCase(), b.productName.toLowerCase()];
  if (shortage(a) !== shortage(b)) return shortage(b) - shortage(a);
  if (one !== other) return one < other ? -1 : 1;
  return a.id - b.id;
}

const columns: readonly FileColumn<LowStockItem>[] = [
  { header: 'Product', value: (item) => item.productName },
  { header: 'Market', value: (item) => item.marketName },
  { header: 'Market ID', value: (item) => item.marketId },
  { header: 'Current stock', value: (item) => item.currentQuantity },
  { header: 'Minimum stock', value: (item) => item.minimumQuantity },
];

export type LowStockFormat = TableFormat | 'json';

/** Saves the list as a file, made here. */
export function saveLowStockReport(format: LowStockFormat, items: readonly LowStockItem[]): void {
  if (format === 'json')
    saveShown('low-stock-report.json', 'application/json', JSON.stringify(items.toSorted(mostShortFirst), null, 2));
  else void saveTable(format, 'low-stock-report', tableOf(items, columns));
}
