import { eq, sql } from 'drizzle-orm';
import { withoutCardNumbers } from '../../../domain/card-numbers.ts';
import type { VendorDevice } from '../../../domain/integration.ts';
import { contentHash, cut, decimalOf, newestOf, recordsOf, type Told } from '../batch.ts';
import { type DeviceRow, vendorDevices } from '../tables.ts';
import { linkDevices } from './links.ts';

/** Keeps what a partner tells of its devices, and links each to the place of ours that it is. */
export async function storeDevices(
  told: Told,
  devices: readonly VendorDevice[],
): Promise<{ written: number; added: number; updated: number }> {
  const newest = newestOf(devices);
  if (newest.length === 0) return { written: 0, added: 0, updated: 0 };
  const known = await told.db
    .select()
    .from(vendorDevices)
    .where(
      recordsOf(
        vendorDevices,
        told.configId,
        newest.map((device) => device.vendorId),
      ),
    );
  const before = new Map(known.map((row) => [row.vendorId, row]));
  const changed = newest
    .map((device) => toRow(told, device))
    .filter((row) => before.get(row.vendorId)?.contentHash !== row.contentHash);
  if (changed.length === 0) return { written: 0, added: 0, updated: 0 };
  const written = await told.db
    .insert(vendorDevices)
    .values(changed)
    .onConflictDoUpdate({
      target: [vendorDevices.configId, vendorDevices.vendorId],
      set: {
        ...excluded,
        updatedAt: told.at,
      },
    })
    .returning();
  const { added } = await linkDevices(told, written, before);
  return { written: written.length, added, updated: written.filter((row) => isChanged(row, before)).length };
}

/** What a device is. What it reports besides moves with every sale and every sign of life: that is no change of it. */
const identity = [
  'locationType',
  'integrationId',
  'machineNumber',
  'name',
  'serialNumber',
  'model',
  'firmware',
  'address',
  'city',
  'state',
  'zipCode',
  'latitude',
  'longitude',
  'status',
  'removed',
] as const satisfies readonly (keyof DeviceRow)[];

function isChanged(row: DeviceRow, before: ReadonlyMap<string, DeviceRow>): boolean {
  const known = before.get(row.vendorId);
  return known !== undefined && identity.some((field) => known[field] !== row[field]);
}

/** A report that leaves these out knows less than one before it; it does not say that they are gone. */
const known: ReadonlySet<string> = new Set(['model', 'firmware', 'serialNumber', 'machineNumber']);
const kept = (column: string): string => `coalesce(excluded.${column}, vendor_devices.${column})`;

const excluded = Object.fromEntries(
  (
    [
      ['locationType', 'location_type'],
      ['integrationId', 'integration_id'],
      ['machineNumber', 'machine_number'],
      ['name', 'name'],
      ['serialNumber', 'serial_number'],
      ['model', 'model'],
      ['firmware', 'firmware'],
      ['address', 'address'],
      ['city', 'city'],
      ['state', 'state'],
      ['zipCode', 'zip_code'],
      ['latitude', 'latitude'],
      ['longitude', 'longitude'],
      ['status', 'status'],
      ['lastSeenAt', 'last_seen_at'],
      ['removed', 'removed'],
      ['details', 'details'],
      ['raw', 'raw'],
      ['contentHash', 'content_hash'],
    ] as const
  ).map(([name, column]) => [name, sql.raw(known.has(name) ? kept(column) : `excluded.${column}`)]),
);

function toRow({ configId, system, at }: Told, device: VendorDevice) {
  const { vendorId, ...rest } = device;
  return {
    configId,
    system,
    vendorId: vendorId.slice(0, 200),
    locationType: device.locationType,
    integrationId: cut(device.integrationId, 300),
    machineNumber: cut(device.machineNumber, 100),
    name: cut(device.name, 255) ?? vendorId.slice(0, 200),
    serialNumber: cut(device.serialNumber, 100),
    model: cut(device.model, 100),
    firmware: cut(device.firmware, 100),
    address: cut(device.address, 500),
    city: cut(device.city, 100),
    state: cut(device.state, 50),
    zipCode: cut(device.zipCode, 20),
    latitude: within(device.latitude, 90),
    longitude: within(device.longitude, 180),
    status: device.status,
    lastSeenAt: device.lastSeenAt,
    removed: device.removed,
    details: withoutCardNumbers(device.details) as Record<string, unknown>,
    raw: withoutCardNumbers(device.raw),
    contentHash: contentHash(rest),
    createdAt: at,
    updatedAt: at,
  };
}

/** A coordinate that can be one; 0/0 is how systems write 'not set', and is sorted out where places are matched. */
function within(text: string | null, limit: number): string | null {
  const number = decimalOf(text);
  return number !== null && Math.abs(Number(number)) <= limit ? Number(number).toFixed(8) : null;
}

export async function findDevice(db: Told['db'], id: number): Promise<DeviceRow | undefined> {
  const [found] = await db.select().from(vendorDevices).where(eq(vendorDevices.id, id));
  return found;
}
