import { z } from 'zod';
import { calendarDay } from '../domain/calendar-day.ts';
import { locationType } from '../domain/location.ts';
import { salesGroups } from '../domain/report.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { day, decimal, id, wholeNumber } from './shapes.ts';

const asked = z.object({
  range: z.enum(['week', 'month', 'quarter']).default('week').meta({ description: 'The last 7, 30 or 90 days' }),
  from: calendarDay.optional().meta({ description: 'First day; with `to` it takes the place of `range`' }),
  to: calendarDay.optional(),
  route: z.string().trim().min(1).max(20).optional().meta({ description: 'One route designation only' }),
});

/** Which rows of a report are told: lines may be as many as places, and its sums are over all of them. */
const askedRows = asked.extend({
  ...pageQuery.shape,
  limit: wholeNumber(1, 10_000).default(25),
  search: z.string().max(100).optional(),
});

const dayRange = z.object({ from: day, to: day });
const span = z.object({
  range: dayRange,
  before: dayRange.meta({ description: 'As many days just before' }),
});

const trade = z.object({
  units: z.int(),
  amount: decimal,
  amountBefore: decimal,
  margin: decimal.meta({ description: 'Of what has a known cost and was paid in the operator’s currency' }),
  costedAmount: decimal.meta({ description: 'Part of the amount whose cost is known' }),
  soldOutShare: z.number().nullable().meta({ description: 'Share of the time that slots were empty; null: no slots' }),
});

const foreignUnits = z
  .int()
  .meta({ description: 'Units paid in another currency than the operator’s: in no amount, mean price or margin' });

const lowStockLine = z.object({
  id,
  productName: z.string(),
  marketId: id,
  marketName: z.string(),
  current: z.int(),
  minimum: z.int(),
  shortage: z.int().meta({ description: 'Current less minimum: below zero' }),
});

export const inventoryReport = span
  .extend({
    totalUnits: z.int(),
    machineUnits: z.int().meta({ description: 'In vending machines, beside the units at markets' }),
    lowStockCount: z.int(),
    averageStockLevel: z
      .int()
      .nullable()
      .meta({ description: 'Percent, mean of the markets; null: there is no market' }),
    value: z.object({
      total: decimal,
      atCost: decimal,
      atPrice: decimal.meta({ description: 'Part of the total valued at price, because the cost is not known' }),
      unvaluedUnits: z.int().meta({ description: 'Units with neither cost nor price' }),
    }),
    spoiled: z.object({ units: z.int(), unitsBefore: z.int(), cost: decimal }),
    missing: z
      .object({ units: z.int(), unitsBefore: z.int(), cost: decimal })
      .meta({ description: 'What counts found less than the ledger said' }),
    soldOutShare: z.number().nullable(),
    lowStock: z.array(lowStockLine),
    losses: z.array(
      z.object({ productName: z.string(), spoiled: z.int(), missing: z.int(), cost: decimal.nullable() }),
    ),
  })
  .meta({ id: 'InventoryReport' });
export type InventoryReport = z.output<typeof inventoryReport>;

export const getInventoryReport = endpoint({
  method: 'GET',
  path: '/api/reports/inventory',
  summary: 'Stock, its value, low stock, spoilage and what counts found missing',
  needs: 'office:read',
  query: asked,
  reply: inventoryReport,
});

export const inventoryReportPage = inventoryReport
  .extend({ lowStock: pageOf(lowStockLine) })
  .meta({ id: 'InventoryReportPage' });
export type InventoryReportPage = z.output<typeof inventoryReportPage>;

const askedLines = askedRows.omit({ search: true });

export const pageInventoryReport = endpoint({
  method: 'GET',
  path: '/api/reports/inventory/page',
  summary: 'The inventory report with a page of its low stock',
  needs: 'office:read',
  query: askedLines.extend({
    sort: sortBy('shortage', 'product', 'market', 'current', 'minimum').default('shortage'),
  }),
  reply: inventoryReportPage,
});

const routeLine = z.object({
  id,
  name: z.string(),
  date: day,
  routeDesignation: z.string().nullable(),
  status: z.string(),
  stops: z.int(),
  visited: z.int(),
  plannedMiles: z.number(),
  drivenMiles: z.number(),
  plannedMin: z.number(),
  actualMin: z.number().nullable(),
});

export const routeReport = span
  .extend({
    activeMarkets: z.int(),
    maintenanceMarkets: z.int(),
    routes: z.int(),
    completed: z.int(),
    distance: z.object({ plannedMiles: z.number(), drivenMiles: z.number() }),
    deliveryTime: z
      .object({ plannedMin: z.number().nullable(), actualMin: z.number().nullable() })
      .meta({ description: 'Means over the completed routes' }),
    stops: z.object({ planned: z.int(), visited: z.int(), skipped: z.int(), late: z.int() }),
    salesPerVisit: decimal.nullable(),
    days: z.array(
      z.object({
        day,
        routes: z.int(),
        plannedMin: z.number(),
        actualMin: z.number(),
        plannedMiles: z.number(),
        drivenMiles: z.number(),
      }),
    ),
    rows: z.array(routeLine),
  })
  .meta({ id: 'RouteReport' });
export type RouteReport = z.output<typeof routeReport>;

export const getRouteReport = endpoint({
  method: 'GET',
  path: '/api/reports/route',
  summary: 'Distances and times of routes, planned against actual',
  needs: 'office:read',
  query: asked,
  reply: routeReport,
});

export const routeReportPage = routeReport.extend({ rows: pageOf(routeLine) }).meta({ id: 'RouteReportPage' });
export type RouteReportPage = z.output<typeof routeReportPage>;

export const pageRouteReport = endpoint({
  method: 'GET',
  path: '/api/reports/route/page',
  summary: 'The route report with a page of its routes',
  needs: 'office:read',
  query: askedLines.extend({
    sort: sortBy('date', 'name', 'visited', 'driven', 'planned', 'time', 'planned-time').default('-date'),
  }),
  reply: routeReportPage,
});

export const marketReport = span
  .extend({
    foreignUnits,
    markets: pageOf(
      trade.extend({
        id,
        name: z.string(),
        status: z.string(),
        stockLevel: z.int(),
        items: z.int(),
        lowStockCount: z.int(),
        routeDesignation: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'MarketReport' });
export type MarketReport = z.output<typeof marketReport>;

export const getMarketReport = endpoint({
  method: 'GET',
  path: '/api/reports/market',
  summary: 'A page of the markets, each with its stock and what it earned',
  needs: 'office:read',
  query: askedRows.extend({
    sort: sortBy('sales', 'name', 'status', 'level', 'items', 'before', 'margin', 'out').default('-sales'),
  }),
  reply: marketReport,
});

const salesGroup = z.enum(salesGroups);

export const salesReport = span
  .extend({
    by: salesGroup,
    units: z.int(),
    unitsBefore: z.int(),
    amount: decimal,
    amountBefore: decimal,
    margin: decimal,
    costedAmount: decimal,
    foreignUnits,
    days: z.array(z.object({ day, units: z.int(), amount: decimal, amountBefore: decimal })),
    groups: pageOf(
      trade.extend({
        key: z.string(),
        label: z.string(),
        location: z.object({ type: locationType, id }).nullable(),
      }),
    ),
  })
  .meta({ id: 'SalesReport' });
export type SalesReport = z.output<typeof salesReport>;

export const getSalesReport = endpoint({
  method: 'GET',
  path: '/api/reports/sales',
  summary:
    'Sales by day, and a page of them by product, category, route, location or machine, compared with the time before',
  needs: 'office:read',
  query: askedRows.extend({
    by: salesGroup.default('product'),
    sort: sortBy('sales', 'name', 'units', 'change', 'margin', 'out').default('-sales'),
  }),
  reply: salesReport,
});
