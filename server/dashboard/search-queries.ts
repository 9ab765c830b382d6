import { and, asc, desc, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Db, rows } from '../db/database.ts';
import { containing, containsWord } from '../db/statements/like.ts';
import { vendingMachines } from '../machines/tables.ts';
import { markets } from '../markets/tables.ts';
import { users } from '../people/tables.ts';
import { products } from '../products/tables.ts';
import { routes } from '../route-planning/tables.ts';

const perKind = 6;

/** Each list is one word of the text and what it may mean; the number of a market, a barcode. */
export type Wanted = {
  words: readonly (readonly string[])[];
  beginning: string;
  barcode: string;
  marketId: number | null;
};

/** Names that begin with the text come before those that contain it. */
const beginsFirst = (name: PgColumn | SQL, wanted: Wanted): SQL => sql`(${name} ilike ${wanted.beginning}) desc`;

const isNumber = /\p{N}/u;
const isSaid = /[\p{L}\p{N}]/u;

/** True where every word, or something it may mean, is in the text; a sign by itself is looked for as it is. */
function says(plain: SQL, raw: SQL, { words }: Wanted): SQL {
  const each = words.map((meanings) => {
    const any = meanings.map((word) =>
      isSaid.test(word) ? containsWord(plain, word) : sql`${raw} like ${containing(word)}`,
    );
    return sql`(${sql.join(any, sql` or `)})`;
  });
  return each.length === 0 ? sql`false` : sql.join(each, sql` and `);
}

const plainly = (raw: SQL): SQL => sql`plain_text(${raw})`;

export function searchMarkets(db: Db, inScope: SQL, wanted: Wanted) {
  const numbered = wanted.marketId === null ? undefined : sql`${markets.id} = ${wanted.marketId}`;
  const found = or(
    says(sql`${markets.searchText}`, sql`(${markets.name} || ' ' || ${markets.address})`, wanted),
    numbered,
  );
  return db
    .select({ id: markets.id, title: markets.name, detail: markets.address })
    .from(markets)
    .where(and(inScope, found))
    .orderBy(beginsFirst(markets.name, wanted), asc(markets.name), asc(markets.id))
    .limit(perKind);
}

export function searchMachines(db: Db, inScope: SQL, wanted: Wanted) {
  const { name, location, machineId, searchText, id } = vendingMachines;
  return db
    .select({ id, title: name, detail: sql<string>`${machineId} || ', ' || ${location}` })
    .from(vendingMachines)
    .where(and(inScope, says(sql`${searchText}`, sql`(${name} || ' ' || ${machineId})`, wanted)))
    .orderBy(beginsFirst(name, wanted), asc(name), asc(id))
    .limit(perKind);
}

export function searchProducts(db: Db, wanted: Wanted) {
  const coded = sql`${products.id} in (select b.product_id from product_barcodes b
    where b.normal_code = ${wanted.barcode} or b.code like ${wanted.beginning})`;
  const raw = sql`concat_ws(' ', ${products.name}, ${products.brand})`;
  return db
    .select({
      id: products.id,
      title: products.name,
      detail: sql<string>`concat_ws(', ', ${products.brand}, ${products.category})`,
    })
    .from(products)
    .where(and(isNull(products.mergedInto), or(says(plainly(raw), raw, wanted), coded)))
    .orderBy(beginsFirst(products.name, wanted), asc(products.name), asc(products.id))
    .limit(perKind);
}

/** Routes from a day on: older ones are for reports. */
export function searchRoutes(db: Db, inScope: SQL, wanted: Wanted & { from: string }) {
  const told = (name: SQL, designation: SQL, date: SQL): SQL => {
    const raw = sql`concat_ws(' ', ${name}, ${designation}, ${date})`;
    return says(plainly(raw), raw, wanted);
  };
  const recent = sql`${routes.date} >= ${wanted.from}`;
  // Names and designations are few, and a day is a number: only a text with one is compared with every route. Without the offset
  // each route would be made plain before the names are made distinct.
  const named = sql`(${routes.name}, coalesce(${routes.routeDesignation}, '')) in (
    select n.name, n.designation from (
      select distinct r.name, coalesce(r.route_designation, '') as designation from routes r where r.date >= ${wanted.from} offset 0) n
    where ${told(sql`n.name`, sql`n.designation`, sql`''`)})`;
  const found = isNumber.test(wanted.words.flat().join(''))
    ? told(sql`${routes.name}`, sql`${routes.routeDesignation}`, sql`${routes.date}::text`)
    : named;
  return db
    .select({ id: routes.id, title: routes.name, detail: sql<string>`${routes.date}::text` })
    .from(routes)
    .where(and(recent, inScope, found))
    .orderBy(desc(routes.date), asc(routes.id))
    .limit(perKind);
}

export function searchPeople(db: Db, wanted: Wanted) {
  const name = sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})`;
  const raw = sql`concat_ws(' ', ${users.firstName}, ${users.lastName}, ${users.email})`;
  return db
    .select({ id: users.id, title: sql<string>`coalesce(nullif(${name}, ''), ${users.email})`, detail: users.email })
    .from(users)
    .where(and(users.isActive, says(plainly(raw), raw, wanted)))
    .orderBy(beginsFirst(name, wanted), asc(users.id))
    .limit(perKind);
}

/** Every word that a name contains, or that stands with it for a search: what a mistyped one may have meant. */
export async function findNameWords(db: Db): Promise<string[]> {
  const found = await rows<{ word: string }>(
    db,
    sql`select distinct word from (
          select search_text as plain from markets where deleted_at is null
          union all select search_text from vending_machines where deleted_at is null
          union all select plain_text(concat_ws(' ', name, brand)) from products where merged_into is null
          union all select plain_text(name) from (
            select distinct name from routes where date >= now() - interval '90 days') named
          union all select plain_text(concat_ws(' ', first_name, last_name)) from users where is_active) named
        cross join lateral unnest(string_to_array(named.plain, ' ')) as word
        where length(word) >= 4 and word ~ '[a-z]'`,
  );
  return found.map(({ word }) => word);
}
