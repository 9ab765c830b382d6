import { sql } from 'drizzle-orm';
import { normalBarcode } from '../../domain/product.ts';
import type { StockedSite } from '../../simulator/history.ts';
import type { OperatorPlan } from '../../simulator/operator/operator.ts';
import type { Alert, Stock } from '../../simulator/records.ts';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { users } from '../people/tables.ts';
import { productBarcodes, products } from '../products/tables.ts';
import { depots, vehicles } from '../route-planning/tables.ts';
import { column, fromMs } from './movement-queries.ts';

/** True when nobody has put anything into the database yet. */
export async function isEmpty(db: Db): Promise<boolean> {
  const found = await firstRow<{ filled: boolean }>(
    db,
    sql`select exists (select from users) or exists (select from markets) or exists (select from vending_machines)
          or exists (select from products) or exists (select from depots) as filled`,
  );
  return found?.filled === false;
}

/** People, products, depots and vehicles: what stands before the first location. */
export async function insertFoundation(db: Db, plan: OperatorPlan, createdAt: Date): Promise<void> {
  await db.insert(users).values(
    plan.people.map(({ designation, ...person }) => ({
      ...{ ...person, routeDesignation: designation, createdAt },
      phoneConfirmedAt: person.phoneNumber ? createdAt : null,
    })),
  );
  await db.insert(products).values(
    plan.products.map(({ price, cost, barcode: _barcode, ...product }) => ({
      ...product,
      unitPrice: price,
      unitCost: cost,
      createdAt,
    })),
  );
  await db
    .insert(productBarcodes)
    .values(
      plan.products.map(({ id, barcode }) => ({ productId: id, code: barcode, normalCode: normalBarcode(barcode) })),
    );
  await db.insert(depots).values(
    plan.depots.map(({ lat, lng, ...depot }) => ({
      ...depot,
      latitude: String(lat),
      longitude: String(lng),
      isDefault: depot.id === 1,
    })),
  );
  await db.insert(vehicles).values(plan.territories.map((territory) => territory.vehicle));
}

/** Machines and markets with what stands in them at the end, and their balances. */
export async function insertSites(db: Db, sites: readonly StockedSite[], createdMs: number): Promise<void> {
  const machines = sites.filter(({ site }) => site.type === 'vending_machine');
  const markets = sites.filter(({ site }) => site.type === 'market');
  if (machines.length) await insertMachines(db, machines, createdMs);
  if (markets.length) await insertMarkets(db, markets, createdMs);
  const slots = machines.flatMap(({ stock }) => stock);
  const items = markets.flatMap(({ stock }) => stock);
  if (slots.length) await insertSlots(db, slots, createdMs);
  if (items.length) await insertItems(db, items, createdMs);
  if (slots.length + items.length) await insertBalances(db, [...slots, ...items]);
}

const placeOf = ({ site }: StockedSite) => ({
  id: site.id,
  name: site.name,
  address: site.address,
  city: site.city,
  state: site.state,
  latitude: site.point.lat.toFixed(6),
  longitude: site.point.lng.toFixed(6),
  status: site.status,
  designation: site.designation,
  accessHours: site.accessHours,
});

function insertMachines(db: Db, machines: readonly StockedSite[], createdMs: number) {
  const given = machines.map((one) => ({
    ...placeOf(one),
    code: `VM-${String(one.site.id).padStart(5, '0')}`,
    location: one.site.spot,
    capacity: Math.max(
      1,
      one.stock.reduce((sum, slot) => sum + slot.capacity, 0),
    ),
    model: one.site.model ? `${one.site.model.make} ${one.site.model.name}` : null,
    seenMs: one.lastSeenMs,
  }));
  return db.execute(
    sql`insert into vending_machines (id, name, machine_id, location, address, city, state, latitude, longitude, status,
          route_designation, access_hours, capacity, model, serial_number, vendor_id, install_date, last_maintenance, last_seen, created_at)
        select g.id, g.name, g.code, g.location, g.address, g.city, g.state, g.latitude, g.longitude, g.status, g.designation,
          g."accessHours", g.capacity, g.model, 'SN' || lpad((g.id::bigint * 7919 % 10000019)::text, 8, '0'), null,
          (${fromMs(sql`${createdMs}::bigint`)})::date - (g.id * 37 % 1500),
          ${fromMs(sql`g."seenMs"`)} - (20 + g.id % 70) * interval '1 day', ${fromMs(sql`g."seenMs"`)},
          ${fromMs(sql`${createdMs}::bigint`)}
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(id int, name text, code text, location text, address text,
          city text, state text, latitude numeric, longitude numeric, status text, designation text, "accessHours" text, capacity int, model text,
          "seenMs" bigint)`,
  );
}

function insertMarkets(db: Db, markets: readonly StockedSite[], createdMs: number) {
  return db.execute(
    sql`insert into markets (id, name, address, city, state, latitude, longitude, status, route_designation, access_hours,
          created_at)
        select g.id, g.name, g.address, g.city, g.state, g.latitude, g.longitude, g.status, g.designation, g."accessHours",
          ${fromMs(sql`${createdMs}::bigint`)}
        from jsonb_to_recordset(${JSON.stringify(markets.map(placeOf))}::jsonb) as g(id int, name text, address text, city text,
          state text, latitude numeric, longitude numeric, status text, designation text, "accessHours" text)`,
  );
}

function insertSlots(db: Db, slots: readonly Stock[], createdMs: number) {
  const created = fromMs(sql`${createdMs}::bigint`);
  return db.execute(
    sql`insert into vending_machine_inventory (id, machine_id, product_id, product_name, product_code, slot_number,
          current_quantity, max_quantity, par_quantity, minimum_quantity, price, cost, category, brand, expiration_date,
          last_restocked, created_at, updated_at)
        select g.id, g.machine_id, g.product_id, p.name, b.code, g.slot_number, greatest(0, g.quantity), g.capacity, g.par,
          g.minimum, p.unit_price, p.unit_cost, p.category, p.brand,
          greatest(${fromMs(sql`g.restocked_ms`)}, ${fromMs(sql`max(g.restocked_ms) over ()`)} - interval '14 days')::date + (25 + g.id % 120), ${fromMs(sql`g.restocked_ms`)}, ${created},
          ${fromMs(sql`coalesce(g.sold_out_ms, g.restocked_ms)`)}
        from unnest(${column(slots.map((one) => one.id))}::int[], ${column(slots.map((one) => one.locationId))}::int[],
          ${column(slots.map((one) => one.productId))}::int[], ${column(slots.map((one) => one.slotNumber))}::text[],
          ${column(slots.map((one) => one.believed))}::int[], ${column(slots.map((one) => one.capacity))}::int[],
          ${column(slots.map((one) => one.par))}::int[], ${column(slots.map((one) => one.minimum))}::int[],
          ${column(slots.map((one) => one.restockedMs))}::bigint[], ${column(slots.map((one) => one.soldOutMs))}::bigint[])
          as g(id, machine_id, product_id, slot_number, quantity, capacity, par, minimum, restocked_ms, sold_out_ms)
        join products p on p.id = g.product_id join product_barcodes b on b.product_id = p.id`,
  );
}

function insertItems(db: Db, items: readonly Stock[], createdMs: number) {
  const created = fromMs(sql`${createdMs}::bigint`);
  return db.execute(
    sql`insert into inventory_items (id, market_id, product_id, product_name, current_quantity, minimum_quantity,
          par_quantity, last_restocked, created_at, updated_at)
        select g.id, g.market_id, g.product_id, p.name, greatest(0, g.quantity), g.minimum, g.par,
          ${fromMs(sql`g.restocked_ms`)}, ${created}, ${fromMs(sql`coalesce(g.sold_out_ms, g.restocked_ms)`)}
        from unnest(${column(items.map((one) => one.id))}::int[], ${column(items.map((one) => one.locationId))}::int[],
          ${column(items.map((one) => one.productId))}::int[], ${column(items.map((one) => one.believed))}::int[],
          ${column(items.map((one) => one.par))}::int[], ${column(items.map((one) => one.minimum))}::int[],
          ${column(items.map((one) => one.restockedMs))}::bigint[], ${column(items.map((one) => one.soldOutMs))}::bigint[])
          as g(id, market_id, product_id, quantity, par, minimum, restocked_ms, sold_out_ms)
        join products p on p.id = g.product_id`,
  );
}

function insertBalances(db: Db, stock: readonly Stock[]) {
  return db.execute(
    sql`insert into item_balances (item_type, item_id, quantity, anchor_event_id, anchor_at, version)
        select g.item_type, g.item_id, g.quantity, g.anchor_id, ${fromMs(sql`g.anchor_ms`)}, g.version
        from unnest(${column(stock.map((one) => one.itemType))}::text[], ${column(stock.map((one) => one.id))}::int[],
          ${column(stock.map((one) => one.believed))}::int[], ${column(stock.map((one) => one.anchor?.eventId ?? null))}::uuid[],
          ${column(stock.map((one) => one.anchor?.atMs ?? null))}::bigint[], ${column(stock.map((one) => one.movements))}::int[])
          as g(item_type, item_id, quantity, anchor_id, anchor_ms, version)`,
  );
}

/** Alerts; one whose cause is open already is left out. */
export async function insertSimulatedAlerts(db: Db, alerts: readonly Alert[]): Promise<void> {
  if (alerts.length === 0) return;
  await db.execute(
    sql`insert into vending_machine_alerts (machine_id, slot_id, alert_type, message, severity, created_at, resolved_at)
        select a."machineId", a."slotId", a."alertType", a.message, a.severity, ${fromMs(sql`a."atMs"`)},
          ${fromMs(sql`a."resolvedMs"`)}
        from jsonb_to_recordset(${JSON.stringify(alerts)}::jsonb) as a("machineId" int, "slotId" int, "alertType" text,
          message text, severity text, "atMs" bigint, "resolvedMs" bigint)
        on conflict do nothing`,
  );
}

/** Ids were given by hand: the next ones must come after them. */
export async function moveSequences(db: Db): Promise<void> {
  const tables = [
    'users',
    'products',
    'depots',
    'vehicles',
    'vending_machines',
    'vending_machine_inventory',
    'markets',
    'inventory_items',
  ];
  for (const table of tables) {
    await db.execute(
      sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce((select max(id) from ${sql.identifier(table)}), 0) + 1, false)`,
    );
  }
}
