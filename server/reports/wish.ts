import { type SQL, sql } from 'drizzle-orm';
import { type DayRange, lengthOf } from '../../domain/report.ts';

/** What is counted: these days, and one route designation or all. */
export type Wish = { range: DayRange; before: DayRange; route: string | null };

/** Sales that belong to no slot or item: one row more, so that the rows add up to the total. */
export type Rest = { units: number; amount: string; amountBefore: string };

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

/** True where the books begin in the range or before it: of the time before them nothing is known. */
export const booksBegun = ({ to }: DayRange): SQL => sql`(select min(b.day) from item_days b) <= ${to}::date`;

/** Share of the range that all of `places` stood empty, from the seconds that each of them did. */
export const emptyShare = (wish: Wish, empty: SQL, places: SQL): SQL =>
  sql`case when ${booksBegun(wish.range)}
        then (${empty} / nullif(${places} * ${86_400 * lengthOf(wish.range)}::float8, 0))::float8 end`;
