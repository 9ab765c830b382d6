import type { LowStockItem } from '../../contract/inventory.ts';

/** Empty before low; of these, the smallest part of the minimum first. */
export function worstStockFirst(a: LowStockItem, b: LowStockItem): number {
  return part(a) - part(b) || b.minimumQuantity - a.minimumQuantity || a.id - b.id;
}

function part({ currentQuantity, minimumQuantity }: LowStockItem): number {
  return Math.max(0, currentQuantity) / Math.max(1, minimumQuantity);
}

/** Saves the loaded list as a file, made here: nothing is asked of the server. */
export function saveLowStockReport(items: readonly LowStockItem[]): void {
  const file = new Blob([JSON.stringify(items, null, 2)], { type: 'application/json' });
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = 'low-stock-report.json';
  link.click();
  URL.revokeObjectURL(address);
}
