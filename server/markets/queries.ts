import { and, asc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { findKeys, type Key } from '../db/statements/pieces.ts';
import { vendingMachines } from '../machines/tables.ts';
import { markets } from './tables.ts';

// The partner's raw record can be large, and what a search reads is for the search; no list carries them.
const { integrationData, searchText, ...columns } = getTableColumns(markets);

export type MarketRow = Omit<typeof markets.$inferSelect, 'integrationData' | 'searchText'>;
type NewMarket = typeof markets.$inferInsert;

/** By name; the first of them where there is a limit. */
export function findMarkets(db: Db, condition: SQL, limit?: number): Promise<MarketRow[]> {
  const found = db.select(columns).from(markets).where(condition).orderBy(asc(markets.name), asc(markets.id));
  return limit === undefined ? found : found.limit(limit);
}

/** True for the markets of a route designation, or for all. */
export const hasDesignation = (designation: string | null): SQL =>
  designation === null ? sql`true` : sql`${markets.routeDesignation} = ${designation}`;

/** Those of `findMarkets`, in the same order. */
export function findMarketKeys(db: Db, condition: SQL): Promise<Key[]> {
  return findKeys(
    db,
    sql`select ${markets.id} as id from ${markets} where ${condition} order by ${markets.name}, ${markets.id}`,
  );
}

export async function findMarket(db: Db, inScope: SQL, id: number): Promise<MarketRow | undefined> {
  const [found] = await db
    .select(columns)
    .from(markets)
    .where(and(eq(markets.id, id), inScope));
  return found;
}

/** What the partner or the list that a market comes from told of it. */
export async function findIntegrationData(db: Db, id: number): Promise<unknown> {
  const [found] = await db.select({ integrationData }).from(markets).where(eq(markets.id, id));
  return found?.integrationData ?? null;
}

/** As `findMarket`, held until the transaction ends. */
export async function findMarketLocked(db: Db, inScope: SQL, id: number): Promise<MarketRow | undefined> {
  const [found] = await db
    .select(columns)
    .from(markets)
    .where(and(eq(markets.id, id), inScope))
    .for('update');
  return found;
}

export async function insertMarket(db: Db, market: NewMarket): Promise<MarketRow | undefined> {
  const [inserted] = await db.insert(markets).values(market).returning(columns);
  return inserted;
}

export async function updateMarketFields(
  db: Db,
  id: number,
  fields: Partial<NewMarket>,
): Promise<MarketRow | undefined> {
  const [updated] = await db.update(markets).set(fields).where(eq(markets.id, id)).returning(columns);
  return updated;
}

/**
 * Marks a market as gone. Its Integration ID is unique and the row stays for its history: a suffix sets the ID free, so
 * that the same site can be taken up again.
 */
export async function updateMarketDeleted(db: Db, id: number, at: Date): Promise<boolean> {
  const integrationId = sql`${markets.integrationId} || '~deleted-' || ${markets.id}`;
  const deleted = await db
    .update(markets)
    .set({ deletedAt: at, updatedAt: at, lastUpdated: at, integrationId })
    .where(and(eq(markets.id, id), isNull(markets.deletedAt)))
    .returning({ id: markets.id });
  return deleted.length > 0;
}

/** Distinct designations of the markets and machines that the conditions admit. */
export async function findDesignations(
  db: Db,
  inScope: { everything: boolean; markets: SQL; machines: SQL },
): Promise<string[]> {
  // There are few designations and many machines, whose rows are written with each movement of stock.
  const ofMachines = inScope.everything
    ? sql`select c.route_designation from machine_counts c where c.machines > 0 and c.route_designation <> ''`
    : sql`select ${vendingMachines.routeDesignation} from ${vendingMachines}
          where ${inScope.machines} and ${vendingMachines.routeDesignation} <> ''`;
  const found = await rows<{ designation: string }>(
    db,
    sql`select ${markets.routeDesignation} as designation from ${markets}
        where ${inScope.markets} and ${markets.routeDesignation} <> '' union ${ofMachines} order by designation`,
  );
  return found.map((row) => row.designation);
}

export async function renameMarketDesignation(db: Db, from: string, to: string): Promise<void> {
  await db.execute(
    sql`update markets set route_designation = ${to}, updated_at = now() where route_designation = ${from}`,
  );
}

/** What markets without items say of stock: no trigger of an item ever puts it right. */
export async function clearSumsWithoutItems(db: Db): Promise<void> {
  await db.execute(
    sql`update markets m set item_count = 0, low_stock_count = 0, stocked_units = 0, target_units = 0
        where (item_count, low_stock_count, stocked_units, target_units) <> (0, 0, 0, 0)
          and not exists (select from inventory_items i where i.market_id = m.id)`,
  );
}
