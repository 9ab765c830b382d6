import type { InventoryRow } from '../../contract/inventory.ts';
import { officeStatus } from '../../domain/stock-status.ts';
import type { Exported } from '../ui/dialogs/export-dialog.tsx';
import { type InventoryFilter, loadInventoryPage, loadItems } from './api.ts';

const statusWords = { low: 'Low Stock', warning: 'Warning', 'in-stock': 'In Stock' } as const;

/** The items that the filter shows, as a file has them. */
export const itemsToExport = (filter: InventoryFilter): Exported<InventoryRow> => ({
  name: 'inventory',
  one: 'item',
  many: 'items',
  load: (page) => loadInventoryPage(filter, page),
  columns: [
    { header: 'Product', value: (item) => item.productName },
    { header: 'Market', value: (item) => item.marketName },
    { header: 'Market ID', value: (item) => item.marketId },
    { header: 'Current Stock', value: (item) => item.currentQuantity },
    { header: 'Minimum Stock', value: (item) => item.minimumQuantity },
    { header: 'Status', value: (item) => statusWords[officeStatus(item)] },
    { header: 'Last Restocked', value: (item) => item.lastRestocked },
    { header: 'Unit Cost', value: (item) => item.cost },
    { header: 'Unit Price', value: (item) => item.price },
  ],
});

/** The picked items, as they are when the file is made. */
export const pickedToExport = (ids: readonly number[], filter: InventoryFilter): Exported<InventoryRow> => ({
  ...itemsToExport(filter),
  about: 'The selected items, in the order of the table.',
  load: async () => ({ ...(await loadItems(ids, filter.sort)), next: null }),
});
