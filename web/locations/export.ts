import type { InventoryItem } from '../../contract/inventory.ts';
import { fieldStatus, scheduleLabel } from '../../domain/stock-status.ts';
import type { Exported } from '../ui/export-dialog.tsx';

/** What a market holds, as a file has it: the table is there whole. */
export const stockToExport = (marketId: number, items: readonly InventoryItem[]): Exported<InventoryItem> => ({
  name: `stock-of-market-${marketId}`,
  one: 'product',
  many: 'products',
  load: async () => ({ rows: items, next: null }),
  columns: [
    { header: 'Product', value: (item) => item.productName },
    { header: 'Stock', value: (item) => item.currentQuantity },
    { header: 'Minimum', value: (item) => item.minimumQuantity },
    { header: 'Par', value: (item) => item.parQuantity ?? null },
    { header: 'Status', value: (item) => scheduleLabel[fieldStatus(item.currentQuantity, item.minimumQuantity)] },
    { header: 'Price', value: (item) => item.price },
    { header: 'Last Restocked', value: (item) => item.lastRestocked },
  ],
});
