import type { InventoryItem } from '../../../contract/inventory.ts';
import type { Slot, VendingMachine } from '../../../contract/machines.ts';
import type { Market } from '../../../contract/markets.ts';
import type { Product } from '../../../contract/products.ts';
import type { Changes } from '../../../contract/sync.ts';

/** Builders of what the server sends, for tests. */

const at = '2026-03-02T04:00:00Z';

export function buildMarket(over: Partial<Market> = {}): Market {
  return {
    id: 1,
    name: 'North Hall',
    address: '1 Test Street',
    city: 'Springfield',
    state: 'NJ',
    latitude: '40.70000000',
    longitude: '-74.00000000',
    status: 'active',
    routeDesignation: '101',
    accessHours: null,
    version: 1,
    accessNotes: null,
    integrationId: null,
    integrationSource: null,
    lastUpdated: at,
    updatedAt: at,
    ...over,
  };
}

export function buildMachine(over: Partial<VendingMachine> = {}): VendingMachine {
  return {
    ...buildMarket({ name: 'Snack machine' }),
    id: 1,
    machineId: 'VM-1',
    location: 'Lobby',
    status: 'active',
    capacity: 100,
    currentStock: 10,
    lowSlots: 0,
    emptySlots: 0,
    lastRestocked: null,
    lastMaintenance: null,
    installDate: null,
    model: null,
    serialNumber: null,
    vendorId: null,
    contactPhone: null,
    notes: null,
    lastSeen: null,
    createdAt: at,
    ...over,
  };
}

export function buildItem(over: Partial<InventoryItem> = {}): InventoryItem {
  return {
    id: 1,
    marketId: 1,
    productId: 1,
    productName: 'Water',
    currentQuantity: 4,
    minimumQuantity: 12,
    parQuantity: null,
    price: '1.50',
    cost: null,
    lastRestocked: null,
    updatedAt: at,
    version: 1,
    ...over,
  };
}

export function buildSlot(over: Partial<Slot> = {}): Slot {
  return {
    id: 1,
    machineId: 1,
    productId: 2,
    productName: 'Crisps',
    productCode: null,
    slotNumber: 'A1',
    currentQuantity: 9,
    maxQuantity: 10,
    capacity: 10,
    parQuantity: null,
    minimumQuantity: 0,
    price: '2.00',
    cost: null,
    category: null,
    brand: null,
    expirationDate: null,
    lastRestocked: null,
    updatedAt: at,
    version: 1,
    ...over,
  };
}

export function buildProduct(over: Partial<Product> = {}): Product {
  return {
    id: 1,
    name: 'Water',
    brand: null,
    category: null,
    unitPrice: '1.50',
    unitCost: null,
    caseSize: 24,
    barcodes: ['4006381333931'],
    updatedAt: at,
    ...over,
  };
}

export function buildChanges(over: Partial<Changes> = {}): Changes {
  return {
    serverTime: '2026-03-02T05:00:00Z',
    cursor: '1',
    reset: false,
    more: false,
    markets: [],
    machines: [],
    items: [],
    slots: [],
    products: [],
    routes: [],
    removed: [],
    ...over,
  };
}
