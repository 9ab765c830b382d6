import { instantIn } from '../../../domain/time.ts';

/** A moment as written: a day, the time of day if there was one, and the offset from UTC if it was said. */
export type Written = { day: string; msOfDay: number | null; offsetMin: number | null };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const time = String.raw`(?:[T ,]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?\s*(?<half>[AP]M)?\s*(?<zone>Z|[+-]\d{2}:?\d{2})?)?`;

/** Year first; month / day / year as written in the US; day.month.year; 'Saturday, January 1, 2022'; '1 Jan 2022'. */
const shapes = [
  String.raw`(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<dayOfMonth>\d{1,2})`,
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<dayOfMonth>\d{2})`,
  String.raw`(?<month>\d{1,2})/(?<dayOfMonth>\d{1,2})/(?<year>\d{4}|\d{2})`,
  String.raw`(?<dayOfMonth>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})`,
  String.raw`(?:[a-z]+,?\s+)?(?<monthName>[a-z]{3,9})\.?\s+(?<dayOfMonth>\d{1,2}),?\s+(?<year>\d{4})`,
  String.raw`(?<dayOfMonth>\d{1,2})[ -](?<monthName>[a-z]{3,9})[ -](?<year>\d{4})`,
].map((date) => new RegExp(`^${date}${time}$`, 'i'));

type Parts = Record<string, string | undefined>;

/** Reads a date, with or without a time; null for what is none or does not exist. */
export function readWritten(cell: string): Written | null {
  for (const shape of shapes) {
    const parts = shape.exec(cell)?.groups;
    if (parts) return written(parts);
  }
  return null;
}

function written(parts: Parts): Written | null {
  const month = parts.monthName ? months.indexOf(parts.monthName.slice(0, 3).toLowerCase()) + 1 : Number(parts.month);
  const year = Number(parts.year) + (parts.year?.length === 2 ? 2000 : 0);
  const date = new Date(Date.UTC(year, month - 1, Number(parts.dayOfMonth)));
  const exists = month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(parts.dayOfMonth);
  const msOfDay = parts.hour === undefined ? null : timeOf(parts);
  if (!exists || Number.isNaN(msOfDay)) return null;
  return { day: date.toISOString().slice(0, 10), msOfDay, offsetMin: offsetOf(parts.zone) };
}

function timeOf({ hour = '0', minute = '0', second = '0', fraction = '', half }: Parts): number {
  const isAfternoon = half?.toUpperCase() === 'PM';
  const hours = half ? (Number(hour) % 12) + (isAfternoon ? 12 : 0) : Number(hour);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  return ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000 + ms;
}

function offsetOf(zone: string | undefined): number | null {
  if (!zone) return null;
  if (zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}

const hourMs = 3_600_000;
/** A day without a time counts as its noon: the same calendar day wherever the operator's clock stands. */
const noonMs = 12 * hourMs;

/** Turns what was written into instants on the operator's clock; hours are remembered, as asking for a zone is slow. */
export function instantReader(timeZone: string): (written: Written) => Date {
  const hours = new Map<string, number>();
  return ({ day, msOfDay, offsetMin }) => {
    const ms = msOfDay ?? noonMs;
    if (offsetMin !== null) return new Date(Date.parse(`${day}T00:00:00Z`) + ms - offsetMin * 60_000);
    const hour = Math.floor(ms / hourMs);
    const key = `${day} ${hour}`;
    const known = hours.get(key) ?? instantIn(timeZone, day, hour * 60).getTime();
    hours.set(key, known);
    return new Date(known + (ms % hourMs));
  };
}
