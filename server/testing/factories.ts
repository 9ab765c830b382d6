import type { Db } from '../db/database.ts';
import { inventoryItems, machineSlots } from '../inventory/tables.ts';
import { vendingMachines } from '../machines/tables.ts';
import { markets } from '../markets/tables.ts';
import { users } from '../people/tables.ts';
import { depots, routeStops, routes } from '../route-planning/tables.ts';

let serial = 0;
const next = (): number => ++serial;

async function one<T>(inserted: Promise<T[]>): Promise<T> {
  const [row] = await inserted;
  if (!row) throw new Error('nothing inserted');
  return row;
}

export function buildUser(db: Db, fields: Partial<typeof users.$inferInsert> = {}) {
  const n = next();
  const phoneConfirmedAt = fields.phoneNumber ? new Date('2026-01-01T00:00:00Z') : null;
  const values = {
    ...{ email: `person${n}@example.test`, firstName: 'Person', lastName: String(n), phoneConfirmedAt },
    ...fields,
  };
  return one(db.insert(users).values(values).returning());
}

export function buildMarket(db: Db, fields: Partial<typeof markets.$inferInsert> = {}) {
  const n = next();
  const values = { name: `Market ${n}`, address: `${n} Main Street`, latitude: '40.7', longitude: '-74.0', ...fields };
  return one(db.insert(markets).values(values).returning());
}

export function buildMachine(db: Db, fields: Partial<typeof vendingMachines.$inferInsert> = {}) {
  const n = next();
  const values = {
    name: `Machine ${n}`,
    machineId: `VM-${n}`,
    location: 'Lobby',
    address: `${n} Side Street`,
    latitude: '40.71',
    longitude: '-74.01',
    ...fields,
  };
  return one(db.insert(vendingMachines).values(values).returning());
}

export function buildItem(db: Db, marketId: number, fields: Partial<typeof inventoryItems.$inferInsert> = {}) {
  return one(
    db
      .insert(inventoryItems)
      .values({ marketId, productName: `Product ${next()}`, ...fields })
      .returning(),
  );
}

export function buildSlot(db: Db, machineId: number, fields: Partial<typeof machineSlots.$inferInsert> = {}) {
  const n = next();
  const values = { machineId, productName: `Product ${n}`, slotNumber: `A${n}`, price: '1.50', ...fields };
  return one(db.insert(machineSlots).values(values).returning());
}

export function buildDepot(db: Db, fields: Partial<typeof depots.$inferInsert> = {}) {
  const values = {
    name: `Depot ${next()}`,
    address: '1 Depot Road',
    latitude: '40.75',
    longitude: '-74.05',
    isDefault: true,
  };
  return one(
    db
      .insert(depots)
      .values({ ...values, ...fields })
      .returning(),
  );
}

export function buildRoute(db: Db, fields: Partial<typeof routes.$inferInsert> = {}) {
  return one(
    db
      .insert(routes)
      .values({ name: `Route ${next()}`, date: '2026-03-12', ...fields })
      .returning(),
  );
}

export function buildStop(db: Db, routeId: number, fields: Partial<typeof routeStops.$inferInsert>) {
  const locationType = fields.marketId ? 'market' : 'vending_machine';
  const values = { routeId, stopOrder: 1, locationName: `Stop ${next()}`, locationType, ...fields };
  return one(db.insert(routeStops).values(values).returning());
}
