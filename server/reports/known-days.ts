import type { DayRange } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { findDayMarks, findRouteDays, type RouteDay } from './route-queries.ts';

/** What the routes of days came to when they were read last, each with its mark: see `findDayMarks`. */
export type KnownDays = Map<string, { mark: string; sums: RouteDay }>;

/** A year, the year before it, and some that were asked for besides. */
const mostDays = 1_000;

/** What the routes of each day come to. Of a quarter of a large operator that is a hundred thousand stops, and few days of it ever change again. */
export async function daysOfRange(db: Db, range: DayRange, known: KnownDays): Promise<RouteDay[]> {
  const marks = await findDayMarks(db, range);
  const changed = marks.filter(({ day, mark }) => known.get(day)?.mark !== mark).map(({ day }) => day);
  const fresh = changed.length === 0 ? [] : await findRouteDays(db, { days: changed });
  const read = new Map(fresh.map((sums) => [sums.day, sums]));
  const found = marks.flatMap(({ day, mark }) => {
    const sums = read.get(day) ?? known.get(day)?.sums;
    return sums ? [{ mark, sums }] : [];
  });
  if (known.size > mostDays) known.clear();
  for (const one of found) known.set(one.sums.day, one);
  return found.map(({ sums }) => sums);
}
