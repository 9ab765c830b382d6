import { sql } from 'drizzle-orm';
import type { InventoryReport, MarketReport, RouteReport, SalesReport } from '../../contract/reports.ts';
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
import { addDays } from '../../domain/time.ts';
import { kmToMiles, shareOfMoney, sumOfMoney } from '../../domain/units.ts';
import type { Deps } from '../deps.ts';
import { valueOfItems } from '../inventory/service.ts';
import { today } from '../settings/service.ts';
import type { Wish } from './day-sums.ts';
import { findMarketPage } from './market-queries.ts';
import { countMarketsByStatus, findRoutes, type RouteRow } from './route-queries.ts';
import { findSalesDays, findTotals, findTradePage, type PageWish, type Rest, type Totals } from './sold-queries.ts';
import {
  findLevels,
  findLosses,
  findLowStock,
  findMachineUnits,
  findSoldOutShare,
  type LossRow,
} from './stock-queries.ts';

export type Asked = {
  range: ReportSpan;
  from?: string | undefined;
  to?: string | undefined;
  route?: string | undefined;
};

async function wishOf(deps: Deps, { range: span, from, to, route }: Asked): Promise<Wish> {
  if ((from === undefined) !== (to === undefined)) {
    const missing = from === undefined ? 'from' : 'to';
    throw new AppError('invalid-input', 'Give both days of a range of your own.', {
      fields: { [missing]: 'Required' },
    });
  }
  const range = from && to ? { from, to } : spanUpTo(span, await today(deps.db, deps.clock));
  const refused = refusedRange(range);
  if (refused) throw new AppError('invalid-input', refused, { fields: { to: refused } });
  return { range, before: rangeBefore(range), route: route ?? null };
}

export async function inventoryReport(deps: Deps, asked: Asked): Promise<InventoryReport> {
  const wish = await wishOf(deps, asked);
  const { range, before, route } = wish;
  const { db } = deps;
  const { units, ...value } = await valueOfItems(db, route === null ? sql`true` : sql`m.route_designation = ${route}`);
  const low = await findLowStock(db, route);
  const losses = await findLosses(db, wish);
  const soldOutShare = await findSoldOutShare(db, wish);
  const markets = await findLevels(db, route);
  const machineUnits = await findMachineUnits(db, route);
  return {
    ...{ range, before, totalUnits: units, machineUnits, lowStockCount: low.length },
    averageStockLevel: mean(markets.map((market) => stockLevel(market.stockedUnits, market.targetUnits))),
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
    lowStock: low.map((row) => ({ ...row, shortage: row.current - row.minimum })),
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

export async function routeReport(deps: Deps, asked: Asked): Promise<RouteReport> {
  const { range, before, route } = await wishOf(deps, asked);
  const { active, maintenance } = await countMarketsByStatus(deps.db, route);
  const found = await findRoutes(deps.db, range, route);
  const completed = found.filter((row) => row.actualMin !== null);
  const visited = sumOf(found, (row) => row.visited);
  const sold = await findSalesDays(deps.db, { range, before: range, route });
  const earned = sumOfMoney(sold.map((row) => row.amount));
  return {
    ...{ range, before, activeMarkets: active, maintenanceMarkets: maintenance },
    ...{ routes: found.length, completed: completed.length },
    distance: {
      plannedMiles: miles(sumOf(found, (row) => row.plannedKm)),
      drivenMiles: miles(sumOf(found, (row) => row.drivenKm)),
    },
    deliveryTime: {
      plannedMin:
        completed.length === 0 ? null : Math.round(sumOf(completed, (row) => row.plannedMin) / completed.length),
      actualMin:
        completed.length === 0 ? null : Math.round(sumOf(completed, (row) => row.actualMin ?? 0) / completed.length),
    },
    stops: {
      ...{ planned: sumOf(found, (row) => row.stops), visited },
      ...{ skipped: sumOf(found, (row) => row.skipped), late: sumOf(found, (row) => row.late) },
    },
    salesPerVisit: visited === 0 ? null : shareOfMoney(earned, visited),
    days: daysOf(range).flatMap((day) =>
      dayOf(
        day,
        found.filter((row) => row.date === day),
      ),
    ),
    rows: found.map(({ plannedKm, drivenKm, skipped: _, late: __, ...row }) => ({
      ...row,
      plannedMiles: miles(plannedKm),
      drivenMiles: miles(drivenKm),
    })),
  };
}

const sumOf = <R>(rows: readonly R[], value: (row: R) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

const miles = (km: number): number => Math.round(10 * kmToMiles(km)) / 10;

function daysOf(range: DayRange): string[] {
  return Array.from({ length: lengthOf(range) }, (_, n) => addDays(range.from, n));
}

/** One day that had routes. */
function dayOf(day: string, found: readonly RouteRow[]): RouteReport['days'] {
  if (found.length === 0) return [];
  return [
    {
      ...{ day, routes: found.length, plannedMin: sumOf(found, (row) => row.plannedMin) },
      actualMin: sumOf(found, (row) => row.actualMin ?? 0),
      plannedMiles: miles(sumOf(found, (row) => row.plannedKm)),
      drivenMiles: miles(sumOf(found, (row) => row.drivenKm)),
    },
  ];
}

export async function marketReport(deps: Deps, asked: Asked & PageWish): Promise<MarketReport> {
  const wish = await wishOf(deps, asked);
  const markets = await findMarketPage(deps.db, wish, asked);
  return {
    ...{ range: wish.range, before: wish.before },
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
  deps: Deps,
  { by, ...asked }: Asked & PageWish & { by: SalesGroup },
): Promise<SalesReport> {
  const wish = await wishOf(deps, asked);
  const { range, before } = wish;
  const sold = new Map((await findSalesDays(deps.db, wish)).map((row) => [row.day, row]));
  const length = lengthOf(range);
  const days = daysOf(range).map((day) => ({
    day,
    units: sold.get(day)?.units ?? 0,
    amount: sold.get(day)?.amount ?? '0.00',
    amountBefore: sold.get(addDays(day, -length))?.amount ?? '0.00',
  }));
  const totals = await findTotals(deps.db, wish);
  const unitsBefore = daysOf(before).reduce((sum, day) => sum + (sold.get(day)?.units ?? 0), 0);
  const sum = {
    units: sumOf(days, (day) => day.units),
    amount: sumOfMoney(days.map((day) => day.amount)),
    amountBefore: sumOfMoney(days.map((day) => day.amountBefore)),
  };
  const { rows, ...page } = await findTradePage(deps.db, wish, { ...asked, by, rest: restOf(sum, totals) });
  return {
    ...{ range, before, by, ...sum, unitsBefore, margin: totals.margin, costedAmount: totals.costedAmount },
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

/** Sales that belong to no slot or item. */
function restOf(sum: Rest, known: Totals): Rest | null {
  const difference = (which: 'amount' | 'amountBefore'): string => sumOfMoney([sum[which], `-${known[which]}`]);
  const rest = {
    units: sum.units - known.units,
    amount: difference('amount'),
    amountBefore: difference('amountBefore'),
  };
  return rest.units === 0 && Number(rest.amount) === 0 && Number(rest.amountBefore) === 0 ? null : rest;
}
