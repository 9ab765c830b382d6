import { z } from 'zod';
import { inventoryItemInput, inventoryItemUpdate } from '../domain/inventory.ts';
import { endpoint } from './endpoint.ts';
import { decimal, id, instant, pathId } from './shapes.ts';

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

export const listInventory = endpoint({
  method: 'GET',
  path: '/api/inventory',
  summary: 'Inventory items of all markets in scope',
  needs: 'stock:read',
  reply: z.array(inventoryItem),
});

export const listLowStock = endpoint({
  method: 'GET',
  path: '/api/inventory/low-stock',
  summary: 'Market items at or below their minimum',
  needs: 'stock:read',
  reply: z.array(lowStockItem),
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
  summary: 'Add a product to a market; the quantity becomes its first count',
  needs: 'office:write',
  body: inventoryItemInput,
  reply: inventoryItem,
  status: 201,
});

export const updateInventoryItem = endpoint({
  method: 'PUT',
  path: '/api/inventory/:id',
  summary: 'Count an item (currentQuantity) or change its fields; the id is the item. Idempotency-Key names the event',
  needs: 'stock:count',
  params: pathId,
  body: inventoryItemUpdate,
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
