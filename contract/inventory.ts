import { z } from 'zod';
import {
  inventoryItemInput,
  inventoryItemUpdate,
  itemsInput,
  minimumsInput,
  mostItemsAtOnce,
} from '../domain/inventory-edit.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { addressId, decimal, id, instant, pathId } from './shapes.ts';

export const inventoryItem = z
  .object({
    id,
    marketId: id,
    productId: id.nullable(),
    productName: z.string(),
    currentQuantity: z.int(),
    minimumQuantity: z.int(),
    parQuantity: z.int().nullable(),
    price: decimal.nullable(),
    cost: decimal.nullable(),
    lastRestocked: instant.nullable(),
    updatedAt: instant,
    version: z.int(),
  })
  .meta({ id: 'InventoryItem' });
export type InventoryItem = z.output<typeof inventoryItem>;

export const lowStockItem = z
  .object({
    id,
    marketId: id,
    marketName: z.string().nullable(),
    productName: z.string(),
    currentQuantity: z.int(),
    minimumQuantity: z.int(),
  })
  .meta({ id: 'LowStockItem' });
export type LowStockItem = z.output<typeof lowStockItem>;

/** An item with the name of its market, as a row of the office's table. */
export const inventoryRow = inventoryItem.extend({ marketName: z.string() }).meta({ id: 'InventoryRow' });
export type InventoryRow = z.output<typeof inventoryRow>;

/** Low is below the minimum; in stock is everything else, what is close to the minimum too. */
export const stockFilter = z.enum(['all', 'low', 'in-stock']);
export type StockFilter = z.output<typeof stockFilter>;

export const listInventory = endpoint({
  method: 'GET',
  path: '/api/inventory',
  summary: 'Inventory items of all markets in scope',
  needs: 'stock:read',
  reply: z.array(inventoryItem),
});

const inventoryFilter = z.object({
  search: z.string().max(200).optional().meta({ description: 'Words of product or market, in any order' }),
  stock: stockFilter.default('all'),
  market: addressId.optional(),
  ids: z
    .string()
    .transform((list): (string | number)[] => list.split(','))
    .pipe(z.array(addressId).max(mostItemsAtOnce))
    .optional()
    .meta({ description: `Ids set apart by commas, at most ${mostItemsAtOnce}: of these items only` }),
});

export const pageInventory = endpoint({
  method: 'GET',
  path: '/api/inventory/page',
  summary: 'A page of inventory items, searched, filtered and sorted; `cover` is stock as a share of the minimum',
  needs: 'stock:read',
  query: pageQuery.extend({
    ...inventoryFilter.shape,
    sort: sortBy('cover', 'product', 'market', 'stock', 'minimum', 'restocked').default('cover'),
  }),
  reply: pageOf(inventoryRow),
});

export const getInventorySummary = endpoint({
  method: 'GET',
  path: '/api/inventory/summary',
  summary: 'Figures over all inventory items in scope',
  needs: 'stock:read',
  reply: z.object({
    totalItems: z.int(),
    lowStockItems: z.int().meta({ description: 'Below their minimum' }),
    totalValue: decimal.meta({ description: 'Quantity times unit cost, unit price where no cost is known' }),
    itemsAtPrice: z.int().meta({ description: 'In stock and valued at unit price' }),
    itemsWithoutValue: z.int().meta({ description: 'In stock with neither cost nor price: not in the value' }),
    marketsCovered: z.int(),
    totalMarkets: z.int(),
  }),
});

export const getInventoryItem = endpoint({
  method: 'GET',
  path: '/api/inventory/items/:id',
  summary: 'One inventory item',
  needs: 'stock:read',
  params: pathId,
  reply: inventoryRow,
});

export const listLowStock = endpoint({
  method: 'GET',
  path: '/api/inventory/low-stock',
  summary: 'Market items at or below their minimum',
  needs: 'stock:read',
  reply: z.array(lowStockItem),
});

export const pageLowStock = endpoint({
  method: 'GET',
  path: '/api/inventory/low-stock/page',
  summary:
    'A page of the market items at or below their minimum: empty ones first, then the smallest part of the minimum',
  needs: 'stock:read',
  query: pageQuery,
  reply: pageOf(lowStockItem),
});

export const listMarketInventory = endpoint({
  method: 'GET',
  path: '/api/inventory/:id',
  summary: 'Stock of one market; the id is the market',
  needs: 'stock:read',
  params: pathId,
  reply: z.array(inventoryItem),
});

export const createInventoryItem = endpoint({
  method: 'POST',
  path: '/api/inventory',
  summary:
    'Add a product to a market; the quantity becomes its first count. One that is there already gets a second item, for another shelf',
  needs: 'office:write',
  once: true,
  body: inventoryItemInput,
  reply: inventoryItem,
  status: 201,
});

export const updateInventoryItem = endpoint({
  method: 'PUT',
  path: '/api/inventory/:id',
  summary:
    'Count an item (currentQuantity) or change its fields; the id is the item. Idempotency-Key names the event, If-Match the version read: beside a change of fields the quantity of that version is no count',
  needs: 'stock:count',
  params: pathId,
  body: inventoryItemUpdate,
  readAs: inventoryRow,
  reply: inventoryItem.extend({ eventId: z.string().nullable() }),
});

export const removeInventoryItem = endpoint({
  method: 'DELETE',
  path: '/api/inventory/:id',
  summary: 'Take an item off a market; late counts still find it',
  needs: 'office:delete',
  params: pathId,
  reply: z.object({ id }),
});

export const restoreInventoryItem = endpoint({
  method: 'POST',
  path: '/api/inventory/items/:id/restore',
  summary: 'Put an item that was taken off back on its market',
  needs: 'office:delete',
  params: pathId,
  reply: inventoryRow,
});

const wholly = 'All of them or, where one is refused, none';

export const setMinimums = endpoint({
  method: 'PUT',
  path: '/api/inventory/items',
  summary: `Set the minimums of at most ${mostItemsAtOnce} items. ${wholly}; \`fields\` names which. \`before\` is what an undo sends back`,
  needs: 'office:write',
  body: minimumsInput,
  reply: z.object({ items: z.array(z.object({ id, minimumQuantity: z.int(), before: z.int() })) }),
});

export const removeInventoryItems = endpoint({
  method: 'POST',
  path: '/api/inventory/items/remove',
  summary: `Take at most ${mostItemsAtOnce} items off their markets. ${wholly}; late counts still find them`,
  needs: 'office:delete',
  body: itemsInput,
  reply: z.object({ ids: z.array(id) }),
});

export const restoreInventoryItems = endpoint({
  method: 'POST',
  path: '/api/inventory/items/restore',
  summary: `Put at most ${mostItemsAtOnce} items that were taken off back on their markets. ${wholly}`,
  needs: 'office:delete',
  body: itemsInput,
  reply: z.object({ ids: z.array(id) }),
});
