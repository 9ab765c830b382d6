import { isTimeZone } from '../../domain/time.ts';
import type { VendorContext } from '../connector.ts';

/** A wall-clock time as a report writes it: no zone. `text` is how it stood there. */
export type LocalTime = { day: string; seconds: number; text: string };

const shape =
  /^(?<month>\d{1,2})\/(?<date>\d{1,2})\/(?<year>\d{4})(?:[ ,T]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?\s*(?<half>[AP]M)?)?$/i;

/** `11/21/2026 02:05:09 AM` and `11/21/2026 14:05:09`; a day alone counts as its noon. Null for what is none. */
export function readLocalTime(text: string): LocalTime | null {
  const groups = shape.exec(text.trim())?.groups;
  if (!groups) return null;
  const [year, month, date] = [Number(groups.year), Number(groups.month), Number(groups.date)];
  const day = new Date(Date.UTC(year, month - 1, date));
  if (day.getUTCMonth() !== month - 1 || day.getUTCDate() !== date) return null;
  const seconds = groups.hour === undefined ? 43_200 : secondsOf(groups);
  return seconds === null ? null : { day: day.toISOString().slice(0, 10), seconds, text: text.trim() };
}

function secondsOf(groups: Record<string, string | undefined>): number | null {
  const isAfternoon = groups.half?.toUpperCase() === 'PM';
  const given = Number(groups.hour);
  if (groups.half && (given < 1 || given > 12)) return null;
  const hour = groups.half ? (given % 12) + (isAfternoon ? 12 : 0) : given;
  const [minute, second] = [Number(groups.minute), Number(groups.second ?? '0')];
  return hour > 23 || minute > 59 || second > 59 ? null : (hour * 60 + minute) * 60 + second;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The zone of the devices: that of the settings where it is one, else the operator's. */
export function zoneOf({ settings, timeZone }: Pick<VendorContext, 'settings' | 'timeZone'>): string {
  const zone = settings.timeZone;
  return typeof zone === 'string' && zone !== '' && isTimeZone(zone) ? zone : timeZone;
}

/** Offsets of a zone from UTC, remembered by hour: asking for a zone is slow. */
export function zoneClock(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' },
    ...{ minute: 'numeric', second: 'numeric' },
  });
  const known = new Map<number, number>();
  return (at) => {
    const hour = Math.floor(at / (hourMs / 4));
    const before = known.get(hour);
    if (before !== undefined) return before;
    const part = Object.fromEntries(format.formatToParts(new Date(at)).map((one) => [one.type, Number(one.value)]));
    const { year = 0, month = 1, day = 1, hour: h = 0, minute = 0, second = 0 } = part;
    const offset = Date.UTC(year, month - 1, day, h, minute, second) - Math.floor(at / 1000) * 1000;
    known.set(hour, offset);
    return offset;
  };
}

/**
 * The instants a wall-clock time may mean, earliest first: two within the hour that daylight saving repeats, else one. A
 * time that is skipped moves forward by the hour.
 */
export function instantsOf(clock: (at: number) => number, { day, seconds }: LocalTime): number[] {
  const wall = Date.parse(`${day}T00:00:00Z`) + seconds * 1000;
  const offsets = [...new Set([clock(wall - dayMs), clock(wall + dayMs)])];
  const valid = offsets.map((offset) => wall - offset).filter((at) => clock(at) === wall - at);
  if (valid.length) return valid.sort((a, b) => a - b);
  return [wall - (offsets[0] ?? 0)];
}

/**
 * Places local times of one device into UTC, in the order of the file. Within the repeated hour a time belongs to the first
 * pass until the file has gone on: a time lower than one before it there means that the clock was put back between them.
 * `falling` is true for files that begin with the newest.
 */
export function inFileOrder(clock: (at: number) => number, times: readonly LocalTime[], falling: boolean): Date[] {
  const order = falling ? [...times.keys()].reverse() : [...times.keys()];
  const placed = new Array<Date>(times.length);
  let before = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    const time = times[index];
    if (!time) continue;
    const [first = 0, second = first] = instantsOf(clock, time);
    const at = first < before && second >= before ? second : first;
    placed[index] = new Date(at);
    before = Math.max(before, at);
  }
  return placed;
}
