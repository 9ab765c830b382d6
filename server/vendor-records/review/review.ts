import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { ReviewDevice } from '../../../contract/integration-review.ts';
import { indexPlaces, type OwnPlace, type PlaceIndex, plainName, rankPlaces } from '../../../domain/device-match.ts';
import { AppError } from '../../../domain/errors.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { hasPosition } from '../../../domain/place.ts';
import { recordAudit } from '../../audit/service.ts';
import { type Db, firstRow } from '../../db/database.ts';
import { addressText } from '../../db/statements/address-text.ts';
import { findPage, type Page } from '../../db/statements/paging.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { tell } from '../../integrations/service.ts';
import type { Told } from '../batch.ts';
import { findDevice } from '../places/devices.ts';
import { adoptId, createPlace, findPlaces, isLost, isOpen, saveLink } from '../places/links.ts';
import { adoptPlanogramOf } from '../places/planograms.ts';
import { bookSales } from '../sales/booking.ts';
import { findWaitingSales } from '../sales/sales.ts';
import { type DeviceRow, vendorDevices } from '../tables.ts';

type Wish = { configId?: number | undefined; page?: string | undefined; limit: number };

const mostCandidates = 5;

const waits = (wish: { configId?: number | undefined }): SQL => sql`${isOpen}
  and c.removed_at is null and (${wish.configId ?? null}::int is null or d.config_id = ${wish.configId ?? null})`;

const waitingSales = sql`(select count(*)::int from vendor_sales s where s.config_id = d.config_id
  and s.outcome in ('waiting', 'waiting_same') and s.moves_stock and s.status in ('completed', 'refunded') and s.device_id in (d.vendor_id, d.integration_id))`;

type Listed = Omit<ReviewDevice, 'candidates'>;

/** Devices that wait for a person, each with the places of ours that it may be. */
export async function pageReviewDevices(deps: Deps, wish: Wish): Promise<Page<ReviewDevice>> {
  const condition = waits(wish);
  const source = sql`vendor_devices d join integration_configs c on c.id = d.config_id`;
  const page = await findPage<Listed>(deps.db, {
    fields: sql`d.id, d.config_id as "configId", d.system, c.name as "configName", d.vendor_id as "vendorId",
      d.integration_id as "integrationId", d.location_type as "locationType", d.name, d.machine_number as "machineNumber",
      d.serial_number as "serialNumber", d.address, d.city, d.latitude::text as latitude, d.longitude::text as longitude,
      case when ${isLost} then 'Its place was removed here' else d.link_reason end as reason, ${waitingSales} as "waitingSales"`,
    source,
    condition,
    order: { name: 'oldest', down: false, id: sql`d.id`, value: sql`d.id`, type: 'bigint' },
    page: wish.page,
    limit: Math.min(wish.limit, 50),
    total: async () =>
      (await firstRow<{ n: number }>(deps.db, sql`select count(*)::int as n from ${source} where ${condition}`))?.n ??
      0,
  });
  const places = new Map<number, PlaceIndex>();
  for (const { configId } of page.rows) {
    if (!places.has(configId)) places.set(configId, indexPlaces(await findPlaces({ db: deps.db, configId })));
  }
  const rows = await Promise.all(
    page.rows.map(async (device) => ({
      ...device,
      candidates: await candidatesOf(deps.db, device, places.get(device.configId) ?? new Map()),
    })),
  );
  return { ...page, rows };
}

async function candidatesOf(db: Db, device: Listed, places: PlaceIndex): Promise<ReviewDevice['candidates']> {
  const addressOf = async ({ type, id }: OwnPlace): Promise<string> => {
    const table = type === 'market' ? sql`markets` : sql`vending_machines`;
    const asked = sql`select ${addressText(table)} as address from ${table} where id = ${id}`;
    return (await firstRow<{ address: string }>(db, asked))?.address ?? '';
  };
  const ranked = rankPlaces(device, places).slice(0, mostCandidates);
  return Promise.all(
    ranked.map(async (place) => ({
      type: place.type,
      id: place.id,
      name: place.name,
      address: await addressOf(place),
    })),
  );
}

type Linked = { id: number; type: LocationRef['type']; locationId: number; booked: number; held: number };

/** A person said which place of ours a device is. What waited for it is booked. */
export function linkDevice(deps: Deps, caller: Caller, id: number, place: LocationRef): Promise<Linked> {
  return decide(deps, id, async (told, device) => {
    const own = (await findPlaces(told)).find((one) => one.type === place.type && one.id === place.id);
    if (!own) throw new AppError('invalid-input', 'This place does not exist any more. Choose another one.');
    await adoptId(told, device, own);
    await audit(told, caller, device, { action: 'integration.link-device', detail: { ...place } });
    return own;
  });
}

type Position = { latitude?: string | undefined; longitude?: string | undefined };

/** A person said that a device is a place of its own. */
export function addDevicePlace(deps: Deps, caller: Caller, id: number, at: Position): Promise<Linked> {
  return decide(deps, id, async (told, device) => {
    const placed = at.latitude && at.longitude ? { latitude: at.latitude, longitude: at.longitude } : null;
    if (!placed && !hasPosition(device)) {
      const sentence = 'The system does not say where it is: enter latitude and longitude.';
      throw new AppError('invalid-input', sentence, {
        fields: { latitude: 'Latitude is required', longitude: 'Longitude is required' },
      });
    }
    const made = await createPlace(told, device, placed ?? undefined);
    await audit(told, caller, device, { action: 'integration.add-device', detail: { ...made } });
    return made;
  });
}

async function decide(
  deps: Deps,
  id: number,
  choose: (told: Told, device: DeviceRow) => Promise<LocationRef>,
): Promise<Linked> {
  return deps.db.transaction(async (tx) => {
    const device = await requireDevice(tx, id);
    const told: Told = { db: tx, configId: device.configId, system: device.system, at: deps.clock.now() };
    const { machineId, marketId } = device;
    const place = await choose(told, device);
    await saveLink(told, device, place, 'Linked by hand');
    const others = await tx
      .select()
      .from(vendorDevices)
      .where(and(eq(vendorDevices.integrationId, device.integrationId ?? ''), ne(vendorDevices.id, device.id)));
    const isLeft = (one: DeviceRow): boolean =>
      one.link === 'unsure' || (one.link === 'linked' && one.machineId === machineId && one.marketId === marketId);
    const siblings = others.filter(isLeft);
    for (const sibling of siblings) await saveLink(told, sibling, place, 'Another reader of a linked place');
    // Before its sales are booked, so that they find their slots.
    if (place.type === 'vending_machine') await adoptPlanogramOf(told, place.id);
    const done = { booked: 0, held: 0 };
    for (const one of [device, ...siblings]) {
      const booked = await bookSales({ ...told, configId: one.configId, system: one.system }, await waitingOf(tx, one));
      done.booked += booked.booked;
      done.held += booked.held;
    }
    await tell(tx, device.configId);
    return { id, type: place.type, locationId: place.id, ...done };
  });
}

const waitingOf = (tx: Db, { configId, vendorId, integrationId }: DeviceRow) =>
  findWaitingSales(tx, { configId, deviceId: vendorId, integrationId });

async function requireDevice(tx: Db, id: number): Promise<DeviceRow> {
  const device = await findDevice(tx, id);
  if (!device) throw new AppError('not-found', 'This device does not exist.');
  const open = await firstRow(
    tx,
    sql`select 1 from vendor_devices d where d.id = ${id} and (d.link <> 'linked' or ${isLost})`,
  );
  if (!open) throw new AppError('conflict', 'This device was linked in the meantime.');
  return device;
}

/** A person said that a device is none of ours, or took that back. Its sales are left out of the books. */
export async function ignoreDevice(deps: Deps, caller: Caller, id: number, ignored: boolean): Promise<{ id: number }> {
  await deps.db.transaction(async (tx) => {
    const device = await requireDevice(tx, id);
    const told: Told = { db: tx, configId: device.configId, system: device.system, at: deps.clock.now() };
    const link = ignored ? { link: 'ignored', linkReason: 'None of ours' } : { link: 'unsure', linkReason: null };
    await tx
      .update(vendorDevices)
      .set({ ...link, updatedAt: told.at })
      .where(eq(vendorDevices.id, id));
    await audit(told, caller, device, { action: 'integration.ignore-device', detail: { ignored } });
    await tell(tx, device.configId);
  });
  return { id };
}

function audit(
  { db, configId }: Told,
  caller: Caller,
  device: DeviceRow,
  line: { action: string; detail: object },
): Promise<void> {
  const detail = { device: plainName(device.name), vendorId: device.vendorId, ...line.detail };
  return recordAudit(db, caller, { action: line.action, objectType: 'integration', objectId: configId, detail });
}
