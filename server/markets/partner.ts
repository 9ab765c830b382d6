import { eq } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { publish } from '../live/hub.ts';
import { insertMarket } from './queries.ts';
import { markets } from './tables.ts';

/** A market as a partner system tells of it; the position is known. */
export type PartnerMarket = {
  name: string;
  address: string;
  city: string | null;
  state: string | null;
  latitude: string;
  longitude: string;
  status: string;
  integrationId: string;
  integrationSource: string;
  integrationData: unknown;
};

/** Adds a market that a partner tells of. */
export async function createPartnerMarket(tx: Db, market: PartnerMarket, at: Date): Promise<number> {
  const made = await insertMarket(tx, { ...market, createdAt: at, updatedAt: at, lastUpdated: at });
  if (!made) throw new AppError('internal', 'The market was not stored.');
  const detail = { from: market.integrationSource, integrationId: market.integrationId };
  await recordAudit(tx, null, { action: 'market.create', objectType: 'market', objectId: made.id, detail });
  await publish(tx, { topic: 'markets', ids: [made.id] });
  return made.id;
}

/** Writes what a partner changed about a market, e.g. its new address. */
export async function changePartnerMarket(tx: Db, id: number, change: Partial<PartnerMarket>, at: Date): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const [written] = await tx
    .update(markets)
    .set({ ...change, updatedAt: at, lastUpdated: at })
    .where(eq(markets.id, id))
    .returning({ route: markets.routeDesignation });
  const { integrationData: _raw, ...detail } = change;
  await recordAudit(tx, null, { action: 'market.update', objectType: 'market', objectId: id, detail });
  await publish(tx, { topic: 'markets', ids: [id], routes: written?.route ? [written.route] : [] });
}
