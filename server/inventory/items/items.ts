import type { SQL } from 'drizzle-orm';
import type { InventoryItem, InventoryRow, LowStockItem } from '../../../contract/inventory.ts';
import { AppError, notFound } from '../../../domain/errors.ts';
import type { InventoryItemInput, InventoryItemUpdate } from '../../../domain/inventory-edit.ts';
import { changedFields, lastEditor } from '../../audit/service.ts';
import type { Db } from '../../db/database.ts';
import type { Page } from '../../db/statements/paging.ts';
import { atOnceOrInPieces, inPieces } from '../../db/statements/pieces.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import type { EditHeaders } from '../../http/edit-headers.ts';
import type { Pieces } from '../../http/long-list.ts';
import { productNamed } from '../../products/service.ts';
import { marketInScope, scopeOf, toldAlike } from '../../scope/service.ts';
import { isAsRead, requireOffice, requireVersion } from '../planogram/layout-edit.ts';
import {
  insertItem,
  lockVersion,
  updateItemFields,
  updateItemsDeleted,
  updateVersion,
} from '../planogram/layout-queries.ts';
import {
  existsMarket,
  findFirstLowStock,
  findItems,
  findLowStock,
  findLowStockKeys,
  findMarketsWithItems,
  isItem,
  lockMarkets,
  ofMarket,
  ofMarkets,
} from '../queries.ts';
import { recordCount } from '../service.ts';
import { recordFirstCount } from './first-counts.ts';
import { noteItems, putBack, takeOff } from './item-writes.ts';
import { findLowStockPage, type LowWish } from './low-stock.ts';
import { findItemPage, findRow, sumItems, type Wish } from './page-queries.ts';

/** Items of a piece: they are short, and each piece is planned anew. */
const ITEMS = 2000;

export async function listItems(deps: Deps, caller: Caller): Promise<Pieces<InventoryItem>> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  const read = (ids: number[]) => findItems(deps.db, inScope, ofMarkets(ids));
  return inPieces(await findMarketsWithItems(deps.db, inScope), read, ITEMS);
}

export async function pageOfItems(deps: Deps, caller: Caller, wish: Wish): Promise<Page<InventoryRow>> {
  const scope = await scopeOf(deps, caller);
  const { db, clock } = deps;
  return findItemPage({ db, clock, seesAll: scope.everything }, marketInScope(scope), wish);
}

export async function summarizeItems(deps: Deps, caller: Caller): Promise<Awaited<ReturnType<typeof sumItems>>> {
  const scope = await scopeOf(deps, caller);
  return toldAlike(deps, scope, {
    asked: ['items'],
    read: () => sumItems(deps.db, marketInScope(scope)),
    ofMany: { rows: ({ totalItems }) => totalItems, from: ['markets', 'products'] },
  });
}

export async function getItem(deps: Deps, caller: Caller, id: number): Promise<InventoryRow> {
  const found = await findRow(deps.db, marketInScope(await scopeOf(deps, caller)), id);
  if (!found) throw notFound('inventory item');
  return found;
}

export async function listLowStock(deps: Deps, caller: Caller): Promise<Pieces<LowStockItem>> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  return atOnceOrInPieces({
    upTo: (limit) => findFirstLowStock(deps.db, inScope, limit),
    keys: () => findLowStockKeys(deps.db, inScope),
    read: (ids) => findLowStock(deps.db, inScope, ids),
  });
}

export async function pageOfLowStock(deps: Deps, caller: Caller, wish: LowWish): Promise<Page<LowStockItem>> {
  return findLowStockPage(deps.db, marketInScope(await scopeOf(deps, caller)), wish);
}

export async function listItemsOfMarket(deps: Deps, caller: Caller, marketId: number): Promise<InventoryItem[]> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  if (!(await existsMarket(deps.db, inScope, marketId))) throw notFound('market');
  return findItems(deps.db, inScope, ofMarket(marketId));
}

/** Adds a product to a market; the quantity begins its ledger. */
export async function createItem(deps: Deps, caller: Caller, input: InventoryItemInput): Promise<InventoryItem> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  const at = deps.clock.now();
  const { currentQuantity: quantity, ...fields } = input;
  return deps.db.transaction(async (tx) => {
    if (!(await existsMarket(tx, inScope, input.marketId))) throw chooseMarket();
    const productId = await productNamed(tx, caller, { name: input.productName, at });
    const id = await insertItem(tx, { ...fields, productId, createdAt: at, updatedAt: at });
    if (id === null) throw new AppError('internal', 'The item was not stored.');
    await recordFirstCount(tx, { itemType: 'market_item', itemId: id, quantity, actorId: caller.userId, at });
    await noteItems(tx, caller, 'item.create', [{ id, marketIds: [input.marketId], detail: input }]);
    return foundItem(tx, id);
  });
}

function chooseMarket(): AppError {
  const sentence = 'Choose a market';
  return new AppError('invalid-input', sentence, { fields: { marketId: sentence } });
}

type Edit = { body: InventoryItemUpdate; headers: EditHeaders };

/** Counts an item, changes its other fields, or both, wholly or not at all. */
export async function updateItem(
  deps: Deps,
  caller: Caller,
  id: number,
  { body, headers }: Edit,
): Promise<InventoryItem & { eventId: string | null }> {
  const fields = fieldsOf(body);
  if (fields) requireOffice(caller);
  const inScope = marketInScope(await scopeOf(deps, caller));
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    // Locks in the order of all writers: product name, balance, market, item. So nobody waits in a circle.
    const productId = body.productName && (await productNamed(tx, caller, { name: body.productName, at }));
    const before = await lockedItem(tx, inScope, id);
    await requireVersion(tx, before.version, headers, () => lastEditor(tx, ['inventory_item', 'market_item'], id));
    await requireMarket(tx, inScope, { from: before.marketId, to: body.marketId ?? before.marketId });
    const eventId = await countItem({ ...deps, db: tx }, caller, { before, body, headers });
    if (fields) await editItem(tx, { caller, before, fields: { ...fields, ...(productId ? { productId } : {}) }, at });
    return { ...(await foundItem(tx, id)), eventId };
  });
}

type Fields = Pick<InventoryItemUpdate, 'marketId' | 'productName' | 'minimumQuantity' | 'parQuantity'>;

/** What a body changes beside the quantity; null when it is a count alone. */
function fieldsOf({ marketId, productName, minimumQuantity, parQuantity }: InventoryItemUpdate): Fields | null {
  const fields = { marketId, productName, minimumQuantity, parQuantity };
  return Object.values(fields).some((value) => value !== undefined) ? fields : null;
}

async function requireMarket(tx: Db, inScope: SQL, move: { from: number; to: number }): Promise<void> {
  if (move.from === move.to) return;
  const living = await lockMarkets(tx, inScope, [move.from, move.to]);
  if (!living.includes(move.to)) throw chooseMarket();
}

async function countItem(deps: Deps, caller: Caller, { before, body, headers }: Edit & { before: InventoryItem }) {
  const { currentQuantity: quantity, lastRestocked, reason, note } = body;
  if (quantity === undefined) {
    if (lastRestocked !== undefined && !isSameTime(lastRestocked, before.lastRestocked)) throw noCount();
    return null;
  }
  const { eventId } = headers;
  const isEdit = fieldsOf(body) !== null;
  // An item sent back with its edit says when it was filled, not when it was counted: a count of then would take what
  // was sold since off once more.
  const isSentBack = isEdit && isSameTime(lastRestocked, before.lastRestocked);
  const version = isSentBack ? before.version : headers.version;
  if (isEdit && isAsRead(before.currentQuantity, body, { version, eventId })) return null;
  const occurredAt = body.occurredAt ?? (isSentBack ? null : lastRestocked);
  const item = { itemType: 'market_item' as const, itemId: before.id };
  const counted = await recordCount(deps, caller, { ...item, quantity, reason, note, occurredAt, eventId });
  return counted.eventId;
}

function noCount(): AppError {
  const sentence = 'When it was restocked is told with a count: send currentQuantity too';
  return new AppError('invalid-input', sentence, { fields: { lastRestocked: sentence } });
}

function isSameTime(told: string | null | undefined, held: string | null): boolean {
  if (!told || !held) return told === held;
  return Date.parse(told) === Date.parse(held);
}

type FieldEdit = { caller: Caller; before: InventoryItem; fields: Fields & { productId?: number }; at: Date };

async function editItem(tx: Db, { caller, before, fields, at }: FieldEdit): Promise<void> {
  const { id, marketId: from } = before;
  const to = fields.marketId ?? from;
  // Leaving first and arriving second: the sums of both markets follow the rows that each one gains or loses.
  if (to !== from) await updateItemsDeleted(tx, [id], at);
  await updateItemFields(tx, id, { ...fields, updatedAt: at, ...(to === from ? {} : { deletedAt: null }) });
  await updateVersion(tx, 'market_item', id);
  const detail = changedFields({ ...before }, fields);
  await noteItems(tx, caller, 'item.update', [{ id, marketIds: to === from ? [from] : [from, to], detail }]);
}

export async function removeItem(deps: Deps, caller: Caller, id: number): Promise<{ id: number }> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  return deps.db.transaction(async (tx) => {
    await takeOff(tx, caller, [await lockedItem(tx, inScope, id)], deps.clock.now());
    return { id };
  });
}

/** Puts an item that was taken off back where it was, with its ledger and what was counted since. */
export async function restoreItem(deps: Deps, caller: Caller, id: number): Promise<InventoryRow> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  return deps.db.transaction(async (tx) => {
    await putBack(tx, caller, { inScope, ids: [id], at: deps.clock.now() });
    const restored = await findRow(tx, inScope, id);
    if (!restored) throw notFound('inventory item');
    return restored;
  });
}

async function lockedItem(tx: Db, inScope: SQL, id: number): Promise<InventoryItem> {
  await lockVersion(tx, 'market_item', id);
  const [item] = await findItems(tx, inScope, isItem(id));
  if (!item) throw notFound('inventory item');
  return item;
}

async function foundItem(tx: Db, id: number): Promise<InventoryItem> {
  const [item] = await findItems(tx, marketInScope({ everything: true }), isItem(id));
  if (!item) throw notFound('inventory item');
  return item;
}
