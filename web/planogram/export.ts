import type { Slot } from '../../contract/machines.ts';
import type { Exported } from '../ui/dialogs/export-dialog.tsx';

/** What stands in which slot, under headings by which an import of planograms knows it again. */
export const slotsToExport = (machineId: number, slots: readonly Slot[]): Exported<Slot> => ({
  name: `slots-of-machine-${machineId}`,
  one: 'slot',
  many: 'slots',
  load: async () => ({ rows: slots, next: null }),
  columns: [
    { header: 'Slot', value: (slot) => slot.slotNumber },
    { header: 'Product', value: (slot) => slot.productName },
    { header: 'Barcode', value: (slot) => slot.productCode },
    { header: 'Brand', value: (slot) => slot.brand },
    { header: 'Category', value: (slot) => slot.category },
    { header: 'Price', value: (slot) => slot.price },
    { header: 'Cost', value: (slot) => slot.cost },
    { header: 'On hand', value: (slot) => slot.currentQuantity },
    { header: 'Capacity', value: (slot) => slot.maxQuantity },
    { header: 'Par', value: (slot) => slot.parQuantity },
    { header: 'Minimum', value: (slot) => slot.minimumQuantity },
    { header: 'Expires', value: (slot) => slot.expirationDate },
    { header: 'Planned next', value: (slot) => slot.planned?.productName ?? null },
    { header: 'Last restocked', value: (slot) => slot.lastRestocked },
  ],
});
