import { type SQL, sql } from 'drizzle-orm';
import type { Changes } from '../../contract/sync.ts';
import { addDays } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { plannedOnce } from '../db/postgres/kept-plans.ts';
import { isOneOf } from '../db/statements/pieces.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { loadItems, loadSlots } from '../inventory/service.ts';
import { loadMachines } from '../machines/service.ts';
import { loadMarkets } from '../markets/service.ts';
import { loadProducts } from '../products/service.ts';
import { loadScheduledRoutes } from '../route-planning/service.ts';
import { machineInScope, marketInScope, routeInScope, type Scope, scopeOf } from '../scope/service.ts';
import { getMarker, restoredMarker, today } from '../settings/service.ts';
import { type Cursor, readCursor, scopeName, writeCursor } from './cursor.ts';

/** Rows of one page and kind. */
const pageRows = 1000;
type Kind = 'market' | 'vending_machine' | 'market_item' | 'machine_slot' | 'product' | 'route';
type Changed = { kind: Kind; id: number; seq: number; gone: boolean };

/**
 * What changed in scope since a cursor, in pages. The cursor is a number of the server's change sequence. A transaction may
 * commit after a later number was read: rows of transactions that were under way at the last download are sent again.
 */
export async function changesSince(deps: Deps, caller: Caller, text: string | undefined): Promise<Changes> {
  const scope = await scopeOf(deps, caller);
  const day = await today(deps.db, deps.clock);
  const places = scope.everything ? null : await placesOf(deps.db, scope);
  const name = scopeName(scope, places?.keys ?? [], await getMarker(deps.db, restoredMarker));
  const given = readCursor(text);
  const cursor = given && given.scope === name ? given : null;
  const startedAt = await oldestUnderWay(deps.db);
  const page = await changedRows(deps.db, { scope, places, day, cursor });
  const more = page.more;
  const started = cursor?.paging ? cursor.started : startedAt;
  const next: Cursor = {
    seq: page.seq,
    since: more ? (cursor?.since ?? null) : started,
    started,
    paging: more,
    day: cursor?.paging ? cursor.day : day,
    scope: name,
  };
  return {
    serverTime: deps.clock.now().toISOString(),
    cursor: writeCursor(next),
    reset: cursor === null,
    more,
    ...(await load(deps.db, page.changed)),
  };
}

/** Every transaction before this one has ended: what it wrote is visible by now. */
async function oldestUnderWay(db: Db): Promise<string> {
  const found = await firstRow<{ xid: string }>(db, sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`);
  return found?.xid ?? '0';
}

/** What a person may see of the places, by number, and under short names. */
type Places = { markets: number[]; machines: number[]; keys: string[] };

async function placesOf(db: Db, scope: Scope): Promise<Places> {
  const found = await rows<{ kind: 'm' | 'v'; id: number }>(
    db,
    sql`select 'm' as kind, id from markets where ${marketInScope(scope)}
        union all select 'v', id from vending_machines where ${machineInScope(scope)}`,
  );
  const ids = (kind: 'm' | 'v'): number[] => found.filter((row) => row.kind === kind).map(({ id }) => id);
  return { markets: ids('m'), machines: ids('v'), keys: found.map(({ kind, id }) => `${kind}${id}`) };
}

type Wish = { scope: Scope; places: Places | null; day: string; cursor: Cursor | null };

async function changedRows(db: Db, { scope, places, day, cursor }: Wish) {
  const from = cursor?.seq ?? 0;
  const sources = sourcesOf({ scope, places, day: cursor?.paging ? cursor.day : day, first: cursor === null });
  const found = await selectAll(
    db,
    sources.map((source) => select(source, { changed: sql`change_seq > ${from}`, limit: pageRows })),
  );
  const pages = sources.map(({ kind }) => found.filter((row) => row.kind === kind));
  const full = pages.filter((page) => page.length === pageRows).map((page) => page.at(-1)?.seq ?? from);
  const seq = full.length ? Math.min(...full) : Math.max(from, ...pages.flat().map((row) => row.seq));
  const changed = pages.flat().filter((row) => row.seq <= seq);
  const isNew = cursor !== null && !cursor.paging;
  // Rows with older numbers whose transaction had not ended, or not begun, when the last download looked. Numbers to come are
  // those of another cluster, which this database was copied from.
  const late =
    isNew && cursor.since
      ? await selectAll(
          db,
          sources.map((source) => selectLate(source, cursor)),
        )
      : [];
  const moved = isNew && cursor.day !== day ? await routesOfOtherDays(db, { scope, day, cursor }) : [];
  return { changed: [...late, ...moved, ...changed], seq, more: full.length > 0 };
}

/** Several selections in one statement, by number: a phone asks often, and each statement costs its way there and back. */
async function selectAll(db: Db, selections: readonly SQL[]): Promise<Changed[]> {
  const parts = selections.map((selection) => sql`(${selection})`);
  return rows<Changed>(db, plannedOnce(sql`select * from (${sql.join(parts, sql` union all `)}) found order by seq`));
}

/** As many rows of all places are looked at by transaction; where more were written, those of the places are looked at. */
const fewLate = 500;

/** Found by transaction alone, once: beside another condition the database may go through all rows, for each place anew. */
function selectLate({ kind, table, condition, gone, of }: Source, cursor: Cursor): SQL {
  const since = sql`changed_xid >= ${cursor.since}::text::xid8`;
  const isLate = sql`changed_xid < pg_snapshot_xmax(pg_current_snapshot()) and ${condition}`;
  const fields = sql`select ${kind}::text as kind, id, change_seq as seq, ${gone} as gone`;
  if (!of) {
    return sql`with c as materialized (${fields} from ${table} where ${since} and ${isLate})
      select * from c where seq <= ${cursor.seq}`;
  }
  return sql`with c as materialized (
      ${fields}, ${of.column} as place from ${table} where ${since} and ${isLate} limit ${fewLate + 1})
    select kind, id, seq, gone from c
    where (select count(*) from c) <= ${fewLate} and seq <= ${cursor.seq} and place in (select value::int from ${numbers(of.ids)})
    union all
    select l.* from ${numbers(of.ids)} o cross join lateral (
      ${fields} from ${table} where ${of.column} = o.value::int and change_seq <= ${cursor.seq}
        -- Not for an index: that of all transactions would be read for each place.
        and (${since}) is true and ${isLate} offset 0) l
    where (select count(*) from c) > ${fewLate}`;
}

const numbers = (ids: readonly number[]): SQL => sql`jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`;

/** With the day the routes around it change, though nobody touched them: those that came into sight, and those gone. */
function routesOfOtherDays(db: Db, { scope, day, cursor }: Pick<Wish, 'scope' | 'day'> & { cursor: Cursor }) {
  const source = routeSource(scope, day);
  return selectAll(db, [select(source, { changed: sql`(${around(day)} or ${around(cursor.day)})`, limit: null })]);
}

/** `of`: only rows of these places, or these places themselves. */
type Source = { kind: Kind; table: SQL; condition: SQL; gone: SQL; of: { column: SQL; ids: readonly number[] } | null };

function select(source: Source, { changed, limit }: { changed: SQL; limit: number | null }): SQL {
  const { kind, table, condition, gone, of } = source;
  const found = sql`select ${kind}::text as kind, id, change_seq as seq, ${gone} as gone from ${table} where ${changed} and ${condition}`;
  if (!of) return sql`${found} order by change_seq limit ${limit}`;
  // Place by place: a phone asks for the changes of its places, which are few beside those of all others.
  return sql`select c.* from ${numbers(of.ids)} o cross join lateral (
      ${found} and ${of.column} = o.value::int order by change_seq limit ${limit}) c
    order by c.seq limit ${limit}`;
}

type Sight = Omit<Wish, 'cursor'> & { first: boolean };

/** Where changes come from. A first download leaves out what is deleted; later ones must tell of it. */
function sourcesOf({ scope, places, day, first }: Sight): Source[] {
  const condition = first ? sql`deleted_at is null` : sql`true`;
  const gone = sql`deleted_at is not null`;
  const route = routeSource(scope, day);
  const ofMarkets = (column: SQL) => places && { column, ids: places.markets };
  const ofMachines = (column: SQL) => places && { column, ids: places.machines };
  const living = { condition, gone };
  return [
    { ...living, kind: 'market', table: sql`markets`, of: ofMarkets(sql`id`) },
    { ...living, kind: 'vending_machine', table: sql`vending_machines`, of: ofMachines(sql`id`) },
    { ...living, kind: 'market_item', table: sql`inventory_items`, of: ofMarkets(sql`market_id`) },
    { ...living, kind: 'machine_slot', table: sql`vending_machine_inventory`, of: ofMachines(sql`machine_id`) },
    { kind: 'product', table: sql`products`, condition: sql`true`, gone: sql`false`, of: null },
    first ? { ...route, condition: sql`not ${route.gone}` } : route,
  ];
}

const around = (day: string): SQL => sql`routes.date between ${addDays(day, -1)} and ${addDays(day, 1)}`;

/** A route of another day or of somebody else is gone for this person: it may have been theirs when it was sent last. */
function routeSource(scope: Scope, day: string): Source {
  const visible = sql`(${around(day)} and ${routeInScope(scope)})`;
  return {
    kind: 'route',
    table: sql`routes`,
    condition: sql`true`,
    gone: sql`(not coalesce(${visible}, false))`,
    of: null,
  };
}

async function load(db: Db, changed: readonly Changed[]) {
  const ids = (kind: Kind) => [
    ...new Set(changed.filter((row) => row.kind === kind && !row.gone).map((row) => row.id)),
  ];
  const within = (column: SQL, kind: Kind): SQL | null => {
    const wanted = ids(kind);
    return wanted.length ? isOneOf(column, wanted) : null;
  };
  const one = async <T>(condition: SQL | null, read: (db: Db, condition: SQL) => Promise<T[]>): Promise<T[]> =>
    condition ? read(db, condition) : [];
  return {
    markets: await one(within(sql`markets.id`, 'market'), loadMarkets),
    machines: await one(within(sql`vending_machines.id`, 'vending_machine'), loadMachines),
    items: await one(within(sql`inventory_items.id`, 'market_item'), loadItems),
    slots: await one(within(sql`vending_machine_inventory.id`, 'machine_slot'), loadSlots),
    products: await one(within(sql`products.id`, 'product'), loadProducts),
    routes: await one(within(sql`routes.id`, 'route'), loadScheduledRoutes),
    removed: changed.flatMap((row) => (row.gone && row.kind !== 'product' ? [{ kind: row.kind, id: row.id }] : [])),
  };
}
