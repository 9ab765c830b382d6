import { type SQL, sql } from 'drizzle-orm';
import type { Market, MarketRecord, MarketWithInventory } from '../../contract/markets.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import type { MarketInput, MarketUpdate } from '../../domain/market.ts';
import { may } from '../../domain/permissions.ts';
import { stockLevel } from '../../domain/stock-status.ts';
import { requireNewest } from '../audit/older-edit.ts';
import { changedFields, recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { blanksToNull } from '../db/statements/blanks.ts';
import type { Page } from '../db/statements/paging.ts';
import { atOnceOrInPieces, isOneOf } from '../db/statements/pieces.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import type { EditHeaders } from '../http/edit-headers.ts';
import type { Pieces } from '../http/long-list.ts';
import { removeStockOf } from '../inventory/service.ts';
import { publish } from '../live/hub.ts';
import { requireStatus } from '../locations/service.ts';
import { tellRoutesTo } from '../route-planning/service.ts';
import { machineInScope, marketInScope, scopeOf, toldAlike } from '../scope/service.ts';
import { getOperator, namedDesignations } from '../settings/service.ts';
import { findMarketPage, sumMarkets, type Wish } from './page-queries.ts';
import {
  findDesignations,
  findIntegrationData,
  findMarket,
  findMarketKeys,
  findMarketLocked,
  findMarkets,
  hasDesignation,
  insertMarket,
  type MarketRow,
  updateMarketDeleted,
  updateMarketFields,
} from './queries.ts';
import { markets } from './tables.ts';

export { type ImportedMarket, saveImportedMarkets, takeBackMarkets } from './imported.ts';
export { changePartnerMarket, createPartnerMarket } from './partner.ts';
export { clearSumsWithoutItems, renameMarketDesignation } from './queries.ts';

export async function listMarkets(deps: Deps, caller: Caller, designation: string | null): Promise<Pieces<Market>> {
  return marketsInPieces(deps, marketInScope(await scopeOf(deps, caller)), { designation, tell: toMarket });
}

export async function listMarketsWithInventory(deps: Deps, caller: Caller): Promise<Pieces<MarketWithInventory>> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  return marketsInPieces(deps, inScope, { designation: null, tell: withInventory });
}

type Told<M> = { designation: string | null; tell: (row: MarketRow) => M };

async function marketsInPieces<M>({ db }: Deps, inScope: SQL, { designation, tell }: Told<M>): Promise<Pieces<M>> {
  const wanted = sql`${inScope} and ${hasDesignation(designation)}`;
  return atOnceOrInPieces({
    upTo: async (limit) => (await findMarkets(db, wanted, limit)).map(tell),
    keys: () => findMarketKeys(db, wanted),
    read: async (ids) => (await findMarkets(db, sql`${inScope} and ${isOneOf(markets.id, ids)}`)).map(tell),
  });
}

function withInventory(row: MarketRow): MarketWithInventory {
  return {
    ...toMarket(row),
    stockLevel: stockLevel(row.stockedUnits, row.targetUnits),
    inventoryItems: row.itemCount,
    lowStockCount: row.lowStockCount,
  };
}

export async function pageOfMarkets(deps: Deps, caller: Caller, wish: Wish): Promise<Page<MarketWithInventory>> {
  return findMarketPage(deps.db, marketInScope(await scopeOf(deps, caller)), wish);
}

export async function summarizeMarkets(deps: Deps, caller: Caller): Promise<Awaited<ReturnType<typeof sumMarkets>>> {
  const { lowLevelPercent } = await getOperator(deps.db);
  const scope = await scopeOf(deps, caller);
  const read = () => sumMarkets(deps.db, marketInScope(scope), lowLevelPercent);
  return toldAlike(deps, scope, { asked: ['markets', lowLevelPercent], read });
}

export async function getMarket(deps: Deps, caller: Caller, id: number): Promise<Market> {
  const found = await findMarket(deps.db, marketInScope(await scopeOf(deps, caller)), id);
  if (!found) throw notFound('market');
  return toMarket(found);
}

/** The same, for the office with what its partner told of it. */
export async function getMarketRecord(deps: Deps, caller: Caller, id: number): Promise<MarketRecord> {
  const market = await getMarket(deps, caller, id);
  if (!may(caller.role, 'office:read')) return market;
  return { ...market, integrationData: await findIntegrationData(deps.db, id) };
}

export async function createMarket(deps: Deps, caller: Caller, input: MarketInput): Promise<Market> {
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const values = { ...blanksToNull(input), createdAt: at, updatedAt: at, lastUpdated: at };
    const created = written(await insertMarket(tx, values));
    await recordAudit(tx, caller, { action: 'market.create', objectType: 'market', objectId: created.id });
    await tell(tx, [created]);
    return toMarket(created);
  });
}

type Edit = { input: MarketUpdate; headers: EditHeaders };

export async function updateMarket(deps: Deps, caller: Caller, id: number, { input, headers }: Edit): Promise<Market> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const before = await findMarketLocked(tx, inScope, id);
    if (!before) throw notFound('market');
    const versions = { read: headers.version, held: before.version };
    await requireNewest(tx, versions, { subject: 'This market was', objectType: 'market', id });
    requireStatus(input.status, before.status);
    const { accessNotes, notes, ...told } = blanksToNull(input);
    const values = { ...told, accessNotes, notes, updatedAt: at, lastUpdated: at };
    const after = written(await updateMarketFields(tx, id, values));
    const detail = changedFields(before, told);
    await recordAudit(tx, caller, { action: 'market.update', objectType: 'market', objectId: id, detail });
    await tell(tx, [before, after]);
    return toMarket(after);
  });
}

/** Takes a market and its items off every list. Stops of routes under way keep naming it; the ledger stays. */
export async function removeMarket(deps: Deps, caller: Caller, id: number): Promise<{ id: number }> {
  const inScope = marketInScope(await scopeOf(deps, caller));
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const before = await findMarket(tx, inScope, id);
    if (!before) throw notFound('market');
    // Stock before its location: counts lock in this order too.
    await removeStockOf(tx, { type: 'market', id }, at);
    if (!(await updateMarketDeleted(tx, id, at))) throw notFound('market');
    await recordAudit(tx, caller, {
      action: 'market.remove',
      objectType: 'market',
      objectId: id,
      detail: { name: before.name },
    });
    await tellRoutesTo(tx, { type: 'market', id });
    await tell(tx, [before]);
    return { id };
  });
}

export async function listRouteDesignations(deps: Deps, caller: Caller): Promise<string[]> {
  const scope = await scopeOf(deps, caller);
  const { everything } = scope;
  const inScope = { everything, markets: marketInScope(scope), machines: machineInScope(scope) };
  const found = await findDesignations(deps.db, inScope);
  if (!scope.everything) return found;
  return [...new Set([...found, ...(await namedDesignations(deps.db))])].toSorted();
}

function written(row: MarketRow | undefined): MarketRow {
  if (!row) throw new AppError('internal', 'The market was not stored.');
  return row;
}

async function tell(tx: Db, touched: readonly MarketRow[]): Promise<void> {
  const ids = new Set(touched.map((market) => market.id));
  const routes = new Set(touched.flatMap((market) => market.routeDesignation ?? []));
  await publish(tx, { topic: 'markets', ids: [...ids], routes: [...routes] });
}

function toMarket(row: MarketRow): Market {
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    city: row.city,
    state: row.state,
    latitude: row.latitude,
    longitude: row.longitude,
    status: row.status,
    routeDesignation: row.routeDesignation,
    accessHours: row.accessHours,
    accessNotes: row.accessNotes,
    contactPhone: row.contactPhone,
    notes: row.notes,
    integrationId: row.integrationId,
    integrationSource: row.integrationSource,
    lastUpdated: row.lastUpdated.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    version: row.version,
  };
}

/** Markets under a condition on the table, as they travel. */
export async function loadMarkets(db: Db, condition: SQL): Promise<Market[]> {
  return (await findMarkets(db, condition)).map(toMarket);
}
