import { z } from 'zod';
import { locationType } from '../domain/location.ts';
import { role } from '../domain/role-schemas.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { decimal, id, instant } from './shapes.ts';

const route = z.string().max(20).optional().meta({ description: 'Only this route designation' });
const search = z.string().max(100).optional();

const routeSummary = z
  .object({
    designation: z.string(),
    name: z.string(),
    locations: z.int(),
    activeLocations: z.int(),
    inventoryItems: z.int(),
    lowStock: z.int(),
    workers: z.int(),
    lastActivity: instant.nullable(),
  })
  .meta({ id: 'RouteSummary' });
export type RouteSummary = z.output<typeof routeSummary>;

export const getAdministration = endpoint({
  method: 'GET',
  path: '/api/admin/overview',
  summary: 'Counters of the Administration Dashboard, and each route with its places, items, low stock and workers',
  needs: 'people:manage',
  query: z.object({ route, role: role.optional() }),
  reply: z.object({
    totalLocations: z.int(),
    markets: z.int(),
    totalInventoryItems: z.int(),
    lowStock: z.int(),
    activeRoutes: z.int(),
    systemUsers: z.int(),
    routes: z.array(routeSummary),
    routeDesignations: z.array(z.string()),
  }),
});
export type Administration = z.output<typeof getAdministration.reply>;

const adminLocation = z
  .object({
    key: z.int(),
    type: locationType,
    id,
    name: z.string(),
    routeDesignation: z.string().nullable(),
    status: z.string(),
    address: z.string(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    latitude: decimal,
    longitude: decimal,
    lastUpdated: instant,
  })
  .meta({ id: 'AdminLocation' });
export type AdminLocation = z.output<typeof adminLocation>;

export const pageAdminLocations = endpoint({
  method: 'GET',
  path: '/api/admin/locations',
  summary: 'A page of all markets and vending machines',
  needs: 'people:manage',
  query: pageQuery.extend({
    search,
    route,
    sort: sortBy('name', 'type', 'route', 'status', 'updated').default('name'),
  }),
  reply: pageOf(adminLocation),
});

const adminItem = z
  .object({
    key: z.int(),
    locationType,
    locationId: id,
    location: z.string(),
    routeDesignation: z.string().nullable(),
    productName: z.string(),
    slotNumber: z.string().nullable(),
    currentQuantity: z.int(),
    minimumQuantity: z.int().meta({ description: '0 at machines' }),
    capacity: z.int().nullable().meta({ description: 'Null at markets' }),
    price: decimal.nullable(),
    isLow: z.boolean(),
  })
  .meta({ id: 'AdminItem' });
export type AdminItem = z.output<typeof adminItem>;

export const pageAdminInventory = endpoint({
  method: 'GET',
  path: '/api/admin/inventory',
  summary: 'A page of all products at markets and in machines',
  needs: 'people:manage',
  query: pageQuery.extend({
    search,
    route,
    stock: z.enum(['all', 'low']).default('all'),
    sort: sortBy('product', 'stock').default('product'),
  }),
  reply: pageOf(adminItem),
});
