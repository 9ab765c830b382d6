import { type LocationRef, locationKey } from '../../domain/location.ts';
import {
  type Demand,
  demandWindow,
  estimateDemand,
  type ItemDay,
  type ItemNeed,
  itemNeed,
  type Moment,
  meanOf,
  type Observed,
  observe,
  pool,
  type Visits,
  weekdayShape,
} from '../../domain/need.ts';
import { targetQuantity } from '../../domain/stock-status.ts';
import { addDays } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { findItems, findKindMeans, type ItemRow } from './queries.ts';

export type LocatedItem = { row: ItemRow; par: number; demand: Demand; need: ItemNeed };

type When = { now: Moment; visitsOf: (locationKey: string) => Visits | null };

/** Slots and items of locations with what each needs, by location; today is no complete day and not learned from. */
export async function itemsWithNeed(
  db: Db,
  refs: readonly LocationRef[],
  when: When,
): Promise<Map<string, LocatedItem[]>> {
  const from = addDays(when.now.day, -demandWindow.days);
  const rows = await findItems(db, refs, { from, until: addDays(when.now.day, -1) });
  const means = await kindMeans(db, rows);
  return new Map(
    [...byLocation(rows)].map(([key, own]) => {
      const visits = when.visitsOf(key);
      return [key, visits ? needsAt(own, { visits, from, means }) : []];
    }),
  );
}

export const byLocation = (rows: readonly ItemRow[]): Map<string, ItemRow[]> =>
  grouped(rows, (row) => locationKey({ type: row.type, id: row.locationId }));

export function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

export type KindMeans = (row: Pick<ItemRow, 'itemType' | 'productId'>) => number | null;

/** The mean of an item's kind: of its product, else of its kind of location; null where nothing was measured yet. */
export async function kindMeans(db: Db, rows: readonly ItemRow[]): Promise<KindMeans> {
  const products = new Set(rows.flatMap((row) => row.productId ?? []));
  const found = await findKindMeans(db, [...products]);
  const means = new Map(found.map((mean) => [`${mean.itemType}:${mean.productId}`, mean.perDay]));
  return (row) => means.get(`${row.itemType}:${row.productId ?? 0}`) ?? means.get(`${row.itemType}:0`) ?? null;
}

type Context = { visits: Visits; from: string; means: KindMeans };

function needsAt(rows: readonly ItemRow[], { visits, from, means }: Context): LocatedItem[] {
  const demands = demandsOf(rows, { from, days: demandWindow.days }, means);
  return rows.map((row, index) => {
    const par = parOf(row);
    const demand = demands[index] ?? { perDay: 0, shape: [], days: 0 };
    const standing = { onHand: row.onHand, par, price: Number(row.price ?? 0), caseSize: row.caseSize };
    return { row, par, demand, need: itemNeed(demand, standing, visits) };
  });
}

export const parOf = (row: Pick<ItemRow, 'par' | 'minimum'>): number =>
  targetQuantity({ minimumQuantity: row.minimum, parQuantity: row.par });

const daySeconds = 86_400;

/** Units a day of each item of one location; without measured means the location's own mean stands for the kind. */
export function demandsOf(rows: readonly ItemRow[], span: { from: string; days: number }, means: KindMeans): Demand[] {
  const seen = rows.map((row): Observed => observe(daysOf(row), span));
  const together = pool(seen);
  const shape = weekdayShape(together);
  const own = meanOf(together);
  return rows.map((row, index) => estimateDemand(seen[index] ?? together, means(row) ?? own, shape));
}

function daysOf(row: ItemRow): ItemDay[] {
  return row.at.map((at, index) => {
    const soldOutShare = Math.min(1, (row.soldOutSeconds[index] ?? 0) / daySeconds);
    return { at, units: row.units[index] ?? 0, soldOutShare, closing: row.closing[index] ?? null };
  });
}
