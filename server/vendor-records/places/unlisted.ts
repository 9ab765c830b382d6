import { and, desc, eq, inArray, or, sql } from 'drizzle-orm';
import type { VendorDevice } from '../../../domain/integration.ts';
import type { Told } from '../batch.ts';
import { isWaiting } from '../sales/outcome.ts';
import { type SaleRow, vendorDevices } from '../tables.ts';
import { storeDevices } from './devices.ts';

const reason = 'It sells, but the list of the partner does not name it';

/** A device `d` that is on the partner's list now, as lists and counts of its devices show it. */
export const isListed = sql`(not d.removed and d.details ->> 'unlisted' is null)`;

/**
 * Keeps the devices that sales name and no list told of yet, so that what they sold does not wait unseen: they are linked
 * where their id is known, and else wait for the list or for a person. Returns the sales that a place is known for now.
 */
export async function noteUnlisted(told: Told, sales: readonly SaleRow[]): Promise<SaleRow[]> {
  const named = new Map(sales.filter(waits).map((sale) => [sale.deviceId ?? '', sale.integrationId]));
  if (named.size === 0) return [];
  for (const id of await knownOf(told, named)) named.delete(id);
  if (named.size === 0) return [];
  const type = await usualType(told);
  await storeDevices(
    told,
    [...named].map(([vendorId, integrationId]) => unlisted({ vendorId, integrationId, type })),
  );
  const made = await told.db
    .select({ vendorId: vendorDevices.vendorId, link: vendorDevices.link })
    .from(vendorDevices)
    .where(and(eq(vendorDevices.configId, told.configId), inArray(vendorDevices.vendorId, [...named.keys()])));
  const linked = new Set(made.filter(({ link }) => link === 'linked').map(({ vendorId }) => vendorId));
  const open = made.map(({ vendorId }) => vendorId).filter((vendorId) => !linked.has(vendorId));
  if (open.length > 0) {
    await told.db
      .update(vendorDevices)
      .set({ linkReason: reason })
      .where(and(eq(vendorDevices.configId, told.configId), inArray(vendorDevices.vendorId, open)));
  }
  return sales.filter((sale) => waits(sale) && linked.has(sale.deviceId ?? ''));
}

const waits = (sale: SaleRow): boolean =>
  isWaiting(sale) &&
  sale.movesStock &&
  (sale.status === 'completed' || sale.status === 'refunded') &&
  sale.deviceId !== null &&
  sale.integrationId !== null;

async function knownOf({ db, configId }: Told, named: ReadonlyMap<string, string | null>): Promise<string[]> {
  const ids = [...named.keys()];
  const places = [...named.values()].filter((id) => id !== null);
  const found = await db
    .select({ vendorId: vendorDevices.vendorId, integrationId: vendorDevices.integrationId })
    .from(vendorDevices)
    .where(
      and(
        eq(vendorDevices.configId, configId),
        or(inArray(vendorDevices.vendorId, ids), inArray(vendorDevices.integrationId, places)),
      ),
    );
  const vendorIds = new Set(found.map((one) => one.vendorId));
  const integrationIds = new Set(found.map((one) => one.integrationId));
  return ids.filter((id) => vendorIds.has(id) || integrationIds.has(named.get(id) ?? null));
}

/** What most of the devices of this configuration are. */
async function usualType({ db, configId }: Told): Promise<VendorDevice['locationType']> {
  const [most] = await db
    .select({ type: vendorDevices.locationType })
    .from(vendorDevices)
    .where(eq(vendorDevices.configId, configId))
    .groupBy(vendorDevices.locationType)
    .orderBy(desc(sql`count(*)`))
    .limit(1);
  return most?.type === 'market' ? 'market' : 'vending_machine';
}

type Named = { vendorId: string; integrationId: string | null; type: VendorDevice['locationType'] };

function unlisted({ vendorId, integrationId, type }: Named): VendorDevice {
  return {
    vendorId,
    locationType: type,
    integrationId,
    machineNumber: null,
    name: `${type === 'market' ? 'Market' : 'Machine'} ${vendorId}`,
    serialNumber: null,
    model: null,
    firmware: null,
    address: null,
    city: null,
    state: null,
    zipCode: null,
    latitude: null,
    longitude: null,
    status: 'active',
    lastSeenAt: null,
    removed: false,
    details: { unlisted: true },
    raw: {},
  };
}
