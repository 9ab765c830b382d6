import type { LocationRef } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import { lockBalances } from './ledger-queries.ts';
import { updateItemsOfMarketDeleted, updateSlotsOfMachineDeleted } from './planogram/layout-queries.ts';
import { findItemRefs, findSlotRefs } from './queries.ts';

/**
 * Takes everything a location holds off the lists, in the transaction that removes the location. Balances are locked
 * first, as by every other writer, so that a count under way is waited for and nobody waits in a circle.
 */
export async function removeStockOf(tx: Db, location: LocationRef, at: Date): Promise<void> {
  if (location.type === 'market') {
    await lockBalances(tx, await findItemRefs(tx, location.id));
    await updateItemsOfMarketDeleted(tx, location.id, at);
    return;
  }
  await lockBalances(tx, await findSlotRefs(tx, location.id));
  await updateSlotsOfMachineDeleted(tx, location.id, at);
}
