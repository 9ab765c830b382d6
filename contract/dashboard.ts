import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { day, id, instant } from './shapes.ts';

export const dashboardStats = z
  .object({
    totalMarkets: z.int(),
    lowStockAlerts: z.int(),
    todayRoute: z.string(),
    avgDeliveryTime: z.string(),
    marketsByStatus: z.object({ active: z.int(), maintenance: z.int(), inactive: z.int() }),
    stopsToday: z.int(),
    stopsDoneToday: z.int(),
    lateRoutes: z.int().meta({ description: "Today's routes whose next or last stop is later than planned" }),
    plannedDeliveryTime: z.string(),
    deliveryDays: z
      .array(z.object({ day, minutes: z.int() }))
      .meta({ description: 'Mean minutes of the routes completed on each of the last 30 days, oldest first' }),
  })
  .meta({ id: 'DashboardStats' });
export type DashboardStats = z.output<typeof dashboardStats>;

export const getDashboardStats = endpoint({
  method: 'GET',
  path: '/api/dashboard/stats',
  summary: 'The four figures of the dashboard',
  needs: 'stock:read',
  reply: dashboardStats,
});

export const listTopProducts = endpoint({
  method: 'GET',
  path: '/api/dashboard/top-products',
  summary: 'Products by units sold in the last 30 days',
  needs: 'stock:read',
  reply: z.array(
    z.object({
      productName: z.string(),
      productId: id.nullable().optional().meta({ description: 'The product of this name; null: none has it now' }),
      units: z.int(),
      share: z.number(),
    }),
  ),
});

export const exception = z
  .object({
    key: z.string(),
    kind: z.enum(['late', 'silent', 'sold-out', 'alert', 'count-conflict', 'refused', 'silent-phone', 'partner']),
    severity: z.enum(['critical', 'high', 'medium', 'low']),
    message: z.string(),
    place: z.string(),
    location: z.object({ type: z.enum(['market', 'vending_machine']), id }).nullable(),
    routeDesignation: z.string().nullable(),
    since: instant,
  })
  .meta({ id: 'Exception' });
export type Exception = z.output<typeof exception>;

export const listExceptions = endpoint({
  method: 'GET',
  path: '/api/dashboard/exceptions',
  summary:
    'What needs a person now, worst first: late stops, silent machines and phones, sold-out slots, refused and conflicting counts, failing partners',
  needs: 'stock:read',
  reply: z.object({ total: z.int(), rows: z.array(exception) }),
});

export const searchResult = z.object({
  kind: z.enum(['market', 'vending_machine', 'product', 'route', 'person']),
  id,
  title: z.string(),
  detail: z.string(),
});

export const search = endpoint({
  method: 'GET',
  path: '/api/search',
  summary: 'Find markets, machines, products, routes and people by text',
  needs: 'stock:read',
  query: z.object({ q: z.string().trim().min(1).max(100) }),
  reply: z.array(searchResult),
});
export type SearchResult = z.output<typeof searchResult>;
