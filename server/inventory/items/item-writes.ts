import type { SQL } from 'drizzle-orm';
import type { InventoryItem } from '../../../contract/inventory.ts';
import { AppError, type ErrorCode, notFound } from '../../../domain/errors.ts';
import { recordAudits } from '../../audit/service.ts';
import type { Db } from '../../db/database.ts';
import type { Caller } from '../../http/caller.ts';
import { publishAll } from '../../live/hub.ts';
import { lockBalances } from '../ledger-queries.ts';
import {
  findDeletedItems,
  updateItemsDeleted,
  updateItemsRestored,
  updateVersions,
} from '../planogram/layout-queries.ts';
import { findDesignationsOfMarkets, lockMarkets } from '../queries.ts';

/** What changing one item and changing many have in common: what is written, who did it, and who is told. */

type Placed = Pick<InventoryItem, 'id' | 'marketId' | 'productName'>;

/** Takes items off their markets; their balances are locked. */
export async function takeOff(tx: Db, caller: Caller, items: readonly Placed[], at: Date): Promise<void> {
  const ids = items.map(({ id }) => id);
  await updateItemsDeleted(tx, ids, at);
  await noteItems(tx, caller, 'item.remove', items.map(notedOf));
}

type Back = { inScope: SQL; ids: readonly number[]; at: Date };

/** Puts items that were taken off back where they were: all of them, or none. */
export async function putBack(tx: Db, caller: Caller, { inScope, ids, at }: Back): Promise<void> {
  await lockItems(tx, ids);
  const gone = await findDeletedItems(tx, ids);
  requireEach({ ids, path: 'ids' }, (id) => gone.some((item) => item.id === id), missing);
  const living = await lockMarkets(tx, inScope, marketsOf(gone));
  const places = new Map(gone.map(({ id, marketId }) => [id, marketId]));
  requireEach({ ids, path: 'ids' }, (id) => living.includes(places.get(id) ?? 0), marketGone);
  await updateItemsRestored(tx, ids, at);
  await updateVersions(tx, 'market_item', ids);
  await noteItems(tx, caller, 'item.restore', gone.map(notedOf));
}

const notedOf = ({ id, marketId, productName }: Placed): Noted => ({
  id,
  marketIds: [marketId],
  detail: { productName, marketId },
});

export const lockItems = (tx: Db, ids: readonly number[]) =>
  lockBalances(
    tx,
    ids.map((itemId) => ({ itemType: 'market_item', itemId })),
  );

export const marketsOf = (items: readonly Placed[]): number[] => [...new Set(items.map(({ marketId }) => marketId))];

/** Items as a body names them. */
export type Named = { ids: readonly number[]; path: string };

type Refusal = {
  code: ErrorCode;
  /** Of a single item. */
  sentence: string;
  /** What is told of some of many. */
  ofSome: (some: string) => string;
};

const missing: Refusal = {
  code: 'not-found',
  sentence: notFound('inventory item').message,
  ofSome: (some) => `${some} items are not there any more, or not on your route. Nothing was changed.`,
};
const marketGone: Refusal = {
  code: 'conflict',
  sentence: 'Its market was deleted too. Add the item to another market.',
  ofSome: (some) => `The markets of ${some} items were deleted too. Nothing was brought back.`,
};

/** Refuses all where one is not as it has to be, and names each of those. */
function requireEach({ ids, path }: Named, isRight: (id: number) => boolean, refusal: Refusal): void {
  const wrong = ids.flatMap((id, n) => (isRight(id) ? [] : [n]));
  if (wrong.length === 0) return;
  const { code, sentence, ofSome } = refusal;
  if (ids.length === 1) throw new AppError(code, sentence);
  const fields = Object.fromEntries(wrong.map((n) => [`${path}.${n}`, sentence]));
  throw new AppError(code, ofSome(`${wrong.length} of ${ids.length}`), { fields });
}

/** Refuses all where some of the items were not found. */
export function requireFound(named: Named, found: readonly Placed[]): void {
  const there = new Set(found.map(({ id }) => id));
  requireEach(named, (id) => there.has(id), missing);
}

type Noted = { id: number; marketIds: readonly number[]; detail: Record<string, unknown> };

/** An audit row for each, and open screens told of the items and the sums of their markets. */
export async function noteItems(tx: Db, caller: Caller, action: string, noted: readonly Noted[]): Promise<void> {
  await recordAudits(
    tx,
    caller,
    noted.map(({ id, detail }) => ({ action, objectType: 'inventory_item', objectId: id, detail })),
  );
  const designations = await findDesignationsOfMarkets(
    tx,
    noted.flatMap(({ marketIds }) => marketIds),
  );
  const byRoute = new Map<string | null, { items: Set<number>; markets: Set<number> }>();
  for (const { id, marketIds } of noted) {
    for (const marketId of marketIds) {
      const designation = designations.get(marketId) ?? null;
      const told = byRoute.get(designation) ?? { items: new Set(), markets: new Set() };
      told.items.add(id);
      told.markets.add(marketId);
      byRoute.set(designation, told);
    }
  }
  const changes = [...byRoute].flatMap(([designation, { items, markets }]) => {
    const routes = designation === null ? [] : [designation];
    return [
      { topic: 'stock' as const, ids: [...items], routes },
      { topic: 'markets' as const, ids: [...markets], routes },
    ];
  });
  await publishAll(tx, changes);
}
