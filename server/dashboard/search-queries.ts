import { and, asc, desc, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Db, rows } from '../db/database.ts';
import { addressText } from '../db/statements/address-text.ts';
import { containing, containsWord } from '../db/statements/like.ts';
import { markets } from '../markets/tables.ts';
import { users } from '../people/tables.ts';
import { products } from '../products/tables.ts';
import { routes } from '../route-planning/tables.ts';

export const perKind = 6;

/** Each list is one word of the text and what it may mean; the number of a market, a barcode. */
export type Wanted = {
  words: readonly (readonly string[])[];
  beginning: string;
  barcode: string;
  marketId: number | null;
};

/** Names that begin with the text come before those that contain it. */
export const beginsFirst = (name: PgColumn | SQL, wanted: Wanted): SQL => sql`(${name} ilike ${wanted.beginning}) desc`;

const isNumber = /\p{N}/u;
export const isSaid = /[\p{L}\p{N}]/u;

/** True where every word, or something it may mean, is in the text; a sign by itself is looked for as it is. */
export function says(plain: SQL, raw: SQL, { words }: Wanted): SQL {
  const each = words.map((meanings) => {
    const any = meanings.map((word) =>
      isSaid.test(word) ? containsWord(plain, word) : sql`${raw} like ${containing(word)}`,
    );
    return sql`(${sql.join(any, sql` or `)})`;
  });
  return each.length === 0 ? sql`false` : sql.join(each, sql` and `);
}

export function searchMarkets(db: Db, inScope: SQL, wanted: Wanted) {
  const numbered = wanted.marketId === null ? undefined : sql`${markets.id} = ${wanted.marketId}`;
  const found = or(
    says(sql`${markets.searchText}`, sql`(${markets.name} || ' ' || ${markets.address})`, wanted),
    numbered,
  );
  return db
    .select({ id: markets.id, title: markets.name, detail: addressText(sql`${markets}`) })
    .from(markets)
    .where(and(inScope, found))
    .orderBy(beginsFirst(markets.name, wanted), asc(markets.name), asc(markets.id))
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
    .where(and(isNull(products.mergedInto), or(says(sql`${products.searchText}`, raw, wanted), coded)))
    .orderBy(beginsFirst(products.name, wanted), asc(products.name), asc(products.id))
    .limit(perKind);
}

/** What a kept name and designation say, and what days do: more days than have routes, for those of the routes found are asked. */
const named = (from: string): SQL => sql`(select k.name, k.route_designation as designation, k.plain,
  concat_ws(' ', k.name, k.route_designation) as raw from route_names k where k.until >= ${from}::date)`;
const dated = (
  from: string,
): SQL => sql`(select d::date as date, to_char(d, 'YYYY-MM-DD') as raw, to_char(d, 'YYYY MM DD') as plain
  from generate_series(${from}::date::timestamp, (select max(date) from routes)::timestamp, interval '1 day') d offset 0)`;

/** False where a part of a word stands in no name and no day, so that no two of them say it together: there are many pairs. */
function maySay({ words, from }: Wanted & { from: string }): SQL {
  const isPartOf = (list: SQL): SQL => sql`exists (select from ${list} l where l.plain like '%' || part || '%')`;
  const each = words.map((meanings) => {
    const any = meanings.map((word) =>
      isSaid.test(word)
        ? sql`not exists (select from unnest(string_to_array(trim(plain_text(${word}::text)), ' ')) part
            where not ${isPartOf(named(from))} and not ${isPartOf(dated(from))})`
        : sql`true`,
    );
    return sql`(${sql.join(any, sql` or `)})`;
  });
  return sql.join([sql`true`, ...each], sql` and `);
}

/** Routes from a day on: older ones are for reports. Names, designations and days are few among many routes. */
export function searchRoutes(db: Db, inScope: SQL, wanted: Wanted & { from: string }) {
  const isNamed = sql`n.name = ${routes.name} and n.designation = coalesce(${routes.routeDesignation}, '')`;
  // A day is a number: only a text with one is looked for in days.
  const found = isNumber.test(wanted.words.flat().join(''))
    ? sql`${maySay(wanted)} and exists (select from ${named(wanted.from)} n, ${dated(wanted.from)} d
        where ${isNamed} and d.date = ${routes.date} and ${says(sql`(n.plain || ' ' || d.plain)`, sql`(n.raw || ' ' || d.raw)`, wanted)})`
    : sql`exists (select from ${named(wanted.from)} n where ${isNamed} and ${says(sql`n.plain`, sql`n.raw`, wanted)})`;
  return db
    .select({ id: routes.id, title: routes.name, detail: sql<string>`${routes.date}::text` })
    .from(routes)
    .where(and(sql`${routes.date} >= ${wanted.from}`, inScope, found))
    .orderBy(desc(routes.date), asc(routes.id))
    .limit(perKind);
}

export function searchPeople(db: Db, wanted: Wanted) {
  const name = sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})`;
  // The kept text is no column of a person's row in the program, where many read that row whole.
  const raw = sql`concat_ws(' ', ${users.firstName}, ${users.lastName}, ${users.email})`;
  return db
    .select({ id: users.id, title: sql<string>`coalesce(nullif(${name}, ''), ${users.email})`, detail: users.email })
    .from(users)
    .where(and(users.isActive, says(sql`users.search_text`, raw, wanted)))
    .orderBy(beginsFirst(name, wanted), asc(users.id))
    .limit(perKind);
}

/** Every word that a name contains, or that stands with it for a search: what a mistyped one may have meant. */
export async function findNameWords(db: Db): Promise<string[]> {
  const found = await rows<{ word: string }>(
    db,
    sql`select distinct word from (
          select search_text as plain from markets where deleted_at is null
          union all select word from machine_words where word ~ '[^0-9]'
          union all select search_text from products where merged_into is null
          union all select plain from route_names where until >= now() - interval '90 days'
          union all select plain_text(concat_ws(' ', first_name, last_name)) from users where is_active) named
        cross join lateral unnest(string_to_array(named.plain, ' ')) as word
        where length(word) >= 4 and word ~ '[a-z]'`,
  );
  return found.map(({ word }) => word);
}
