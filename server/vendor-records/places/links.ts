import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { indexPlaces, matchDevice, type OwnPlace } from '../../../domain/device-match.ts';
import type { LocationStatus, LocationType } from '../../../domain/location.ts';
import { hasPosition } from '../../../domain/place.ts';
import { rows } from '../../db/database.ts';
import {
  changePartnerMachine,
  createPartnerMachines,
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
  const added = open.length > 0 ? await linkOpen(told, open) : 0;
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

type Link = { row: DeviceRow; place: Place; reason: string };

/** Links what can be linked, each kind of change in one statement; returns how many stand for a place of ours now. */
async function linkOpen(told: Told, open: readonly DeviceRow[]): Promise<number> {
  const places = indexPlaces(await findPlaces(told));
  const siblings = await findSiblings(told, open);
  const links: Link[] = [];
  const adopting: { row: DeviceRow; place: OwnPlace }[] = [];
  const unplaced = new Map<string, DeviceRow[]>();
  for (const row of open) {
    const sibling = siblings.get(row.integrationId);
    const making = unplaced.get(row.integrationId ?? '');
    if (sibling) {
      links.push({ row, place: sibling, reason: siblingReason });
      continue;
    }
    if (making) {
      making.push(row);
      continue;
    }
    const match = matchDevice({ ...row, locationType: typeOf(row) }, places);
    if (match.kind === 'unsure') {
      await told.db.update(vendorDevices).set({ linkReason: match.reason }).where(eq(vendorDevices.id, row.id));
    } else if (match.kind === 'linked') {
      match.place.isTaken = true;
      links.push({ row, place: match.place, reason: match.reason });
      adopting.push({ row, place: match.place });
      siblings.set(row.integrationId, match.place);
    } else unplaced.set(row.integrationId ?? '', [row]);
  }
  links.push(...(await makePlaces(told, [...unplaced.values()])));
  await saveLinks(told, links);
  for (const { row, place } of adopting) await adoptId(told, row, place);
  return links.length;
}

const siblingReason = 'Another reader of a linked place';

/** A place for each group of readers of one: the first of them is what it is made of. */
async function makePlaces(told: Told, groups: readonly DeviceRow[][]): Promise<Link[]> {
  const first = groups.flatMap((group) => group.slice(0, 1));
  const places = await createPlaces(told, first);
  return groups.flatMap((group, nth) =>
    group.flatMap((row, at) => {
      const place = places[nth];
      return place ? [{ row, place, reason: at === 0 ? 'Added from the partner system' : siblingReason }] : [];
    }),
  );
}

export const typeOf = (row: DeviceRow): LocationType => (row.locationType === 'market' ? 'market' : 'vending_machine');

/** The places that other readers, or other configurations, have for the integration ids of these. */
async function findSiblings({ db }: Told, open: readonly DeviceRow[]): Promise<Map<string | null, Place>> {
  const ids = open.map(({ integrationId }) => integrationId);
  const found = await rows<{ integrationId: string; marketId: number | null; machineId: number | null }>(
    db,
    sql`select g.value as "integrationId", o.market_id as "marketId", o.machine_id as "machineId"
        from jsonb_array_elements_text(${JSON.stringify([...new Set(ids)])}::jsonb) g
        cross join lateral (select d.market_id, d.machine_id from vendor_devices d
          where d.integration_id = g.value and d.link = 'linked' and not ${isLost} order by d.id limit 1) o`,
  );
  return new Map(
    found.flatMap(({ integrationId, marketId, machineId }): [string, Place][] => {
      if (machineId) return [[integrationId, { type: 'vending_machine', id: machineId }]];
      return marketId ? [[integrationId, { type: 'market', id: marketId }]] : [];
    }),
  );
}

export function saveLink(told: Told, row: DeviceRow, place: Place, reason: string): Promise<void> {
  return saveLinks(told, [{ row, place, reason }]);
}

async function saveLinks({ db, at }: Told, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  for (const { row, place, reason } of links) {
    Object.assign(row, {
      link: 'linked',
      linkReason: reason,
      marketId: place.type === 'market' ? place.id : null,
      machineId: place.type === 'vending_machine' ? place.id : null,
      updatedAt: at,
    });
  }
  const written = links.map(({ row: { id, linkReason, marketId, machineId } }) => ({
    id,
    linkReason,
    marketId,
    machineId,
  }));
  await db.execute(
    sql`update vendor_devices d set link = 'linked', link_reason = g."linkReason", market_id = g."marketId",
          machine_id = g."machineId", updated_at = ${at.toISOString()}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
          as g(id int, "linkReason" text, "marketId" int, "machineId" int) where d.id = g.id`,
  );
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
  const [made] = await createPlaces(told, [placed ? { ...row, ...placed } : row]);
  if (!made) throw new Error('a device without a position');
  return made;
}

/** As `createPlace`, for devices of which no two share a place; in their order. */
async function createPlaces(told: Told, rows: readonly DeviceRow[]): Promise<Place[]> {
  const machines = rows.filter((row) => typeOf(row) === 'vending_machine');
  const ids = await createPartnerMachines(
    told.db,
    machines.map((row) => machineOf(told, row)),
    told.at,
  );
  const made = new Map(machines.map((row, nth) => [row, { type: 'vending_machine' as const, id: ids[nth] ?? 0 }]));
  const places: Place[] = [];
  for (const row of rows) {
    const machine = made.get(row);
    places.push(machine ?? { type: 'market', id: await createPartnerMarket(told.db, sharedOf(told, row), told.at) });
  }
  return places;
}

function sharedOf(told: Told, row: DeviceRow) {
  if (!hasPosition(row) || !row.latitude || !row.longitude || row.integrationId === null)
    throw new Error('a device without a position');
  return {
    name: row.name,
    address: row.address ?? row.city ?? row.name,
    city: row.city,
    state: row.state,
    latitude: row.latitude,
    longitude: row.longitude,
    status: ownStatus(row.status),
    integrationId: row.integrationId,
    integrationSource: told.system,
    integrationData: row.raw,
  };
}

function machineOf(told: Told, row: DeviceRow): PartnerMachine {
  const shared = sharedOf(told, row);
  return {
    ...shared,
    machineId: row.machineNumber ?? shared.integrationId.slice(0, 100),
    location: (row.address ?? row.name).slice(0, 255),
    model: row.model,
    serialNumber: row.serialNumber,
    lastSeen: row.lastSeenAt,
  };
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
        // Without its status: a market opens, closes and goes into maintenance by a person's word only.
        sql`select name, address, city, state, latitude::text, longitude::text from markets
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
