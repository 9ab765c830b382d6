import { type SQL, sql } from 'drizzle-orm';
import { lengthOf } from '../../domain/report.ts';
import { addDays, distanceOfDays } from '../../domain/time.ts';
import type { Wish } from './wish.ts';

/** As `stretch_of` in the database reckons: days are counted from this one. */
const epoch = '2000-01-01';
const stretchDays = 16;

function stretchOf(day: string): string {
  return addDays(epoch, stretchDays * Math.floor(distanceOfDays(epoch, day) / stretchDays));
}

/** What a day is to a report: no part of it, one to compare with, one of its range, or a later one. */
type Time = 'none' | 'before' | 'range' | 'later';

type Part = { from: string; to: string; as: Time };
/** Rows of one table that count as one time and, where a stretch took their days along, no longer as another. */
export type Piece = Part & { of: 'stretches' | 'days'; notAs: Time };

/**
 * Whole stretches, and single days where a time begins inside of one: it counts as the longest of its parts, and the days of the
 * others are put right.
 */
export function piecesOf({ range, before }: Pick<Wish, 'range' | 'before'>): Piece[] {
  const after = addDays(range.to, 1);
  const begins: Part[] = [
    { from: before.from, to: before.to, as: 'before' },
    { ...range, as: 'range' },
    { from: after, to: 'infinity', as: 'later' },
  ];
  const stretches: Piece[] = [];
  const days: Piece[] = [];
  for (let first = stretchOf(before.from); first <= after; first = addDays(first, stretchDays)) {
    const parts = partsOf({ from: first, to: addDays(first, stretchDays - 1) }, begins);
    const as = longestOf(parts);
    const last = stretches.at(-1);
    if (last?.as === as) last.to = first;
    else stretches.push({ of: 'stretches', from: first, to: first, as, notAs: 'none' });
    for (const part of parts) if (part.as !== as) days.push({ ...part, of: 'days', notAs: as });
  }
  const later = addDays(stretchOf(after), stretchDays);
  stretches.push({ of: 'stretches', from: later, to: 'infinity', as: 'later', notAs: 'none' });
  return [...stretches.filter((piece) => piece.as !== 'none'), ...days];
}

function partsOf({ from, to }: { from: string; to: string }, begins: readonly Part[]): Part[] {
  const first = begins[0]?.from ?? to;
  const early: Part[] = from < first ? [{ from, to: addDays(first, -1), as: 'none' }] : [];
  const others = begins
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

/** A table of sums by day and one of them by stretch, and what tells their sums apart. */
type Sums = { days: SQL; stretches: SQL; columns: SQL; priced: boolean; condition: SQL };

/** What a row adds to each sum. How long items stood empty is told as in `rangeSums`, for all days of a stretch at once. */
function partOf(
  piece: Piece,
  { range }: Pick<Wish, 'range'>,
  { days, stretches, columns, priced, condition }: Sums,
): SQL {
  const [inRange, earlier, later] = [signOf(piece, 'range'), signOf(piece, 'before'), signOf(piece, 'later')];
  const isDay = piece.of === 'days';
  const filledOn = isDay ? sql`(d.filled - d.emptied)::bigint * (d.day - ${epoch}::date)` : sql`d.filled_on`;
  const start = distanceOfDays(epoch, range.from);
  const emptyInRange = sql`(d.empty_seconds
    + 86400 * (${filledOn} + d.emptied * ${start - 1}::bigint - d.filled * ${start}::bigint))`;
  const emptyBecauseOfLater = sql`(86400 * ${lengthOf(range)}::bigint * (d.filled - d.emptied))`;
  const money = (sign: Sign, value: SQL): SQL => signed(sign, value, sql`null::numeric`);
  const prices = priced
    ? sql`${money(inRange, sql`d.cost`)} as cost, ${money(inRange, sql`d.costed`)} as costed,`
    : sql``;
  return sql`
    select ${columns}, ${signed(inRange, sql`d.units`)} as units, ${money(inRange, sql`d.amount`)} as amount,
           ${money(earlier, sql`d.amount`)} as before, ${prices} 0 as items,
           (${signed(inRange, emptyInRange)} + ${signed(later, emptyBecauseOfLater)})::float8 as empty
    from ${isDay ? days : stretches} d
    where ${isDay ? sql`d.day` : sql`d.first_day`} between ${piece.from}::date and ${piece.to}::date and ${condition}`;
}

/** What each row of sums adds, one below the other: of the range and the time before it, and what is so now. */
export function addends(wish: Wish, sums: Sums): SQL {
  const { days, columns, priced, condition } = sums;
  const parts = piecesOf(wish).map((piece) => sql`${partOf(piece, wish, sums)} union all`);
  return sql`
    ${sql.join(parts, sql` `)}
    select ${columns}, 0, null, null, ${priced ? sql`null, null,` : sql``} d.items,
           86400::float8 * ${lengthOf(wish.range)}::int * d.empty_now
    from ${days} d where d.day = '-infinity' and ${condition}`;
}
