import { accessWindows, type Window } from './access-hours.ts';
import { addDays, instantIn } from './time.ts';

/** When a door is open: from and to in milliseconds since 1970, in their order. */
export type Opening = readonly [fromMs: number, toMs: number];

type Day = {
  timeZone: string;
  /** The calendar day that the driver leaves on. */
  day: string;
  /** Openings that begin at this minute after the day's midnight, or later, are not waited for. */
  untilMin: number;
};

const dayMin = 24 * 60;

/**
 * Openings of a location that a driver who leaves on a day can meet: those of the day, what is still open from the day
 * before, and of the next day what begins in time. Null where nothing is known: any time. Empty: closed all day.
 */
export function openingsOn(accessHours: string | null, { timeZone, day, untilMin }: Day): Opening[] | null {
  const at = (minutes: number): number => instantIn(timeZone, day, minutes).getTime();
  return (
    windowsMet(accessHours, day, untilMin)?.map(({ fromMin, toMin }) => [at(Math.max(0, fromMin)), at(toMin)]) ?? null
  );
}

/** True for a location that a driver who leaves on a day finds closed until their work ends; where nothing is known, none is. */
export function isClosedOn(accessHours: string | null, { day, untilMin }: Omit<Day, 'timeZone'>): boolean {
  return windowsMet(accessHours, day, untilMin)?.length === 0;
}

/** In minutes after the day's midnight. */
function windowsMet(accessHours: string | null, day: string, untilMin: number): Window[] | null {
  if (accessHours === null) return null;
  const days = [-1, 0, 1].map((distance) => {
    const windows = accessWindows(accessHours, weekdayOf(addDays(day, distance)));
    return windows?.map(({ fromMin, toMin }) => ({
      fromMin: fromMin + distance * dayMin,
      toMin: toMin + distance * dayMin,
    }));
  });
  if (days.some((windows) => windows === undefined)) return null;
  return joined(days.flatMap((windows) => windows ?? [])).filter(
    ({ fromMin, toMin }) => toMin > 0 && fromMin < untilMin,
  );
}

/** 0 = Monday. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/** Windows that touch or overlap as one: a door open all night is one window. */
function joined(windows: readonly Window[]): Window[] {
  const kept: Window[] = [];
  for (const window of windows.toSorted((a, b) => a.fromMin - b.fromMin)) {
    const last = kept.at(-1);
    if (last && window.fromMin <= last.toMin) last.toMin = Math.max(last.toMin, window.toMin);
    else kept.push({ ...window });
  }
  return kept;
}

/** When work can begin after an arrival, how late that is after the last closing, and the opening it was reckoned with. */
export type Entry = { begin: number; late: number; opening: Opening | null };

/** What an arrival meets: an open door, a wait for it to open, or one that stays closed. All in one unit of time. */
export function entryAt(openings: readonly Opening[] | null, arrival: number): Entry {
  if (openings === null) return { begin: arrival, late: 0, opening: null };
  const open = openings.find(([, to]) => arrival <= to);
  if (open) return { begin: Math.max(arrival, open[0]), late: 0, opening: open };
  const last = openings.at(-1) ?? null;
  return { begin: arrival, late: last ? arrival - last[1] : 0, opening: last };
}
