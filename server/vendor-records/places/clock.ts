import { eq, inArray, or, sql } from 'drizzle-orm';
import {
  clockAlertSeconds,
  clockSkew,
  hasWaited,
  type SaleTimes,
  skewInWords,
  withSample,
} from '../../../domain/machine-clock.ts';
import { raiseAlerts, resolveAlertsOfType } from '../../alerts/service.ts';
import { rows } from '../../db/database.ts';
import type { Told } from '../batch.ts';
import { type DeviceRow, vendorDevices } from '../tables.ts';

const alertType = 'machine_clock';

type Stated = SaleTimes & { deviceId: string | null };

/**
 * Learns from a message that came just now how wrong the clocks of its machines are. Only the newest sale of each says
 * something: older ones may have waited, and so may it where it was paid when it was sold. Returns the devices whose clock is known to be wrong since this message.
 */
export async function noteClocks(told: Told, sales: readonly Stated[]): Promise<DeviceRow[]> {
  const { db, configId, heardAt } = told;
  if (!heardAt) return [];
  const newest = newestByDevice(sales);
  const ids = [...newest.keys()];
  if (ids.length === 0) return [];
  const devices = await db
    .select()
    .from(vendorDevices)
    .where(
      sql`${eq(vendorDevices.configId, configId)} and ${or(inArray(vendorDevices.vendorId, ids), inArray(vendorDevices.integrationId, ids))}`,
    )
    .orderBy(vendorDevices.id)
    .for('update');
  const found: DeviceRow[] = [];
  for (const device of devices) {
    const sale = newest.get(device.vendorId) ?? newest.get(device.integrationId ?? '');
    if (!sale || hasWaited(sale, heardAt)) continue;
    if (await noteClock(told, device, { soldAt: sale.soldAt, heardAt })) found.push(device);
  }
  return found;
}

function newestByDevice(sales: readonly Stated[]): Map<string, Stated> {
  const newest = new Map<string, Stated>();
  for (const sale of sales) {
    const { deviceId, soldAt } = sale;
    const before = deviceId === null ? undefined : newest.get(deviceId);
    if (deviceId !== null && soldAt.getTime() > 0 && (!before || before.soldAt < soldAt)) newest.set(deviceId, sale);
  }
  return newest;
}

/** True when the clock is known to be wrong since now, or wrong in another way. */
async function noteClock(
  { db }: Told,
  device: DeviceRow,
  { soldAt, heardAt }: { soldAt: Date; heardAt: Date },
): Promise<boolean> {
  const aheadSeconds = Math.round((soldAt.getTime() - heardAt.getTime()) / 1000);
  const samples = withSample(device.clockSamples, { at: heardAt.toISOString(), aheadSeconds });
  if (samples === device.clockSamples) return false;
  const skew = clockSkew(samples);
  await db
    .update(vendorDevices)
    .set({ clockSamples: [...samples], clockSkewSeconds: skew })
    .where(eq(vendorDevices.id, device.id));
  const before = device.clockSkewSeconds;
  if (device.machineId !== null) await tellOfClock({ db, machineId: device.machineId, before, skew });
  return skew !== null && skew !== before;
}

type Change = { db: Told['db']; machineId: number; before: number | null; skew: number | null };

async function tellOfClock({ db, machineId, before, skew }: Change): Promise<void> {
  const wasOff = before !== null && Math.abs(before) >= clockAlertSeconds;
  const isOff = skew !== null && Math.abs(skew) >= clockAlertSeconds;
  if (isOff && !wasOff) {
    const message = `The machine's clock is ${skewInWords(skew)}. Its sales are booked at the right time; set the clock at the next visit.`;
    await raiseAlerts(db, [{ machineId, slotId: null, alertType, message, severity: 'medium' }]);
  }
  if (wasOff && !isOff) await resolveAlertsOfType(db, [{ machineId, alertType }]);
}

/** Sales held for the clock of a device, which is understood now. */
export function findHeldForClock({ db, configId }: Told, device: DeviceRow): Promise<{ vendorId: string }[]> {
  return rows<{ vendorId: string }>(
    db,
    sql`select h.vendor_id as "vendorId" from held_records h
        where h.config_id = ${configId} and h.kind = 'sale' and h.status = 'held' and h.reason = 'clock'
          and h.device_id in (${device.vendorId}, ${device.integrationId ?? device.vendorId})
        order by h.id limit 500`,
  );
}
