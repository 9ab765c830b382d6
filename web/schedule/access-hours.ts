import { type AccessDays, accessWeek, type Window } from '../../domain/access-hours.ts';
import { weekdayOf } from '../../domain/time.ts';

const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const dayMin = 24 * 60;

/**
 * When a place can be entered, the day of the stop first and then the week: 'Today 6:00 AM-2:00 PM. Mon-Fri 6:00 AM-2:00 PM,
 * Sat-Sun closed'. What cannot be read stands as it was typed.
 */
export function accessText(typed: string, { day, isToday }: { day: string; isToday: boolean }): string {
  const week = accessWeek(typed);
  if (!week) return typed;
  const weekday = weekdayOf(day);
  const now = week.find(({ from, to }) => from <= weekday && weekday <= to);
  const isAlike = week.length === 1;
  const one = isToday ? 'today' : `on ${names[weekday]}`;
  const of = isAlike ? 'every day' : one;
  const first = now?.windows.length ? `Open ${of} ${hoursText(now.windows)}` : `Closed ${of}`;
  return isAlike ? first : `${first}. ${week.map(daysText).join(', ')}`;
}

function daysText({ from, to, windows }: AccessDays): string {
  const days = from === to ? names[from] : `${names[from]}-${names[to]}`;
  return `${days} ${windows.length === 0 ? 'closed' : hoursText(windows)}`;
}

function hoursText(windows: readonly Window[]): string {
  return windows
    .map(({ fromMin, toMin }) => (toMin - fromMin === dayMin ? 'all day' : `${clock(fromMin)}-${clock(toMin)}`))
    .join(' and ');
}

/** `h:mm a`; past midnight it is the next morning. */
function clock(minutes: number): string {
  const hours = Math.floor(minutes / 60) % 24;
  const rest = String(minutes % 60).padStart(2, '0');
  return `${hours % 12 || 12}:${rest} ${hours < 12 ? 'AM' : 'PM'}`;
}
