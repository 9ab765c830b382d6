import { addDays, instantIn } from '../domain/time.ts';

/** Where the synthetic operator is. */
export const timeZone = 'America/New_York';

/** One calendar day of the operator. */
export type Day = {
  day: string;
  /** Days since 2018-01-01, a Monday. */
  number: number;
  startMs: number;
  endMs: number;
  /** 0 Monday to 6 Sunday. */
  weekday: number;
  /** 0 January to 11 December. */
  month: number;
};

const dayMs = 86_400_000;
const epochMs = Date.UTC(2018, 0, 1);

/** Reading a time zone takes milliseconds, and the same few hundred days are asked for again and again. */
const known = new Map<string, Day>();

export function dayOf(day: string): Day {
  const found = known.get(day) ?? readDay(day);
  known.set(day, found);
  return found;
}

function readDay(day: string): Day {
  const utcMs = Date.parse(`${day}T00:00:00Z`);
  const number = Math.round((utcMs - epochMs) / dayMs);
  return {
    day,
    number,
    startMs: instantIn(timeZone, day, 0).getTime(),
    endMs: instantIn(timeZone, addDays(day, 1), 0).getTime(),
    weekday: ((number % 7) + 7) % 7,
    month: new Date(utcMs).getUTCMonth(),
  };
}

/** The days from one to another, both included. */
export function daysBetween(from: string, to: string): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(dayOf(day));
  return days;
}

export function isWorkday(day: Day): boolean {
  return day.weekday < 5;
}

/** Working days since the epoch; on a weekend the number of the Monday to come. */
export function workdayNumber(day: Day): number {
  return Math.floor(day.number / 7) * 5 + Math.min(day.weekday, 5);
}
