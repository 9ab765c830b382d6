import type { Counter, Pair } from './reading.ts';
import type { Segment } from './segments.ts';

/** Element n of the standard, counted from 1, blanks around it removed; empty where it was left out. */
export const text = (segment: Segment | undefined, n: number): string => segment?.elements[n - 1]?.trim() ?? '';

/** A whole number; null where the element is empty, no number, or longer than any counter. */
export function counter(segment: Segment | undefined, n: number): Counter {
  const told = text(segment, n);
  return /^-?\d{1,12}$/.test(told) ? Number(told) : null;
}

/** Every element of a segment as a counter, in their order. */
export const counters = (segment: Segment): Counter[] => segment.elements.map((_, at) => counter(segment, at + 1));

/** Money first: VA, CA, DA, DB. */
export const valueFirst = (segment: Segment, at = 1): Pair => ({
  value: counter(segment, at),
  vends: counter(segment, at + 1),
  valueSinceReset: counter(segment, at + 2),
  vendsSinceReset: counter(segment, at + 3),
});

/** Number first: PA2 to PA4, PA7. */
export const vendsFirst = (segment: Segment, at = 1): Pair => ({
  vends: counter(segment, at),
  value: counter(segment, at + 1),
  vendsSinceReset: counter(segment, at + 2),
  valueSinceReset: counter(segment, at + 3),
});

/** Date `yyMMdd` or `yyyyMMdd` and time `HHmm` or `HHmmss` as local text; null for what is no date, or before 2001. */
export function machineTime(date: string, time: string): string | null {
  const day = /^(\d{2}|\d{4})(\d{2})(\d{2})$/.exec(date);
  if (!day) return null;
  const [, year = '', month = '', dayOfMonth = ''] = day;
  const fullYear = year.length === 2 ? `20${year}` : year;
  const at = new Date(Date.UTC(Number(fullYear), Number(month) - 1, Number(dayOfMonth)));
  const exists = at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(dayOfMonth);
  // Clocks that were never set say 2000.
  if (!exists || Number(fullYear) < 2001) return null;
  const clock = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?$/.exec(time);
  const [, hour = '00', minute = '00', second = '00'] = clock ?? [];
  return `${fullYear}-${month}-${dayOfMonth}T${hour}:${minute}:${second}`;
}

/** As UTF-8 where the bytes are that, else one letter a byte. */
function decodeBytes(bytes: readonly number[]): string {
  try {
    return decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return String.fromCharCode(...bytes);
  }
}

/** A name for people: padding and control characters removed, runs of `^XX` read as the bytes they stand for. */
export function plainName(told: string): string {
  const decoded = told.replaceAll(/(?:\^[0-9A-Fa-f]{2}){1,200}/g, (run) =>
    decodeBytes(Array.from(run.matchAll(/[0-9A-Fa-f]{2}/g), ([digits]) => Number.parseInt(digits, 16))),
  );
  const visible = Array.from(decoded, (char) => (char < ' ' || (char >= '\u007f' && char < '\u00a0') ? ' ' : char));
  return visible.join('').trim().slice(0, 100);
}
