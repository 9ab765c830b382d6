import { sql } from 'drizzle-orm';
import { DexError } from '../../connectors/dex/dex-error.ts';
import { readDex } from '../../connectors/dex/read-dex.ts';
import type { VendorDexRead } from '../../domain/integration.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { endDeviceAlerts, keepAlerts } from '../vendor-records/service.ts';
import type { EventAlerts } from './event-alerts.ts';
import { recordRead } from './record.ts';

type Refused = { id: string; reason: string };
type Arrival = { config: { id: number; system: string }; at: Date };

/**
 * Takes DEX files that came through a partner, each to the machine that its device is linked to, else to the one machine
 * with its serial number. Files of no known machine are named, not kept: the partner still has them.
 */
export async function takeDexReads(
  tx: Db,
  { config, at }: Arrival,
  reads: readonly VendorDexRead[],
): Promise<{ taken: number; refused: Refused[] }> {
  const refused: Refused[] = [];
  let taken = 0;
  // One after another and in order of reading: each is compared with the one before.
  const inOrder = [...reads].sort((a, b) => (a.readAt?.getTime() ?? 0) - (b.readAt?.getTime() ?? 0));
  for (const read of inOrder) {
    const reason = await takeOne(tx, { config, at }, read);
    if (reason === null) taken += 1;
    else refused.push({ id: read.deviceId ?? read.serialNumber ?? '', reason });
  }
  return { taken, refused };
}

/** Null: taken; else why not. */
async function takeOne(tx: Db, { config, at }: Arrival, read: VendorDexRead): Promise<string | null> {
  try {
    const serial = readDex(read.bytes).serial || read.serialNumber;
    const machineId = await findMachine(tx, config.id, { deviceId: read.deviceId, serial });
    if (machineId === null) return 'No machine is linked to this device or has this serial number.';
    const origin = `${config.system}:${config.id}`;
    const file = { machineId, bytes: read.bytes, readAt: read.readAt, origin, receivedBy: null };
    const { alerts } = await recordRead(tx, file, at);
    await keepEventAlerts({ db: tx, configId: config.id, system: config.system, at }, read.deviceId ?? serial, alerts);
    return null;
  } catch (error) {
    if (error instanceof DexError) return error.message;
    throw error;
  }
}

type Told = Parameters<typeof keepAlerts>[0];

/** The partner's list of alerts has them too, under the code of the machine's event. */
async function keepEventAlerts(told: Told, deviceId: string | null, { raised, over }: EventAlerts): Promise<void> {
  await endDeviceAlerts(told, deviceId, over);
  await keepAlerts(
    told,
    raised.map(({ key, type, code, message, severity, raisedAt, active, at }) => ({
      vendorId: `dex:${deviceId ?? ''}:${key}`.slice(0, 200),
      deviceId,
      integrationId: null,
      alertType: type,
      code,
      message,
      severity,
      raisedAt,
      resolvedAt: null,
      raw: { code, machineTime: at, active },
    })),
  );
}

async function findMachine(
  tx: Db,
  configId: number,
  { deviceId, serial }: { deviceId: string | null; serial: string | null },
): Promise<number | null> {
  const linked = await rows<{ id: number }>(
    tx,
    sql`select m.id from vendor_devices d join vending_machines m on m.id = d.machine_id and m.deleted_at is null
        where d.config_id = ${configId} and d.vendor_id = ${deviceId} and d.link = 'linked'`,
  );
  if (linked[0]) return linked[0].id;
  if (!serial) return null;
  const known = await rows<{ id: number }>(
    tx,
    sql`select id from vending_machines where serial_number = ${serial} and deleted_at is null limit 2`,
  );
  // Two machines with one serial number: a guess would book one's sales to the other.
  return known.length === 1 ? (known[0]?.id ?? null) : null;
}
