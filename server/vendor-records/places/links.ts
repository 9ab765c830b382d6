import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { hasPosition, matchDevice, type OwnPlace } from '../../../domain/device-match.ts';
import type { LocationStatus, LocationType } from '../../../domain/location.ts';
import { rows } from '../../db/database.ts';
import {
  changePartnerMachine,
  createPartnerMachine,
  noteMachinesSeen,
  type PartnerMachine,
} from '../../machines/service.ts';
import { changePartnerMarket, createPartnerMarket } from '../../markets/service.ts';
import type { Told } from '../batch.ts';
import { type DeviceRow, vendorDevices } from '../tables.ts';

type Place = { type: LocationType; id: number };

/** A device `d` that was linked to a place which somebody removed since: it waits for a person again. */
export const isLost = sql`(d.link = 'linked'
  and not exists (select from vending_machines g where g.id = d.machine_id and g.deleted_at is null)
  and not exists (select from markets g where g.id = d.market_id and g.deleted_at is null))`;

/** Devices `d` that a person has to decide about. */
export const isOpen = sql`(d.link = 'unsure' or ${isLost}) and not d.removed and d.integration_id is not null`;

/** Links new devices, carries changes of linked ones over to our places, and notes when machines were heard of. */
export async function linkDevices(
  told: Told,
  written: readonly DeviceRow[],
  before: ReadonlyMap<string, DeviceRow>,
): Promise<{ added: number }> {
  const open = written.filter((row) => row.link === 'unsure' && row.integrationId !== null && !row.removed);
  const places = open.length > 0 ? await findPlaces(told) : [];
  let added = 0;
  for (const row of open) {
    if (await linkOne(told, row, places)) added += 1;
  }
  for (const row of written) {
    const earlier = before.get(row.vendorId);
    if (row.link === 'linked' && earlier) await carryOver(told, earlier, row);
  }
  await noteMachinesSeen(
    told.db,
    written.flatMap(({ machineId, lastSeenAt }) => (machineId && lastSeenAt ? { id: machineId, at: lastSeenAt } : [])),
  );
  return { added };
}

/** True when the device stands for a place of ours from now on. */
async function linkOne(told: Told, row: DeviceRow, places: OwnPlace[]): Promise<boolean> {
  const sibling = await findSiblingLink(told, row);
  if (sibling) {
    await saveLink(told, row, sibling, 'Another reader of a linked place');
    return true;
  }
  const match = matchDevice({ ...row, locationType: typeOf(row) }, places);
  if (match.kind === 'unsure') {
    await told.db.update(vendorDevices).set({ linkReason: match.reason }).where(eq(vendorDevices.id, row.id));
    return false;
  }
  if (match.kind === 'linked') {
    match.place.isTaken = true;
    await saveLink(told, row, match.place, match.reason);
    await adoptId(told, row, match.place);
    return true;
  }
  const made = await createPlace(told, row);
  await saveLink(told, row, made, 'Added from the partner system');
  return true;
}

export const typeOf = (row: DeviceRow): LocationType => (row.locationType === 'market' ? 'market' : 'vending_machine');

/** The place that another reader, or another configuration, has for the same integration id. */
async function findSiblingLink({ db }: Told, row: DeviceRow): Promise<Place | null> {
  if (row.integrationId === null) return null;
  const [found] = await rows<{ marketId: number | null; machineId: number | null }>(
    db,
    sql`select d.market_id as "marketId", d.machine_id as "machineId" from vendor_devices d
        where d.integration_id = ${row.integrationId} and d.link = 'linked' and d.id <> ${row.id} and not ${isLost} limit 1`,
  );
  if (found?.machineId) return { type: 'vending_machine', id: found.machineId };
  return found?.marketId ? { type: 'market', id: found.marketId } : null;
}

export async function saveLink({ db, at }: Told, row: DeviceRow, place: Place, reason: string): Promise<void> {
  const link = {
    link: 'linked',
    linkReason: reason,
    marketId: place.type === 'market' ? place.id : null,
    machineId: place.type === 'vending_machine' ? place.id : null,
    updatedAt: at,
  };
  await db.update(vendorDevices).set(link).where(eq(vendorDevices.id, row.id));
  Object.assign(row, link);
}

/** Systems that pass on what others' devices tell: one with a device of its own at the place is its source instead. */
const relays = ['moma', 'nama_vdi'];
const rankOf = (system: string): number => relays.indexOf(system);

/** A linked place takes the integration id of the system nearest to it, so that it is found by it. */
export async function adoptId(told: Told, row: DeviceRow, place: Place & { integrationId: string | null }) {
  const [known] = place.integrationId?.split(':') ?? [];
  if (row.integrationId === null || (known !== undefined && rankOf(known) <= rankOf(told.system))) return;
  const tie = { integrationId: row.integrationId, integrationSource: told.system, integrationData: row.raw };
  if (place.type === 'market') await changePartnerMarket(told.db, place.id, tie, told.at);
  else await changePartnerMachine(told.db, place.id, tie, told.at);
}

type Position = { latitude: string; longitude: string };

/** Makes a market or machine of a device that says where it is, or that a person placed. */
export async function createPlace(told: Told, row: DeviceRow, placed?: Position): Promise<Place> {
  const position = placed ?? (hasPosition(row) ? { latitude: row.latitude, longitude: row.longitude } : null);
  if (!position?.latitude || !position.longitude || row.integrationId === null)
    throw new Error('a device without a position');
  const shared = {
    name: row.name,
    address: row.address ?? row.city ?? row.name,
    city: row.city,
    state: row.state,
    latitude: position.latitude,
    longitude: position.longitude,
    status: ownStatus(row.status),
    integrationId: row.integrationId,
    integrationSource: told.system,
    integrationData: row.raw,
  };
  if (typeOf(row) === 'market') return { type: 'market', id: await createPartnerMarket(told.db, shared, told.at) };
  const machine: PartnerMachine = {
    ...shared,
    machineId: row.machineNumber ?? row.integrationId.slice(0, 100),
    location: (row.address ?? row.name).slice(0, 255),
    model: row.model,
    serialNumber: row.serialNumber,
    lastSeen: row.lastSeenAt,
  };
  return { type: 'vending_machine', id: await createPartnerMachine(told.db, machine, told.at) };
}

/** How we call what a partner reports: a machine that is only offline is still one of ours at work. */
export function ownStatus(status: string): LocationStatus {
  if (status === 'inactive' || status === 'maintenance') return status;
  return 'active';
}

const followed = [
  'name',
  'address',
  'city',
  'state',
  'latitude',
  'longitude',
  'status',
  'serialNumber',
  'model',
] as const;
type Followed = Partial<Record<(typeof followed)[number], string | null>>;

/**
 * Carries a change at the partner over to our place, field by field, and only where ours still says what the partner
 * said before: what a person here wrote stays.
 */
async function carryOver(told: Told, earlier: DeviceRow, now: DeviceRow): Promise<void> {
  const moved = followed.filter((field) => now[field] !== null && now[field] !== earlier[field]);
  if (moved.length === 0) return;
  const own = await ownFields(told, now);
  if (!own) return;
  const change: Record<string, string> = {};
  for (const field of moved) {
    const [was, is] =
      field === 'status' ? [ownStatus(earlier.status), ownStatus(now.status)] : [earlier[field], now[field]];
    if (is !== null && own[field] !== undefined && sameText(own[field], was) && !sameText(was, is)) change[field] = is;
  }
  if (now.machineId) await changePartnerMachine(told.db, now.machineId, change, told.at);
  else if (now.marketId) await changePartnerMarket(told.db, now.marketId, change, told.at);
}

const sameText = (a: string | null | undefined, b: string | null | undefined): boolean => (a ?? '') === (b ?? '');

async function ownFields({ db }: Told, { machineId, marketId }: DeviceRow): Promise<Followed | undefined> {
  const found = machineId
    ? await rows<Followed>(
        db,
        sql`select name, address, city, state, latitude::text, longitude::text, status, serial_number as "serialNumber", model
            from vending_machines where id = ${machineId} and deleted_at is null`,
      )
    : await rows<Followed>(
        db,
        sql`select name, address, city, state, latitude::text, longitude::text, status from markets
            where id = ${marketId} and deleted_at is null`,
      );
  return found[0];
}

/** Our places, and which of them a device of this configuration stands for already. */
export async function findPlaces({ db, configId }: Pick<Told, 'db' | 'configId'>): Promise<OwnPlace[]> {
  const taken = await db
    .select({ marketId: vendorDevices.marketId, machineId: vendorDevices.machineId })
    .from(vendorDevices)
    .where(and(eq(vendorDevices.configId, configId), eq(vendorDevices.link, 'linked'), isNotNull(vendorDevices.link)));
  const takenMarkets = new Set(taken.map((one) => one.marketId));
  const takenMachines = new Set(taken.map((one) => one.machineId));
  const found = await rows<Omit<OwnPlace, 'isTaken'>>(
    db,
    sql`select 'market' as type, id, integration_id as "integrationId", null as "machineNumber", null as "serialNumber", name, city,
          latitude::text, longitude::text from markets where deleted_at is null
        union all
        select 'vending_machine', id, integration_id, machine_id, serial_number, name, city, latitude::text, longitude::text
        from vending_machines where deleted_at is null`,
  );
  return found.map((place) => ({
    ...place,
    isTaken: place.type === 'market' ? takenMarkets.has(place.id) : takenMachines.has(place.id),
  }));
}
