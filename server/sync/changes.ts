import { type SQL, sql } from 'drizzle-orm';
import type { Changes } from '../../contract/sync.ts';
import { addDays } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { loadItems, loadSlots } from '../inventory/service.ts';
import { loadMachines } from '../machines/service.ts';
import { loadMarkets } from '../markets/service.ts';
import { loadProducts } from '../products/service.ts';
import { loadScheduledRoutes } from '../route-planning/service.ts';
import { machineInScope, marketInScope, routeInScope, type Scope, scopeOf } from '../scope/service.ts';
import { today } from '../settings/service.ts';
import { type Cursor, readCursor, scopeName, writeCursor } from './cursor.ts';

/** Rows of one page and kind. */
const pageRows = 1000;
/** A transaction may take this long from its first write to its commit without being missed. */
const overlap = '10 seconds';

type Kind = 'market' | 'vending_machine' | 'market_item' | 'machine_slot' | 'product' | 'route';
type Changed = { kind: Kind; id: number; seq: number; gone: boolean };

/**
 * What changed in scope since a cursor, in pages. The cursor is a number of the server's change sequence; rows of the
 * ten seconds before the last download are sent again, because a transaction may commit after a later number was read.
 */
export async function changesSince(deps: Deps, caller: Caller, text: string | undefined): Promise<Changes> {
  const scope = await scopeOf(deps, caller);
  const day = await today(deps.db, deps.clock);
  const name = scopeName(scope, await locationKeys(deps.db, scope));
  const given = readCursor(text);
  const cursor = given && given.scope === name ? given : null;
  const startedAt = deps.clock.now().toISOString();
  const page = await changedRows(deps.db, { scope, day, cursor });
  const more = page.more;
  const started = cursor?.paging ? cursor.started : startedAt;
  const next: Cursor = {
    seq: page.seq,
    since: more ? (cursor?.since ?? null) : started,
    started,
    paging: more,
    scope: name,
  };
  return {
    serverTime: startedAt,
    cursor: writeCursor(next),
    reset: cursor === null,
    more,
    ...(await load(deps.db, page.changed)),
  };
}

async function locationKeys(db: Db, scope: Scope): Promise<string[]> {
  if (scope.everything) return [];
  const found = await rows<{ key: string }>(
    db,
    sql`select 'm' || id as key from markets where ${marketInScope(scope)}
        union all select 'v' || id from vending_machines where ${machineInScope(scope)}`,
  );
  return found.map((row) => row.key);
}

type Wish = { scope: Scope; day: string; cursor: Cursor | null };

async function changedRows(db: Db, { scope, day, cursor }: Wish) {
  const from = cursor?.seq ?? 0;
  const sources = sourcesOf(scope, day, cursor === null);
  const pages = await Promise.all(sources.map((source) => select(db, source, sql`change_seq > ${from}`)));
  const full = pages.filter((page) => page.length === pageRows).map((page) => page.at(-1)?.seq ?? from);
  const seq = full.length ? Math.min(...full) : Math.max(from, ...pages.flat().map((row) => row.seq));
  const changed = pages.flat().filter((row) => row.seq <= seq);
  const late = cursor && !cursor.paging && cursor.since ? await lateRows(db, sources, cursor) : [];
  return { changed: [...late, ...changed], seq, more: full.length > 0 };
}

async function lateRows(db: Db, sources: readonly Source[], cursor: Cursor): Promise<Changed[]> {
  const late = sql`change_seq <= ${cursor.seq} and changed_at > ${cursor.since}::timestamptz - ${overlap}::interval`;
  return (await Promise.all(sources.map((source) => select(db, source, late)))).flat();
}

type Source = { kind: Kind; table: SQL; condition: SQL; gone: SQL };

function select(db: Db, source: Source, changed: SQL): Promise<Changed[]> {
  return rows<Changed>(
    db,
    sql`select ${source.kind} as kind, id, change_seq as seq, ${source.gone} as gone from ${source.table}
        where ${changed} and ${source.condition} order by change_seq limit ${pageRows}`,
  );
}

/** Where changes come from. A first download leaves out what is deleted; later ones must tell of it. */
function sourcesOf(scope: Scope, day: string, first: boolean): Source[] {
  const living = first ? sql`deleted_at is null` : sql`true`;
  const gone = sql`deleted_at is not null`;
  const inMarkets = sql`market_id in (select id from markets where ${marketInScope(scope)})`;
  const inMachines = sql`machine_id in (select id from vending_machines where ${machineInScope(scope)})`;
  const marketScope = scope.everything ? living : marketInScope(scope);
  const machineScope = scope.everything ? living : machineInScope(scope);
  const ofItems = scope.everything ? living : sql`${living} and ${inMarkets}`;
  const ofSlots = scope.everything ? living : sql`${living} and ${inMachines}`;
  const around = sql`routes.date between ${addDays(day, -1)} and ${addDays(day, 1)} and ${routeInScope(scope)}`;
  return [
    { kind: 'market', table: sql`markets`, condition: marketScope, gone },
    { kind: 'vending_machine', table: sql`vending_machines`, condition: machineScope, gone },
    { kind: 'market_item', table: sql`inventory_items`, condition: ofItems, gone },
    { kind: 'machine_slot', table: sql`vending_machine_inventory`, condition: ofSlots, gone },
    { kind: 'product', table: sql`products`, condition: sql`true`, gone: sql`false` },
    { kind: 'route', table: sql`routes`, condition: around, gone: sql`false` },
  ];
}

async function load(db: Db, changed: readonly Changed[]) {
  const ids = (kind: Kind) => [
    ...new Set(changed.filter((row) => row.kind === kind && !row.gone).map((row) => row.id)),
  ];
  const within = (column: SQL, kind: Kind): SQL | null => {
    const wanted = ids(kind);
    return wanted.length
      ? sql`${column} in (select value::int from jsonb_array_elements_text(${JSON.stringify(wanted)}::jsonb))`
      : null;
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
