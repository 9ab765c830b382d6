import { z } from 'zod';
import { marketInput, marketUpdate } from '../domain/market.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { decimal, id, instant, integrationData, pathId } from './shapes.ts';

export const market = z
  .object({
    id,
    name: z.string(),
    address: z.string(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    latitude: decimal,
    longitude: decimal,
    status: z.string(),
    routeDesignation: z.string().nullable(),
    accessHours: z.string().nullable(),
    accessNotes: z.string().nullable(),
    contactPhone: z.string().nullable().optional(),
    notes: z.string().nullable().optional(),
    integrationId: z.string().nullable(),
    integrationSource: z.string().nullable(),
    lastUpdated: instant,
    updatedAt: instant,
    version: z.int().meta({ description: 'Rises with every edit; If-Match takes it' }),
  })
  .meta({ id: 'Market' });
export type Market = z.output<typeof market>;

export const marketRecord = market.extend({ integrationData }).meta({ id: 'MarketRecord' });
export type MarketRecord = z.output<typeof marketRecord>;

export const marketWithInventory = market
  .extend({
    stockLevel: z.int().min(0).max(100).meta({
      description:
        'Sum of quantities, each at most its target, over the sum of targets, in whole percent; target = par or twice the minimum',
    }),
    inventoryItems: z.int(),
    lowStockCount: z.int(),
  })
  .meta({ id: 'MarketWithInventory' });
export type MarketWithInventory = z.output<typeof marketWithInventory>;

const byRoute = z.object({ route: z.string().max(200).optional() });

export const listMarkets = endpoint({
  method: 'GET',
  path: '/api/markets',
  summary: 'Markets in scope, optionally of one route designation',
  needs: 'stock:read',
  query: byRoute,
  reply: z.array(market),
});

export const listMarketsWithInventory = endpoint({
  method: 'GET',
  path: '/api/markets/with-inventory',
  summary: 'Markets in scope with stock level, item count and low-stock count',
  needs: 'stock:read',
  reply: z.array(marketWithInventory),
});

const marketFilter = z.object({
  search: z.string().max(200).optional().meta({ description: 'Words of name, address or number, in any order' }),
  status: z.string().max(50).optional(),
});

export const pageMarkets = endpoint({
  method: 'GET',
  path: '/api/markets/with-inventory/page',
  summary: 'A page of markets with their stock, searched, filtered and sorted',
  needs: 'stock:read',
  query: pageQuery.extend({
    ...marketFilter.shape,
    sort: sortBy('stock', 'name', 'location', 'status', 'items', 'low', 'updated').default('stock'),
  }),
  reply: pageOf(marketWithInventory),
});

export const getMarketSummary = endpoint({
  method: 'GET',
  path: '/api/markets/with-inventory/summary',
  summary: 'Figures over all markets in scope',
  needs: 'stock:read',
  reply: z.object({
    totalMarkets: z.int(),
    active: z.int(),
    maintenance: z.int(),
    otherStatus: z.int(),
    avgStockLevel: z.int().meta({ description: 'Mean of the stock levels, whole percent' }),
    lowMarkets: z
      .int()
      .meta({ description: 'Of those with items: below the level that counts as low, 40 percent by default' }),
  }),
});

export const getMarket = endpoint({
  method: 'GET',
  path: '/api/markets/:id',
  summary: 'One market',
  needs: 'stock:read',
  params: pathId,
  reply: marketRecord,
});

export const createMarket = endpoint({
  method: 'POST',
  path: '/api/markets',
  summary: 'Create a market',
  needs: 'office:write',
  once: true,
  body: marketInput,
  reply: market,
  status: 201,
});

export const updateMarket = endpoint({
  method: 'PUT',
  path: '/api/markets/:id',
  summary: 'Change fields of a market; If-Match names the version read',
  needs: 'office:write',
  params: pathId,
  body: marketUpdate,
  readAs: marketWithInventory.extend({ integrationData }),
  reply: market,
});

export const removeMarket = endpoint({
  method: 'DELETE',
  path: '/api/markets/:id',
  summary: 'Delete a market; its history stays in the ledger',
  needs: 'office:delete',
  params: pathId,
  reply: z.object({ id }),
});

export const listRouteDesignations = endpoint({
  method: 'GET',
  path: '/api/route-designations',
  summary: 'Distinct route designations of markets and machines in scope',
  needs: 'stock:read',
  reply: z.array(z.string()),
});
