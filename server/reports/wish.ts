import { type SQL, sql } from 'drizzle-orm';
import { type DayRange, lengthOf } from '../../domain/report.ts';

/** What is counted: these days, and one route designation or all. */
export type Wish = { range: DayRange; before: DayRange; route: string | null };

/**
 * Sales of which only the sum of all routes is known: they went into files before their places were told. One row more, so that the rows
 * add up to the total.
 */
export type Rest = { units: number; amount: string; amountBefore: string };

export const restLine = { key: 'unplaced', label: 'Place and product unknown' };

export type PageWish = { sort: string; search?: string | undefined; page?: string | undefined; limit: number };

export type TradeRow = {
  key: string;
  label: string;
  locationType: 'market' | 'vending_machine' | null;
  locationId: number | null;
  units: number;
  amount: string;
  amountBefore: string;
  margin: string;
  costedAmount: string;
  soldOutShare: number | null;
};

/**
 * True where the books begin in the range or before it: of the time before them nothing is known, but for what was sold in no slot.
 * Looked for from the end, where they mostly are.
 */
export const booksBegun = ({ to }: DayRange): SQL => sql`
  (select true from item_days b where b.day <= ${to}::date and b.item_type <> 'slotless' order by b.day desc limit 1)`;

/** Share of the range that all of `places` stood empty, from the seconds that each of them did. */
export const emptyShare = (wish: Wish, empty: SQL, places: SQL): SQL =>
  sql`case when ${booksBegun(wish.range)}
        then (${empty} / nullif(${places} * ${86_400 * lengthOf(wish.range)}::float8, 0))::float8 end`;
