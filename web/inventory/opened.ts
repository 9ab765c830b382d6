import type { InventoryRow } from '../../contract/inventory.ts';

/** What is open over the table. */
export type Opened = { what: 'add' } | { what: 'edit' | 'remove' | 'actions'; item: InventoryRow };
