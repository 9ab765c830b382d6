import { addDays, distanceOfDays } from './time.ts';

/** Spans that a report is asked for by name, in days up to and with today. */
export const reportDays = { week: 7, month: 30, quarter: 90 } as const;
export type ReportSpan = keyof typeof reportDays;

/** What sales are grouped by. */
export const salesGroups = ['product', 'category', 'route', 'location', 'machine'] as const;
export type SalesGroup = (typeof salesGroups)[number];

/** Longest span that is answered. */
export const maxReportDays = 366;

/** Calendar days of the operator, both included. */
export type DayRange = { from: string; to: string };

/** The days of a named span that ends today. */
export function spanUpTo(span: ReportSpan, today: string): DayRange {
  return { from: addDays(today, 1 - reportDays[span]), to: today };
}

/** Days in a range. */
export function lengthOf({ from, to }: DayRange): number {
  return distanceOfDays(from, to) + 1;
}

/** As many days just before: what a range is compared with. */
export function rangeBefore(range: DayRange): DayRange {
  return { from: addDays(range.from, -lengthOf(range)), to: addDays(range.from, -1) };
}

/** Why a range cannot be answered; null: it can. */
export function refusedRange({ from, to }: DayRange): string | null {
  if (to < from) return 'The last day is before the first. Choose a later one.';
  if (lengthOf({ from, to }) > maxReportDays) return `Choose at most ${maxReportDays} days.`;
  return null;
}

/** Change against the time before as a share, e.g. 0.25 for a quarter more; null when there is nothing to compare with. */
export function changeSince(before: number, now: number): number | null {
  return before === 0 ? null : (now - before) / Math.abs(before);
}
