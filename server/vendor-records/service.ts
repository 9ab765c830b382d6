import type { SyncCounts } from '../../contract/integration-runs.ts';
import type { VendorBatch } from '../../domain/integration.ts';
import { holdsDropped, keepable } from '../../domain/plain-text.ts';
import type { Db } from '../db/database.ts';
import type { Told } from './batch.ts';
import { storeAlerts, storeProducts, storeStock } from './mirror.ts';
import { storeDevices } from './places/devices.ts';
import { adoptPlanograms } from './places/planograms.ts';
import { holdUnreadable } from './sales/held.ts';
import { storeSales } from './sales/sales.ts';
import { waitForOthers } from './sales/told-twice.ts';
import { setAside } from './set-aside.ts';

export { endDeviceAlerts, keepAlerts } from './mirror.ts';
export { mendVendorAmounts } from './no-numbers.ts';
export { adoptPlanograms } from './places/planograms.ts';
export { plainSlot } from './places/reported-slots.ts';
export { isListed } from './places/unlisted.ts';
export { purgeCardEnds } from './purge.ts';
export { waitForOthers } from './sales/told-twice.ts';

export const noCounts: SyncCounts = {
  processed: 0,
  devices: 0,
  added: 0,
  updated: 0,
  products: 0,
  stock: 0,
  sales: 0,
  booked: 0,
  alerts: 0,
  held: 0,
  unchanged: 0,
};

export function addCounts(a: SyncCounts, b: SyncCounts): SyncCounts {
  const sum = { ...a };
  for (const name of Object.keys(b) as (keyof SyncCounts)[]) sum[name] += b[name];
  return sum;
}

/** Whose records, and when: `heardAt` where the partner sent them by itself. */
export type Source = { config: { id: number; system: string }; at: Date; heardAt?: Date | undefined };

/**
 * Takes what one page of a pull, one delivery or one file of a partner tells into the mirror tables and, where it is
 * believed, into markets, machines, the ledger and the alerts, all in the caller's transaction. Told again, it changes
 * nothing. DEX files are not among it: see `server/dex`.
 */
export async function storeBatch(tx: Db, { config, at, heardAt }: Source, given: VendorBatch): Promise<SyncCounts> {
  // One character of one record must not keep the page from being taken, each time anew.
  const batch = setAside(holdsDropped(given) ? keepable(given) : given);
  const told: Told = { db: tx, configId: config.id, system: config.system, at, heardAt };
  const lists = [batch.devices, batch.products, batch.stock, batch.sales, batch.alerts, batch.unreadable];
  const processed = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
  await waitForOthers(told, batch.sales ?? []);
  const devices = await storeDevices(told, batch.devices ?? []);
  const products = await storeProducts(told, batch.products ?? []);
  const stock = await storeStock(told, batch.stock ?? []);
  // What a partner sends by itself is whole; what is read page by page is adopted when the last page is in.
  if (heardAt && stock > 0) await adoptPlanograms(told);
  const sales = await storeSales(told, batch.sales ?? []);
  const alerts = await storeAlerts(told, batch.alerts ?? []);
  const unreadable = await holdUnreadable(told, batch.unreadable ?? []);
  const written = devices.written + products + stock + sales.written + alerts;
  return {
    processed,
    devices: batch.devices?.length ?? 0,
    added: devices.added,
    updated: devices.updated,
    products: batch.products?.length ?? 0,
    stock: batch.stock?.length ?? 0,
    sales: batch.sales?.length ?? 0,
    booked: sales.booked,
    alerts,
    held: sales.held + unreadable,
    unchanged: Math.max(0, processed - written - (batch.unreadable?.length ?? 0)),
  };
}
