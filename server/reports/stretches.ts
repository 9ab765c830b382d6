import { type SQL, sql } from 'drizzle-orm';
import { lengthOf } from '../../domain/report.ts';
import { addDays, distanceOfDays } from '../../domain/time.ts';
import { foreignIn } from './foreign.ts';
import type { Wish } from './wish.ts';

/** As the database reckons: rows of several days are counted from this one. */
const epoch = '2000-01-01';

function firstOf(day: string, days: number): string {
  return addDays(epoch, days * Math.floor(distanceOfDays(epoch, day) / days));
}

/** What a day is to a report: no part of it, one to compare with, one of its range, or a later one. */
type Time = 'none' | 'before' | 'range' | 'later';

type Part = { from: string; to: string; as: Time };
/**
 * Rows of so many days, by their first days, that count as one time and, where longer rows took their days along, no longer as another.
 */
export type Piece = Part & { days: number; notAs: Time };

/**
 * A range out of rows of several days, the longest first: a row counts as the longest of the times it lies in, and the days of the
 * others are put right by shorter rows. Each length is a multiple of the next, and the last is one day.
 */
export function piecesOf(wish: Pick<Wish, 'range' | 'before'>, lengths: readonly number[]): readonly Piece[] {
  const { range, before } = wish;
  const key = [range.from, range.to, before.from, before.to, ...lengths].join();
  const made = known.get(key) ?? cutUp(wish, lengths);
  if (known.size >= mostKnown) known.clear();
  known.set(key, made);
  return made;
}

/** Everybody asks for the same few ranges, and cutting one up takes as long as asking the database. */
const known = new Map<string, readonly Piece[]>();
const mostKnown = 50;

function cutUp({ range, before }: Pick<Wish, 'range' | 'before'>, lengths: readonly number[]): Piece[] {
  const longest = lengths[0] ?? 1;
  const after = addDays(range.to, 1);
  const times: Part[] = [
    { from: before.from, to: before.to, as: 'before' },
    { ...range, as: 'range' },
    { from: after, to: 'infinity', as: 'later' },
  ];
  const pieces: Piece[] = [];
  const begin = firstOf(before.from, longest);
  const later = addDays(firstOf(after, longest), longest);
  cover({ from: begin, to: addDays(later, -1), times, lengths, as: 'none' }, pieces);
  pieces.push({ days: longest, from: later, to: 'infinity', as: 'later', notAs: 'none' });
  return pieces.sort((a, b) => b.days - a.days);
}

type Cover = { from: string; to: string; times: readonly Part[]; lengths: readonly number[]; as: Time };

/** Counts each row of the days, which longer rows count as one time, as its own, and what it has too much by shorter ones. */
function cover({ from, to, times, lengths: [days, ...shorter], as: taken }: Cover, pieces: Piece[]): void {
  if (days === undefined) return;
  for (let first = from; first <= to; first = addDays(first, days)) {
    const end = addDays(first, days - 1);
    const parts = partsOf({ from: first, to: end }, times);
    const as = longestOf(parts);
    if (as !== taken) add(pieces, { days, from: first, to: first, as, notAs: taken });
    if (parts.length > 1) cover({ from: first, to: end, times, lengths: shorter, as }, pieces);
  }
}

/** Rows that follow one another and count alike are read at once. */
function add(pieces: Piece[], piece: Piece): void {
  const last = pieces.findLast(({ days }) => days === piece.days);
  const follows = last && addDays(last.to, piece.days) === piece.from;
  if (follows && last.as === piece.as && last.notAs === piece.notAs) last.to = piece.from;
  else pieces.push(piece);
}

function partsOf({ from, to }: { from: string; to: string }, times: readonly Part[]): Part[] {
  const first = times[0]?.from ?? to;
  const early: Part[] =
    from < first ? [{ from, to: addDays(first, -1) < to ? addDays(first, -1) : to, as: 'none' }] : [];
  const others = times
    .filter((time) => time.from <= to && time.to >= from)
    .map((time) => ({ ...time, from: time.from < from ? from : time.from, to: time.to > to ? to : time.to }));
  return [...early, ...others];
}

/** Days to come have no rows: mostly a range ends today. */
function longestOf(parts: readonly Part[]): Time {
  const known = parts.some(({ as }) => as === 'range') ? parts.filter(({ as }) => as !== 'later') : parts;
  const [longest] = [...known].sort((a, b) => lengthOf(b) - lengthOf(a));
  return longest?.as ?? 'none';
}

type Sign = -1 | 0 | 1;

function signOf({ as, notAs }: Piece, time: Time): Sign {
  if (as === time) return 1;
  return notAs === time ? -1 : 0;
}

function signed(sign: Sign, value: SQL, nothing = sql`0`): SQL {
  if (sign === 0) return nothing;
  return sign === 1 ? value : sql`-${value}`;
}

/** What is summed: units, money of the range and of the time before, what the goods cost, and how long items stood empty. */
export type Figure = 'units' | 'amount' | 'before' | 'cost' | 'empty';

/** Rows of so many days, each with its `firstDay`. */
export type Rows = { days: number; table: SQL; firstDay: SQL };

/** Kept sums from the longest to the days, what tells them apart, and what is wanted of them. */
type Sums = { rows: readonly Rows[]; columns: SQL; condition: SQL; figures: readonly Figure[] };

/** What a row adds to each sum. How long items stood empty is told as in `rangeSums`, for all days of a stretch at once. */
function figuresOf(piece: Piece, { range }: Pick<Wish, 'range'>): Record<Figure, SQL> {
  const [inRange, earlier, later] = [signOf(piece, 'range'), signOf(piece, 'before'), signOf(piece, 'later')];
  const filledOn = piece.days === 1 ? sql`(d.filled - d.emptied)::bigint * (d.day - ${epoch}::date)` : sql`d.filled_on`;
  const start = distanceOfDays(epoch, range.from);
  const emptyInRange = sql`(d.empty_seconds
    + 86400 * (${filledOn} + d.emptied * ${start - 1}::bigint - d.filled * ${start}::bigint))`;
  const emptyBecauseOfLater = sql`(86400 * ${lengthOf(range)}::bigint * (d.filled - d.emptied))`;
  const money = (sign: Sign, value: SQL): SQL => signed(sign, value, sql`null::numeric`);
  return {
    units: sql`${signed(inRange, sql`d.units`)} as units`,
    amount: sql`${money(inRange, sql`d.amount`)} as amount`,
    before: sql`${money(earlier, sql`d.amount`)} as before`,
    cost: sql`${money(inRange, sql`d.cost`)} as cost, ${money(inRange, sql`d.costed`)} as costed`,
    empty: sql`(${signed(inRange, emptyInRange)} + ${signed(later, emptyBecauseOfLater)})::float8 as empty`,
  };
}

const told: Record<Figure, readonly Time[]> = {
  units: ['range'],
  amount: ['range'],
  before: ['before'],
  cost: ['range'],
  empty: ['range', 'later'],
};

/** What each row of sums adds, one below the other: of the range and the time before it, and what is so now. */
export function addends(wish: Wish, { rows, columns, condition, figures }: Sums): SQL {
  const times = new Set(figures.flatMap((figure) => told[figure]));
  const days = rows.at(-1)?.table ?? sql``;
  const parts = piecesOf(
    wish,
    rows.map((one) => one.days),
  )
    .filter(({ as, notAs }) => times.has(as) || times.has(notAs))
    .map((piece) => {
      const from = rows.find((one) => one.days === piece.days);
      const values = figuresOf(piece, wish);
      return sql`select ${list([columns, ...figures.map((figure) => values[figure]), sql`0 as items`])}
        from ${from?.table} d
        where ${from?.firstDay} between ${piece.from}::date and ${piece.to}::date and ${condition} union all`;
    });
  const foreign = figures.includes('cost')
    ? sql`select ${list([columns, ...figures.map((figure) => ofForeign[figure]), sql`0 as items`])}
          from ${foreignIn({ ...wish, route: null })} and d.location_id is not null and ${condition} union all`
    : sql``;
  return sql`
    ${sql.join(parts, sql` `)} ${foreign}
    select ${list([columns, ...figures.map((figure) => now(figure, wish)), sql`d.items`])}
    from ${days} d where d.day = '-infinity' and ${condition}`;
}

/** What units in another currency add: what they cost is no part of a margin. */
const ofForeign: Record<Figure, SQL> = {
  units: sql`0 as units`,
  amount: sql`null::numeric as amount`,
  before: sql`null::numeric as before`,
  cost: sql`-d.cost as cost, null::numeric as costed`,
  empty: sql`0::float8 as empty`,
};

const list = (values: readonly SQL[]): SQL => sql.join([...values], sql`, `);

/** What the row of the day `-infinity` adds: items that are empty now were so, but for what later rows tell. */
function now(figure: Figure, { range }: Wish): SQL {
  if (figure === 'empty') return sql`86400::float8 * ${lengthOf(range)}::int * d.empty_now as empty`;
  if (figure === 'units') return sql`0 as units`;
  if (figure === 'cost') return sql`null::numeric as cost, null::numeric as costed`;
  return sql`null::numeric as ${sql.raw(figure)}`;
}
