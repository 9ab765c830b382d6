import { type SQL, sql } from 'drizzle-orm';
import type { MarketWithInventory } from '../../contract/markets.ts';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order, type Page } from '../db/statements/paging.ts';
import { writtenOnce } from '../db/statements/told.ts';
import { markets } from './tables.ts';

type Filter = { search?: string | undefined; status?: string | undefined };
export type Wish = Filter & { sort: string; page?: string | undefined; limit: number };

/** The stock level of the domain, as the database reckons it. */
const level = writtenOnce(sql`(case when ${markets.targetUnits} <= 0 then 0
  else greatest(0, least(100, round(100.0 * ${markets.stockedUnits} / ${markets.targetUnits}))) end)::int`);

const orders: Record<string, Pick<Order, 'value' | 'type'>> = {
  stock: { value: level, type: 'bigint' },
  name: { value: sql`lower(${markets.name})`, type: 'text' },
  location: { value: sql`lower(${markets.address})`, type: 'text' },
  status: { value: sql`${markets.status}::text`, type: 'text' },
  items: { value: sql`${markets.itemCount}`, type: 'bigint' },
  low: { value: sql`${markets.lowStockCount}`, type: 'bigint' },
  updated: { value: sql`${markets.lastUpdated}`, type: 'timestamptz' },
};

function orderOf(sort: string): Order {
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  return { name, down, id: sql`${markets.id}`, ...(orders[name] ?? { value: level, type: 'bigint' }) };
}

function conditionOf({ search, status }: Filter, inScope: SQL): SQL {
  const parts = [inScope, ...wordsOf(search).map((word) => containsWord(sql`${markets.searchText}`, word))];
  if (status) parts.push(sql`${markets.status} = ${status}`);
  return sql.join(parts, sql` and `);
}

const instant = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const fields =
  writtenOnce(sql`${markets.id} as id, ${markets.name} as name, ${markets.address} as address, ${markets.city} as city,
  ${markets.state} as state, ${markets.latitude}::text as latitude, ${markets.longitude}::text as longitude,
  ${markets.status} as status, ${markets.routeDesignation} as "routeDesignation", ${markets.accessHours} as "accessHours",
  ${markets.accessNotes} as "accessNotes", ${markets.contactPhone} as "contactPhone", ${markets.notes} as notes,
  ${markets.integrationId} as "integrationId",
  ${markets.integrationSource} as "integrationSource", ${instant(sql`${markets.lastUpdated}`)} as "lastUpdated",
  ${instant(sql`${markets.updatedAt}`)} as "updatedAt", ${markets.version} as version, ${level} as "stockLevel",
  ${markets.itemCount} as "inventoryItems", ${markets.lowStockCount} as "lowStockCount"`);

export function findMarketPage(db: Db, inScope: SQL, wish: Wish): Promise<Page<MarketWithInventory>> {
  const condition = conditionOf(wish, inScope);
  return findPage<MarketWithInventory>(db, {
    isPlannedOnce: wordsOf(wish.search).length === 0,
    fields,
    source: sql`${markets}`,
    condition,
    order: orderOf(wish.sort),
    page: wish.page,
    limit: wish.limit,
    total: sql`select count(*)::int from ${markets} where ${condition}`,
  });
}

type Figures = {
  totalMarkets: number;
  active: number;
  maintenance: number;
  otherStatus: number;
  avgStockLevel: number;
  lowMarkets: number;
};

/** Figures over the markets in scope; `lowBelow` is a stock level in percent. Where nothing is sold yet nothing is short. */
export async function sumMarkets(db: Db, inScope: SQL, lowBelow: number): Promise<Figures> {
  const found = await firstRow<Figures>(
    db,
    sql`select count(*)::int as "totalMarkets", (count(*) filter (where ${markets.status} = 'active'))::int as active,
          (count(*) filter (where ${markets.status} = 'maintenance'))::int as maintenance,
          (count(*) filter (where ${markets.status} not in ('active', 'maintenance')))::int as "otherStatus",
          coalesce(round(avg(${level})), 0)::int as "avgStockLevel",
          (count(*) filter (where ${markets.itemCount} > 0 and ${level} < ${lowBelow}))::int as "lowMarkets"
        from ${markets} where ${inScope}`,
  );
  return found ?? { totalMarkets: 0, active: 0, maintenance: 0, otherStatus: 0, avgStockLevel: 0, lowMarkets: 0 };
}
