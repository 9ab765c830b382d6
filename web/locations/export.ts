import type { InventoryItem } from '../../contract/inventory.ts';
import type { LocationSales } from '../../contract/locations.ts';
import type { LocationRef } from '../../domain/location.ts';
import { fieldStatus, scheduleLabel } from '../../domain/stock-status.ts';
import type { Exported } from '../ui/dialogs/export-dialog.tsx';

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

const nameOf = ({ type, id }: LocationRef): string => `${type === 'market' ? 'market' : 'machine'}-${id}`;

type Day = LocationSales['byDay'][number];

/** What was sold here day by day, those without a sale too. */
export const salesByDayToExport = (place: LocationRef, { byDay }: LocationSales): Exported<Day> => ({
  name: `sales-by-day-of-${nameOf(place)}`,
  one: 'day',
  many: 'days',
  load: async () => ({ rows: byDay, next: null }),
  columns: [
    { header: 'Day', value: (row) => row.day },
    { header: 'Units', value: (row) => row.units },
    { header: 'Sales', value: (row) => row.amount },
  ],
});

type ProductSales = LocationSales['byProduct'][number];

/** What was sold here of each product. */
export const salesByProductToExport = (place: LocationRef, { byProduct }: LocationSales): Exported<ProductSales> => ({
  name: `sales-by-product-of-${nameOf(place)}`,
  one: 'product',
  many: 'products',
  load: async () => ({ rows: byProduct, next: null }),
  columns: [
    { header: 'Product', value: (row) => row.productName },
    { header: 'Units', value: (row) => row.units },
    { header: 'Sales', value: (row) => row.amount },
  ],
});
