import { type SQL, sql } from 'drizzle-orm';
import { type DayRange, lengthOf } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { findPage, type Order } from '../db/statements/paging.ts';
import { kindDays, sumsOfDesignations } from './day-sums.ts';
import type { LinesWish } from './route-queries.ts';
import { booksBegun, type Wish } from './wish.ts';

const ofRoute = (route: string | null): SQL => (route === null ? sql`true` : sql`m.route_designation = ${route}`);

/** Units in machines. */
export async function findMachineUnits(db: Db, route: string | null): Promise<number> {
  const found = await firstRow<{ units: number }>(
    db,
    sql`select coalesce(sum(m.current_stock), 0)::int as units from vending_machines m where m.deleted_at is null and ${ofRoute(route)}`,
  );
  return found?.units ?? 0;
}

/** How full each market is. */
export function findLevels(db: Db, route: string | null): Promise<{ stockedUnits: number; targetUnits: number }[]> {
  return rows(
    db,
    sql`select m.stocked_units as "stockedUnits", m.target_units as "targetUnits" from markets m
        where m.deleted_at is null and ${ofRoute(route)}`,
  );
}

export type LowRow = {
  id: number;
  productName: string;
  marketId: number;
  marketName: string;
  current: number;
  minimum: number;
  shortage: number;
};

const shortage = sql`i.current_quantity - i.minimum_quantity`;
const lowFields = sql`i.id, i.product_name as "productName", m.id as "marketId", m.name as "marketName",
  i.current_quantity as current, i.minimum_quantity as minimum, ${shortage} as shortage`;

/** Below the minimum, as on the Inventory screen: at it there is no shortage to tell of. */
const isShort = sql`i.current_quantity < i.minimum_quantity and i.is_low and i.deleted_at is null`;
const isLow = (route: string | null): SQL => sql`${isShort} and m.deleted_at is null and ${ofRoute(route)}`;
/** Of all routes, out of an index alone: it knows the market, but not whether that is one still. */
const countLow = sql`select count(*)::int from inventory_items i
  where ${isShort} and i.market_id not in (select m.id from markets m where m.deleted_at is not null)`;
const stocked = sql`inventory_items i join markets m on m.id = i.market_id`;

export function findLowStock(db: Db, route: string | null): Promise<LowRow[]> {
  return rows<LowRow>(
    db,
    sql`select ${lowFields} from ${stocked} where ${isLow(route)} order by ${shortage}, i.product_name, i.id`,
  );
}

const lowOrders: Record<string, Pick<Order, 'value' | 'type'>> = {
  product: { value: sql`lower(i.product_name)`, type: 'text' },
  market: { value: sql`lower(m.name)`, type: 'text' },
  current: { value: sql`i.current_quantity`, type: 'bigint' },
  minimum: { value: sql`i.minimum_quantity`, type: 'bigint' },
};
const byShortage: Pick<Order, 'value' | 'type'> = { value: shortage, type: 'bigint' };

/** A page of it. */
export function findLowPage(db: Db, { route, sort, page, limit }: LinesWish & { route: string | null }) {
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  return findPage<LowRow>(db, {
    isPlannedOnce: true,
    fields: lowFields,
    source: stocked,
    condition: isLow(route),
    order: { name, down, id: sql`i.id`, ...(lowOrders[name] ?? byShortage) },
    page,
    limit,
    total: route === null ? countLow : sql`select count(*)::int from ${stocked} where ${isLow(route)}`,
  });
}

export type LossRow = {
  productName: string;
  spoiled: number;
  spoiledBefore: number;
  missing: number;
  missingBefore: number;
  spoiledCost: string | null;
  missingCost: string | null;
};

/**
 * What was thrown away, and what counts found less than the ledger said, by product. A count that finds more is no gain: goods
 * come in by counts as well.
 */
export function findLosses(db: Db, wish: Wish): Promise<LossRow[]> {
  const { range, before } = wish;
  const within = ({ from, to }: DayRange): SQL => sql`d.day between ${from} and ${to}`;
  const cost = sql`coalesce(nullif(d.own_cost, -1), p.unit_cost)`;
  return rows<LossRow>(
    db,
    sql`select d.product_name as "productName",
               coalesce(sum(d.spoiled) filter (where ${within(range)}), 0)::int as spoiled,
               coalesce(sum(d.spoiled) filter (where ${within(before)}), 0)::int as "spoiledBefore",
               coalesce(sum(d.missing) filter (where ${within(range)}), 0)::int as missing,
               coalesce(sum(d.missing) filter (where ${within(before)}), 0)::int as "missingBefore",
               (sum(d.spoiled * ${cost}) filter (where ${within(range)}))::numeric(14, 2)::text as "spoiledCost",
               (sum(d.missing * ${cost}) filter (where ${within(range)}))::numeric(14, 2)::text as "missingCost"
        from ${kindDays(wish)} d left join products p on p.id = d.product_id
        where d.day between ${before.from} and ${range.to} and (d.spoiled > 0 or d.missing > 0)
        group by 1
        order by sum((d.spoiled + d.missing) * coalesce(${cost}, 0)) filter (where ${within(range)}) desc nulls last, 1`,
  );
}

/** Share of the time that slots and items stood empty. */
export async function findSoldOutShare(db: Db, wish: Wish): Promise<number | null> {
  const seconds = 86_400 * lengthOf(wish.range);
  const found = await firstRow<{ share: number | null }>(
    db,
    sql`select case when ${booksBegun(wish.range)}
                 then (sum(s.empty) / nullif(sum(s.places) * ${seconds}::float8, 0))::float8 end as share
        from ${sumsOfDesignations(wish)} s`,
  );
  return found?.share ?? null;
}
