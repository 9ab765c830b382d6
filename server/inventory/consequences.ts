import { type SQL, sql } from 'drizzle-orm';
import { isFilling } from '../../domain/filling.ts';
import { addDays } from '../../domain/time.ts';
import { ongoingAlertTypes, raiseAlerts, resolveAlerts } from '../alerts/service.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { together } from '../db/together.ts';
import { publishAll } from '../live/hub.ts';
import { noteConflicts } from './conflicts.ts';
import type { Booking, LedgerEvent } from './ledger.ts';
import { fillingOf } from './planogram/fillings.ts';
import { applyPlanned, applyShelfLife } from './planogram/planogram-queries.ts';

/** Alert type of a slot that has nothing left. */
export const soldOutAlert = 'out_of_stock';

/** Alert types of slots where a driver's count and the office's planogram do not fit. */
export const overCapacityAlert = 'over_capacity';
export const otherProductAlert = 'other_product';

type Touched = {
  itemType: 'market_item' | 'machine_slot';
  itemId: number;
  machineId: number | null;
  marketId: number | null;
  slotNumber: string | null;
  productName: string;
  routeDesignation: string | null;
  quantity: number;
  ongoing: string[];
};

/** Sends what a caller writes besides, once stock is as it will be: it waits for its answers together with ours. */
export type Along = () => readonly Promise<unknown>[];

type Settling = {
  booking: Booking;
  /** Ends when the movements and the stock they leave are written. */
  written: Promise<unknown>;
  events: readonly LedgerEvent[];
  day: string;
  along: Along;
};

/** What follows from booked movements, in their transaction: sold-out alerts, conflicts, live updates. */
export async function settle(tx: Db, { booking, written, events, day, along }: Settling): Promise<void> {
  const changed = booking.changed;
  if (changed.length === 0) {
    await together([written, ...along()]);
    return;
  }
  const [, , , touched, around] = await together([
    written,
    putInPlanned(tx, events),
    dateFillings(tx, booking, events),
    findTouched(tx, changed),
    findRoutesAround(tx, changed, day),
    noteConflicts(tx, events, booking),
  ]);
  await together([tell(tx, touched, around), keepAlerts(tx, touched), ...along()]);
}

/** Planned products come with the next filling of their slot. */
async function putInPlanned(tx: Db, events: readonly LedgerEvent[]): Promise<void> {
  const filled = events
    .filter((event) => event.itemType === 'machine_slot' && event.source === 'field')
    .filter(isFilling)
    .map((event) => ({ id: event.itemId, atUs: event.effectiveAtUs }));
  if (filled.length > 0) await applyPlanned(tx, filled);
}

/** What was filled in keeps as long as its product does; units that were left keep their earlier date. */
async function dateFillings(tx: Db, { changed, results }: Booking, events: readonly LedgerEvent[]): Promise<void> {
  // Those known before are in the quantity before already; a count that came too late filled nothing.
  const applied = new Set(results.filter(({ status }) => status === 'applied').map(({ eventId }) => eventId));
  const booked = events.filter((event) => event.itemType === 'machine_slot' && applied.has(event.eventId));
  const filled = changed
    .filter((item) => item.itemType === 'machine_slot')
    .flatMap(({ itemId, before }) => {
      const filling = fillingOf(
        before,
        booked.filter((event) => event.itemId === itemId),
      );
      return filling ? [{ id: itemId, ...filling }] : [];
    });
  if (filled.length > 0) await applyShelfLife(tx, filled);
}

const distinct = <T>(values: readonly (T | null)[]): T[] => [...new Set(values)].filter((v): v is T => v !== null);

type Items = readonly { itemType: string; itemId: number }[];

const listOf = (items: Items): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i("itemType" text, "itemId" int)`;

function findTouched(tx: Db, items: Items): Promise<Touched[]> {
  const list = listOf(items);
  return rows<Touched>(
    tx,
    sql`select 'market_item' as "itemType", t.id as "itemId", null::int as "machineId", t.market_id as "marketId",
               null as "slotNumber", t.product_name as "productName", m.route_designation as "routeDesignation",
               t.current_quantity as quantity, '[]'::jsonb as ongoing
        from ${list} join inventory_items t on i."itemType" = 'market_item' and t.id = i."itemId"
        join markets m on m.id = t.market_id
        union all
        select 'machine_slot', t.id, t.machine_id, null, t.slot_number, t.product_name, m.route_designation, t.current_quantity,
               ${ongoingAlertTypes(sql`t`)}
        from ${list} join vending_machine_inventory t on i."itemType" = 'machine_slot' and t.id = i."itemId"
        join vending_machines m on m.id = t.machine_id`,
  );
}

async function keepAlerts(tx: Db, touched: readonly Touched[]): Promise<void> {
  const slots = touched.filter((item) => item.machineId !== null);
  const empty = slots.filter((slot) => slot.quantity <= 0);
  const filled = slots.filter((slot) => slot.quantity > 0 && slot.ongoing.includes(soldOutAlert));
  await resolveAlerts(tx, { alertType: soldOutAlert, slotIds: filled.map(({ itemId }) => itemId) });
  if (empty.length === 0) return;
  await raiseAlerts(
    tx,
    empty.map((slot) => ({
      machineId: slot.machineId ?? 0,
      slotId: slot.itemId,
      alertType: soldOutAlert,
      severity: 'medium' as const,
      message: `${slot.slotNumber} ${slot.productName} is sold out`,
    })),
  );
}

async function tell(tx: Db, touched: readonly Touched[], around: readonly Around[]): Promise<void> {
  const machineIds = distinct(touched.map((item) => item.machineId));
  const marketIds = distinct(touched.map((item) => item.marketId));
  const routes = distinct([...touched, ...around].map(({ routeDesignation }) => routeDesignation));
  const users = distinct(around.map(({ driverId }) => driverId));
  await publishAll(tx, [
    { topic: 'stock', ids: touched.map((item) => item.itemId), routes, users },
    ...(machineIds.length ? [{ topic: 'machines' as const, ids: machineIds, routes, users }] : []),
    ...(marketIds.length ? [{ topic: 'markets' as const, ids: marketIds, routes, users }] : []),
  ]);
}

type Around = { driverId: number | null; routeDesignation: string | null };

/** Whose routes around a day come to the place of one of these items. */
function findRoutesAround(tx: Db, items: Items, day: string): Promise<Around[]> {
  const list = listOf(items);
  return rows<Around>(
    tx,
    // Each kind by its own index: as one condition all stops of these days would be looked at.
    sql`select distinct r.driver_id as "driverId", r.route_designation as "routeDesignation" from routes r
        where r.date between ${addDays(day, -1)} and ${addDays(day, 1)} and r.id in (
          select s.route_id from route_stops s where s.vending_machine_id = any(array(
            select t.machine_id from ${list} join vending_machine_inventory t on t.id = i."itemId" where i."itemType" = 'machine_slot'))
          union all
          select s.route_id from route_stops s where s.market_id = any(array(
            select t.market_id from ${list} join inventory_items t on t.id = i."itemId" where i."itemType" = 'market_item')))`,
  );
}
