import { isDay } from '../../domain/calendar-day.ts';
import { instantIn } from '../../domain/time.ts';

/**
 * An instant as senders write it: a T or a blank between day and time, up to seven digits of a second, the offset with or
 * without a blank before it. One without an offset is in `timeZone`. Null for what is no time.
 */
export function readInstant(told: string | undefined, timeZone: string): Date | null {
  const found =
    /^\s*(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?\s*$/i.exec(
      told ?? '',
    );
  if (!found) return null;
  const [, day = '', hour = '', minute = '', second = '00', fraction = '', offset] = found;
  if (!isDay(day)) return null;
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  const clock = `${hour}:${minute}:${second}.${milliseconds}`;
  if (offset) {
    const zone = /^z$/i.test(offset) ? 'Z' : offset.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2');
    return existing(new Date(`${day}T${clock}${zone}`));
  }
  if (!existing(new Date(`${day}T${clock}Z`))) return null;
  const begun = instantIn(timeZone, day, Number(hour) * 60 + Number(minute));
  return new Date(begun.getTime() + Number(second) * 1000 + Number(milliseconds));
}

const existing = (at: Date): Date | null => (Number.isNaN(at.getTime()) ? null : at);
