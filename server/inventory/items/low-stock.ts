import { type SQL, sql } from 'drizzle-orm';
import type { LowStockItem } from '../../../contract/inventory.ts';
import type { Db } from '../../db/database.ts';
import { findPage, type Page } from '../../db/statements/paging.ts';
import { markets } from '../../markets/tables.ts';
import { lowStockFields } from '../queries.ts';
import { inventoryItems } from '../tables.ts';

export type LowWish = { page?: string | undefined; limit: number };

const { currentQuantity, minimumQuantity } = inventoryItems;

/** Stock as a share of the minimum, in thousandths; of equal ones the largest minimum first. Word for word as in its index. */
const worst = sql`(greatest(${currentQuantity}, 0)::bigint * 1000 / greatest(${minimumQuantity}, 1) * 1000000
  - least(${minimumQuantity}, 999999))`;

/** Items at or below their minimum, the worst first; how many there are each market keeps. */
export function findLowStockPage(db: Db, marketInScope: SQL, wish: LowWish): Promise<Page<LowStockItem>> {
  return findPage<LowStockItem>(db, {
    fields: lowStockFields,
    source: sql`${inventoryItems} join ${markets} on ${markets.id} = ${inventoryItems.marketId}`,
    condition: sql`${inventoryItems.isLow} and ${inventoryItems.deletedAt} is null and ${marketInScope}`,
    order: { name: 'worst', down: false, value: worst, type: 'bigint', id: sql`${inventoryItems.id}` },
    page: wish.page,
    limit: wish.limit,
    total: sql`select coalesce(sum(${markets.lowStockCount}), 0)::int from ${markets} where ${marketInScope}`,
  });
}
