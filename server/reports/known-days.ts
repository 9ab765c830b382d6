import type { DayRange } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { findDayMarks, findRouteDays, type RouteDay } from './route-queries.ts';

/** What the routes of days came to when they were read last, each with its mark: see `findDayMarks`. */
export type KnownDays = Map<string, { mark: string; sums: RouteDay }>;

/** A year, the year before it, and some that were asked for besides. */
const mostDays = 1_000;

/** What the routes of each day come to. Of a quarter of a large operator that is a hundred thousand stops, and few days of it ever change again. */
export async function daysOfRange(db: Db, range: DayRange, known: KnownDays): Promise<RouteDay[]> {
  const days = (await findDayMarks(db, range)).map(({ day, mark }) => {
    const last = known.get(day);
    return { day, mark, sums: last?.mark === mark ? last.sums : null };
  });
  const changed = days.flatMap(({ day, sums }) => (sums ? [] : [day]));
  const read = changed.length === 0 ? [] : await findRouteDays(db, { days: changed });
  const fresh = new Map(read.map((sums) => [sums.day, sums]));
  if (known.size > mostDays) known.clear();
  return days.flatMap(({ day, mark, ...last }) => {
    const sums = last.sums ?? fresh.get(day);
    if (!sums) return [];
    known.set(day, { mark, sums });
    return [sums];
  });
}
