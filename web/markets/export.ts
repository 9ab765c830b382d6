import type { MarketWithInventory } from '../../contract/markets.ts';
import type { Exported } from '../ui/dialogs/export-dialog.tsx';
import { loadMarketsPage, type MarketFilter } from './api.ts';

/** The markets that the filter shows, as a file has them. */
export const marketsToExport = (filter: MarketFilter): Exported<MarketWithInventory> => ({
  name: 'markets',
  one: 'market',
  many: 'markets',
  load: (page) => loadMarketsPage(filter, page),
  columns: [
    { header: 'Market ID', value: (row) => row.id },
    { header: 'Market', value: (row) => row.name },
    { header: 'Address', value: (row) => row.address },
    { header: 'City', value: (row) => row.city },
    { header: 'State', value: (row) => row.state },
    { header: 'Latitude', value: (row) => row.latitude },
    { header: 'Longitude', value: (row) => row.longitude },
    { header: 'Status', value: (row) => row.status },
    { header: 'Route', value: (row) => row.routeDesignation },
    { header: 'Access hours', value: (row) => row.accessHours },
    { header: 'Contact phone', value: (row) => row.contactPhone ?? null },
    { header: 'Notes', value: (row) => row.notes ?? null },
    { header: 'Stock level %', value: (row) => row.stockLevel },
    { header: 'Items', value: (row) => row.inventoryItems },
    { header: 'Low stock items', value: (row) => row.lowStockCount },
    { header: 'Last updated', value: (row) => row.lastUpdated },
  ],
});
