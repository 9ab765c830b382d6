import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { AppError } from '../../../domain/errors.ts';
import type { Db } from '../database.ts';
import { firstRow, rows } from '../database.ts';
import { atMost, plannedOnce } from '../postgres/kept-plans.ts';

const unknownPage = 'This page is not known. Begin at the first page.';

/** What rows are sorted by: an expression and the id that tells equal ones apart, both of one direction. */
export type Order = {
  name: string;
  value: SQL;
  type: 'text' | 'bigint' | 'numeric' | 'date' | 'timestamptz';
  id: SQL;
  down: boolean;
};

const cursorShape = z.object({
  /** The order it belongs to. */
  by: z.string(),
  /** The row it stands beside. */
  value: z.string(),
  id: z.int(),
  /** Rows before that one, instead of after it. */
  back: z.boolean(),
  /** How many rows come before the page's first, or up to its end when going back. */
  passed: z.int().min(0),
});
type Cursor = z.output<typeof cursorShape>;

/** How many rows there are; `isMore`: at least so many, the rest was not counted. */
export type Counted = { total: number; isMore?: true };

export type Page<R> = Counted & { rows: R[]; from: number; next: string | null; previous: string | null };

type Wish = {
  /** Plans are kept: for what is asked over and over, whose plan costs about as much as its work. Not with words to look for. */
  isPlannedOnce?: boolean;
  /** A `with` that source and total share, where counting would cost as much again as reading. */
  common?: SQL;
  /** The columns, as `expression as "name"`. */
  fields: SQL;
  /**
   * Tables: what stands after `from`. A source made of several is given the window of the page, so that each of them yields
   * no more rows than the page can show.
   */
  source: SQL | ((window: Window, reading: Reading) => SQL);
  condition: SQL;
  order: Order;
  page: string | undefined;
  limit: number;
  /** A statement of its own, or one that is answered together with the rows. */
  total: (() => Promise<number | Counted>) | SQL;
};

/** What stands at the end of each part of a source, from `where` on: its condition, and what it is sorted by. */
export type Window = (part: { condition: SQL; value: SQL; id: SQL }) => SQL;
/**
 * How the rows of the page are read: a part that holds them in this order already ends after so many. Where rows are read group by
 * group, those of one value after the other, `reached` tells which groups a page has not passed, and `ofGroup` which rows of a group;
 * `least` is the number by which a row has a higher id than the one of this key, `most` that by which it has a lower one.
 */
export type Reading = {
  direction: SQL;
  most: SQL;
  beyond: (value: SQL, id: SQL) => SQL;
  reached: (group: SQL) => SQL;
  ofGroup: (group: SQL, id: SQL, bounds: (key: number) => { above: number; below: number }) => SQL;
};

type Marked<R> = R & { pageValue: string; pageId: number; pageTotal?: number };

/** One page of rows behind or before a cursor; its cost does not grow with how far in it lies. */
export async function findPage<R>(db: Db, wish: Wish): Promise<Page<R>> {
  const { order, limit } = wish;
  const cursor = readCursor(wish.page, order);
  const back = cursor?.back ?? false;
  const down = order.down !== back;
  const direction = down ? sql`desc` : sql`asc`;
  const beyond = (value: SQL, id: SQL): SQL =>
    cursor
      ? sql`(${value}, ${id}) ${down ? sql`<` : sql`>`} (${cursor.value}::${sql.raw(order.type)}, ${cursor.id})`
      : sql`true`;
  const most = atMost(limit + 1);
  const window: Window = ({ condition, value, id }) =>
    sql`where ${condition} and ${beyond(value, id)} order by ${value} ${direction}, ${id} ${direction} limit ${most}`;
  const reading: Reading = { direction, most, beyond, ...groupsOf(cursor, order, down) };
  const source = typeof wish.source === 'function' ? wish.source(window, reading) : wish.source;
  const { common = sql``, total: counted } = wish;
  const together = typeof counted === 'function' ? sql`` : sql`, (${counted}) as "pageTotal"`;
  const statement = sql`
    ${common} select ${wish.fields}, (${order.value})::text as "pageValue", ${order.id} as "pageId" ${together}
    from ${source} where ${wish.condition} and ${beyond(order.value, order.id)}
    order by ${order.value} ${direction}, ${order.id} ${direction} limit ${most}`;
  const [found, total] = await Promise.all([
    rows<Marked<R>>(db, wish.isPlannedOnce ? plannedOnce(statement) : statement),
    typeof counted === 'function' ? counted() : null,
  ]);
  const shown = found.slice(0, limit);
  if (back) shown.reverse();
  const passed = Math.max(0, back ? (cursor?.passed ?? 0) - shown.length : (cursor?.passed ?? 0));
  const all = total ?? found[0]?.pageTotal ?? (cursor ? await alone(db, wish) : 0);
  return {
    ...edges(shown, { order, passed, back, isMore: found.length > limit, isFirst: !cursor }),
    ...(typeof all === 'number' ? { total: all } : all),
  };
}

/** Ids are of the type integer. */
const lowestId = -2_147_483_648;
const highestId = 2_147_483_647;

function groupsOf(cursor: Cursor | null, order: Order, down: boolean): Pick<Reading, 'reached' | 'ofGroup'> {
  if (!cursor) return { reached: () => sql`true`, ofGroup: () => sql`true` };
  const value = sql`${cursor.value}::${sql.raw(order.type)}`;
  const asId = (id: number): number => Math.max(lowestId, Math.min(highestId, id));
  return {
    reached: (group) => sql`${group} ${down ? sql`<=` : sql`>=`} ${value}`,
    ofGroup: (group, id, bounds) => {
      const { above, below } = bounds(cursor.id);
      const bound = (at: number, all: number): SQL =>
        sql`case when ${group} = ${value} then ${asId(at)}::int else ${all}::int end`;
      return down ? sql`${id} < ${bound(below, highestId)}` : sql`${id} > ${bound(above, lowestId)}`;
    },
  };
}

/** The total of a page that has no row to bring it: its rows went since the page before. */
async function alone(db: Db, { common = sql``, total }: Wish): Promise<number> {
  if (typeof total === 'function') return 0;
  const found = await firstRow<{ total: number }>(db, sql`${common} select (${total}) as total`);
  return found?.total ?? 0;
}

type Edge = { order: Order; passed: number; back: boolean; isMore: boolean; isFirst: boolean };

function edges<R>(shown: Marked<R>[], { order, passed, back, isMore, isFirst }: Edge): Omit<Page<R>, keyof Counted> {
  const at = (row: Marked<R> | undefined, goes: 'on' | 'back', count: number): string | null =>
    row
      ? writeCursor({ by: nameOf(order), value: row.pageValue, id: row.pageId, back: goes === 'back', passed: count })
      : null;
  const hasNext = back || isMore;
  const hasPrevious = back ? isMore : !isFirst;
  return {
    rows: shown,
    from: shown.length === 0 ? 0 : passed + 1,
    next: hasNext ? at(shown.at(-1), 'on', passed + shown.length) : null,
    previous: hasPrevious ? at(shown[0], 'back', passed) : null,
  };
}

const nameOf = ({ name, down }: Order): string => (down ? `-${name}` : name);

function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function readCursor(text: string | undefined, order: Order): Cursor | null {
  if (!text) return null;
  const parsed = cursorShape.safeParse(fromJson(Buffer.from(text, 'base64url').toString('utf8')));
  const isOurs = parsed.success && parsed.data.by === nameOf(order) && isOfType(parsed.data.value, order.type);
  if (!isOurs) throw new AppError('invalid-input', unknownPage, { fields: { page: unknownPage } });
  return parsed.data;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not a cursor of ours; the shape says so.
    return null;
  }
}

/** A value that the database would not take is somebody's own making. */
function isOfType(value: string, type: Order['type']): boolean {
  if (type === 'numeric') return /^-?\d{1,40}(\.\d{1,40})?$/.test(value);
  if (type === 'bigint') return /^-?\d{1,18}$/.test(value);
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(value);
  if (type === 'timestamptz')
    return value === '-infinity' || /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?$/.test(value);
  return !value.includes('\u0000');
}
