import type { SQL } from 'drizzle-orm';
import type { InventoryItem } from '../../../contract/inventory.ts';
import { AppError } from '../../../domain/errors.ts';
import type { MinimumsInput } from '../../../domain/inventory-edit.ts';
import { changedFields } from '../../audit/service.ts';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { marketInScope, scopeOf } from '../../scope/service.ts';
import { updateMinimums, updateVersions } from '../planogram/layout-queries.ts';
import { areItems, findItems, lockMarkets } from '../queries.ts';
import { lockItems, marketsOf, type Named, noteItems, putBack, requireFound, takeOff } from './item-writes.ts';

/** Several items in one call and one transaction: all of them or, where one is refused, none. */

type MinimumSet = { id: number; minimumQuantity: number; before: number };

/** Sets minimums. What has its minimum already is left alone: nothing of it changed. */
export async function setMinimums(
  deps: Deps,
  caller: Caller,
  { items }: MinimumsInput,
): Promise<{ items: MinimumSet[] }> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const ids = items.map(({ id }) => id);
    const found = await lockedItems(tx, inScope, { ids, path: 'items' });
    requireUnchanged(items, found);
    const wanted = new Map(items.map(({ id, minimumQuantity }) => [id, minimumQuantity]));
    const set = found.map((before) => ({ before, to: wanted.get(before.id) ?? before.minimumQuantity }));
    const changed = set.filter(({ before, to }) => before.minimumQuantity !== to);
    await writeMinimums(tx, caller, changed, at);
    return {
      items: set.map(({ before, to }) => ({ id: before.id, minimumQuantity: to, before: before.minimumQuantity })),
    };
  });
}

type Change = { before: InventoryItem; to: number };

async function writeMinimums(tx: Db, caller: Caller, changed: readonly Change[], at: Date): Promise<void> {
  if (changed.length === 0) return;
  await updateMinimums(
    tx,
    changed.map(({ before, to }) => ({ id: before.id, minimumQuantity: to })),
    at,
  );
  await updateVersions(
    tx,
    'market_item',
    changed.map(({ before }) => before.id),
  );
  const noted = changed.map(({ before, to }) => ({
    id: before.id,
    marketIds: [before.marketId],
    detail: changedFields({ ...before }, { minimumQuantity: to }),
  }));
  await noteItems(tx, caller, 'item.update', noted);
}

/** An undo takes back what it made, not what somebody else set since. */
function requireUnchanged(items: MinimumsInput['items'], found: readonly InventoryItem[]): void {
  const held = new Map(found.map(({ id, minimumQuantity }) => [id, minimumQuantity]));
  const wrong = items.flatMap(({ id, from }, n) => (from === undefined || held.get(id) === from ? [] : [{ id, n }]));
  if (wrong.length === 0) return;
  const fields = Object.fromEntries(
    wrong.map(({ id, n }) => [`items.${n}.from`, `Its minimum is ${held.get(id)} now`]),
  );
  const some = `${wrong.length} of ${items.length} items`;
  throw new AppError('conflict', `Somebody gave ${some} another minimum meanwhile. Nothing was changed.`, { fields });
}

export async function removeItems(deps: Deps, caller: Caller, ids: readonly number[]): Promise<{ ids: number[] }> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  return deps.db.transaction(async (tx) => {
    await takeOff(tx, caller, await lockedItems(tx, inScope, { ids, path: 'ids' }), deps.clock.now());
    return { ids: [...ids] };
  });
}

export async function restoreItems(deps: Deps, caller: Caller, ids: readonly number[]): Promise<{ ids: number[] }> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  return deps.db.transaction(async (tx) => {
    await putBack(tx, caller, { inScope, ids, at: deps.clock.now() });
    return { ids: [...ids] };
  });
}

/** The items, locked in the order of all writers, balances before markets: so nobody waits in a circle. */
async function lockedItems(tx: Db, inScope: SQL, { ids, path }: Named): Promise<InventoryItem[]> {
  await lockItems(tx, ids);
  const found = await findItems(tx, inScope, areItems(ids));
  requireFound({ ids, path }, found);
  await lockMarkets(tx, inScope, marketsOf(found));
  return found;
}
