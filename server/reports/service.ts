import type {
  InventoryReport,
  InventoryReportPage,
  MarketReport,
  RouteReport,
  RouteReportPage,
  SalesReport,
} from '../../contract/reports.ts';
import { AppError } from '../../domain/errors.ts';
import {
  type DayRange,
  lengthOf,
  type ReportSpan,
  rangeBefore,
  refusedRange,
  type SalesGroup,
  spanUpTo,
} from '../../domain/report.ts';
import { stockLevel } from '../../domain/stock-status.ts';
import { kmToMiles, lessMoney, shareOfMoney, sumOfMoney } from '../../domain/units.ts';
import type { Db } from '../db/database.ts';
import { valueOfItems } from '../inventory/service.ts';
import { countForeignUnitsOfMarkets } from './foreign.ts';
import { daysOfRange, type KnownDays } from './known-days.ts';
import { findMarketPage } from './market-queries.ts';
import { daysOfRoutes } from './route-days.ts';
import {
  countMarketsByStatus,
  findRouteDays,
  findRoutePage,
  findRoutes,
  type LinesWish,
  type RouteDay,
  type RouteRow,
} from './route-queries.ts';
import { findDaysAndTotals, findSalesDays, findTradePage, type Totals } from './sold-queries.ts';
import {
  findLevels,
  findLosses,
  findLowPage,
  findLowStock,
  findMachineUnits,
  findSoldOutShare,
  type LossRow,
} from './stock-queries.ts';
import type { PageWish, Rest, Wish } from './wish.ts';

export type Asked = {
  range: ReportSpan;
  from?: string | undefined;
  to?: string | undefined;
  route?: string | undefined;
};

/** Where a report is read, and the operator's day there. */
export type On = { db: Db; today: string };

function wishOf({ today }: On, { range: span, from, to, route }: Asked): Wish {
  if ((from === undefined) !== (to === undefined)) {
    const missing = from === undefined ? 'from' : 'to';
    throw new AppError('invalid-input', 'Give both days of a range of your own.', {
      fields: { [missing]: 'Required' },
    });
  }
  const range = from && to ? { from, to } : spanUpTo(span, today);
  const refused = refusedRange(range);
  if (refused) throw new AppError('invalid-input', refused, { fields: { to: refused } });
  return { range, before: rangeBefore(range), route: route ?? null };
}

export async function inventoryReport(on: On, asked: Asked): Promise<InventoryReport> {
  const wish = wishOf(on, asked);
  const lowStock = await findLowStock(on.db, wish.route);
  return { ...(await stockFigures(on, wish)), lowStockCount: lowStock.length, lowStock };
}

/** The same with a page of the low stock: its lines are as many as a large operator has items. */
export async function inventoryReportPage(on: On, asked: Asked & LinesWish): Promise<InventoryReportPage> {
  const wish = wishOf(on, asked);
  const lowStock = await findLowPage(on.db, { ...asked, route: wish.route });
  return { ...(await stockFigures(on, wish)), lowStockCount: lowStock.total, lowStock };
}

async function stockFigures({ db }: On, wish: Wish): Promise<Omit<InventoryReport, 'lowStock' | 'lowStockCount'>> {
  const { range, before, route } = wish;
  const { units, ...value } = await valueOfItems(db, route);
  const losses = await findLosses(db, wish);
  const soldOutShare = await findSoldOutShare(db, wish);
  const markets = await findLevels(db, route);
  const machineUnits = await findMachineUnits(db, route);
  return {
    ...{ range, before, totalUnits: units, machineUnits },
    averageStockLevel:
      markets.length === 0 ? null : mean(markets.map((market) => stockLevel(market.stockedUnits, market.targetUnits))),
    ...{ value, soldOutShare },
    spoiled: {
      units: total(losses, 'spoiled'),
      unitsBefore: total(losses, 'spoiledBefore'),
      cost: sumOfMoney(losses.map((row) => row.spoiledCost)),
    },
    missing: {
      units: total(losses, 'missing'),
      unitsBefore: total(losses, 'missingBefore'),
      cost: sumOfMoney(losses.map((row) => row.missingCost)),
    },
    losses: losses.filter((row) => row.spoiled + row.missing > 0).map((row) => ({ ...row, cost: costOf(row) })),
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

type LossCount = 'spoiled' | 'spoiledBefore' | 'missing' | 'missingBefore';

function total(losses: readonly LossRow[], what: LossCount): number {
  return losses.reduce((sum, row) => sum + row[what], 0);
}

function costOf({ spoiledCost, missingCost }: LossRow): string | null {
  return spoiledCost === null && missingCost === null ? null : sumOfMoney([spoiledCost, missingCost]);
}

export async function routeReport(on: On, asked: Asked): Promise<RouteReport> {
  const wish = wishOf(on, asked);
  const found = await findRoutes(on.db, wish.range, wish.route);
  const rows = found.map(({ skipped: _skipped, late: _late, ...row }) => toLine(row));
  return { ...(await routeFigures(on, wish, daysOfRoutes(found))), rows };
}

/** The same with a page of the routes, of which a quarter has thousands. */
export async function routeReportPage(on: On, asked: Asked & LinesWish, known: KnownDays): Promise<RouteReportPage> {
  const { range, route, before } = wishOf(on, asked);
  const found = await findRoutePage(on.db, { ...asked, range, route });
  const days = route === null ? await daysOfRange(on.db, range, known) : await findRouteDays(on.db, { range, route });
  return {
    ...(await routeFigures(on, { range, before, route }, days)),
    rows: { ...found, rows: found.rows.map(toLine) },
  };
}

const toLine = ({ plannedKm, drivenKm, ...row }: RouteRow) => ({
  ...row,
  plannedMiles: miles(plannedKm),
  drivenMiles: miles(drivenKm),
});

async function routeFigures(
  { db }: On,
  { range, before, route }: Wish,
  days: readonly RouteDay[],
): Promise<Omit<RouteReport, 'rows'>> {
  const { active, maintenance } = await countMarketsByStatus(db, route);
  const sum = (value: (day: RouteDay) => number): number => sumOf(days, value);
  const [completed, visited] = [sum((day) => day.completed), sum((day) => day.visited)];
  const mean = (minutes: number): number | null => (completed === 0 ? null : Math.round(minutes / completed));
  const sold = await findSalesDays(db, { range, before: range, route });
  const earned = sumOfMoney(sold.map((row) => row.amount));
  return {
    ...{ range, before, activeMarkets: active, maintenanceMarkets: maintenance },
    ...{ routes: sum((day) => day.routes), completed },
    distance: {
      plannedMiles: miles(sum((day) => day.plannedKm)),
      drivenMiles: miles(sum((day) => day.drivenKm)),
    },
    deliveryTime: {
      plannedMin: mean(sum((day) => day.completedPlannedMin)),
      actualMin: mean(sum((day) => day.actualMin)),
    },
    stops: {
      ...{ planned: sum((day) => day.stops), visited },
      ...{ skipped: sum((day) => day.skipped), late: sum((day) => day.late) },
    },
    salesPerVisit: visited === 0 ? null : shareOfMoney(earned, visited),
    days: days.map(({ day, routes, plannedMin, actualMin, plannedKm, drivenKm }) => ({
      ...{ day, routes, plannedMin, actualMin },
      ...{ plannedMiles: miles(plannedKm), drivenMiles: miles(drivenKm) },
    })),
  };
}

const sumOf = <R>(rows: readonly R[], value: (row: R) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

// To the hundredth: rows that are added up come to the whole, and in kilometres the tenth is right.
const miles = (km: number): number => Math.round(100 * kmToMiles(km)) / 100;

const dayMs = 86_400_000;

/** As `addDays` would reckon one by one, which for two quarters takes longer than anything else that is done here. */
function daysOf(range: DayRange): string[] {
  const first = Date.parse(`${range.from}T00:00:00Z`);
  return Array.from({ length: lengthOf(range) }, (_, n) => new Date(first + n * dayMs).toISOString().slice(0, 10));
}

export async function marketReport(on: On, asked: Asked & PageWish): Promise<MarketReport> {
  const wish = wishOf(on, asked);
  const markets = await findMarketPage(on.db, wish, asked);
  return {
    ...{ range: wish.range, before: wish.before, foreignUnits: await countForeignUnitsOfMarkets(on.db, wish) },
    markets: {
      ...markets,
      rows: markets.rows.map(({ stockedUnits, targetUnits, ...market }) => ({
        ...market,
        stockLevel: stockLevel(stockedUnits, targetUnits),
      })),
    },
  };
}

export async function salesReport(
  on: On,
  { by, ...asked }: Asked & PageWish & { by: SalesGroup },
): Promise<SalesReport> {
  const wish = wishOf(on, asked);
  const { range, before } = wish;
  const { days: found, ...totals } = await findDaysAndTotals(on.db, wish);
  const sold = new Map(found.map((row) => [row.day, row]));
  const daysBefore = daysOf(before);
  const days = daysOf(range).map((day, n) => ({
    day,
    units: sold.get(day)?.units ?? 0,
    amount: sold.get(day)?.amount ?? '0.00',
    amountBefore: sold.get(daysBefore[n] ?? '')?.amount ?? '0.00',
  }));
  const unitsBefore = daysBefore.reduce((sum, day) => sum + (sold.get(day)?.units ?? 0), 0);
  const sum = {
    units: sumOf(days, (day) => day.units),
    amount: sumOfMoney(days.map((day) => day.amount)),
    amountBefore: sumOfMoney(days.map((day) => day.amountBefore)),
  };
  const { rows, ...page } = await findTradePage(on.db, wish, { ...asked, by, rest: restOf(sum, totals) });
  return {
    ...{ range, before, by, ...sum, unitsBefore, margin: totals.margin, costedAmount: totals.costedAmount },
    foreignUnits: totals.foreignUnits,
    days: sold.size === 0 ? [] : days,
    groups: {
      ...page,
      rows: rows.map(({ key, label, locationType, locationId, ...row }) => ({
        ...{ ...row, key, label },
        location: locationType && locationId !== null ? { type: locationType, id: locationId } : null,
      })),
    },
  };
}

/** What the lines do not tell. */
function restOf(sum: Rest, known: Totals): Rest | null {
  const difference = (which: 'amount' | 'amountBefore'): string => lessMoney(sum[which], known[which]);
  const rest = {
    units: sum.units - known.units,
    amount: difference('amount'),
    amountBefore: difference('amountBefore'),
  };
  return rest.units === 0 && Number(rest.amount) === 0 && Number(rest.amountBefore) === 0 ? null : rest;
}
