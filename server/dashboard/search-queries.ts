import { and, asc, desc, ilike, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../db/database.ts';
import { vendingMachines } from '../machines/tables.ts';
import { markets } from '../markets/tables.ts';
import { users } from '../people/tables.ts';
import { products } from '../products/tables.ts';
import { routes } from '../route-planning/tables.ts';

const perKind = 6;

/** LIKE patterns of the text anywhere and at the beginning, its barcode form, and the market number it may be. */
export type Wanted = { anywhere: string; beginning: string; barcode: string; marketId: number | null };

/** Names that begin with the text come before those that contain it. */
const beginsFirst = (name: PgColumn | SQL, wanted: Wanted): SQL => sql`(${name} ilike ${wanted.beginning}) desc`;

export function searchMarkets(db: Db, inScope: SQL, wanted: Wanted) {
  const numbered = wanted.marketId === null ? undefined : sql`${markets.id} = ${wanted.marketId}`;
  const found = or(ilike(markets.name, wanted.anywhere), ilike(markets.address, wanted.anywhere), numbered);
  return db
    .select({ id: markets.id, title: markets.name, detail: markets.address })
    .from(markets)
    .where(and(inScope, found))
    .orderBy(beginsFirst(markets.name, wanted), asc(markets.name), asc(markets.id))
    .limit(perKind);
}

export function searchMachines(db: Db, inScope: SQL, wanted: Wanted) {
  const { name, address, location, machineId, id } = vendingMachines;
  const found = or(...[name, address, location, machineId].map((column) => ilike(column, wanted.anywhere)));
  return db
    .select({ id, title: name, detail: sql<string>`${machineId} || ', ' || ${location}` })
    .from(vendingMachines)
    .where(and(inScope, found))
    .orderBy(beginsFirst(name, wanted), asc(name), asc(id))
    .limit(perKind);
}

export function searchProducts(db: Db, wanted: Wanted) {
  const coded = sql`${products.id} in (select b.product_id from product_barcodes b
    where b.normal_code = ${wanted.barcode} or b.code like ${wanted.beginning})`;
  return db
    .select({
      id: products.id,
      title: products.name,
      detail: sql<string>`concat_ws(', ', ${products.brand}, ${products.category})`,
    })
    .from(products)
    .where(and(isNull(products.mergedInto), or(ilike(products.name, wanted.anywhere), coded)))
    .orderBy(beginsFirst(products.name, wanted), asc(products.name), asc(products.id))
    .limit(perKind);
}

/** Routes from a day on: older ones are for reports. */
export function searchRoutes(db: Db, inScope: SQL, wanted: Wanted & { from: string }) {
  const found = or(ilike(routes.name, wanted.anywhere), ilike(routes.routeDesignation, wanted.beginning));
  return db
    .select({ id: routes.id, title: routes.name, detail: sql<string>`${routes.date}::text` })
    .from(routes)
    .where(and(sql`${routes.date} >= ${wanted.from}`, inScope, found))
    .orderBy(desc(routes.date), asc(routes.id))
    .limit(perKind);
}

export function searchPeople(db: Db, wanted: Wanted) {
  const name = sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})`;
  return db
    .select({ id: users.id, title: sql<string>`coalesce(nullif(${name}, ''), ${users.email})`, detail: users.email })
    .from(users)
    .where(and(users.isActive, or(sql`${name} ilike ${wanted.anywhere}`, ilike(users.email, wanted.anywhere))))
    .orderBy(beginsFirst(name, wanted), asc(users.id))
    .limit(perKind);
}
