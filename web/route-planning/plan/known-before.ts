import { isClosedOn } from '../../../domain/openings.ts';
import { endsNextDay, minutesOf } from '../../day-plans/crews.ts';
import { formatDay, formatNumber } from '../../http/format.ts';
import { operatorRules } from '../../http/operator-rules.ts';
import type { Candidate } from '../places/locations.ts';
import { ofThatName, someOf } from './some-of-many.ts';

const dayMin = 24 * 60;

/** What is known of a selection before it is planned, as sentences: which of its doors stay shut on the day. */
export function knownBefore(chosen: readonly Candidate[], day: string): string[] {
  const untilMin = workEndMin();
  const closed = chosen.filter(({ accessHours }) => isClosedOn(accessHours, { day, untilMin }));
  return someOf(
    closed.map(({ name, accessHours }) => `${name} is closed on ${formatDay(day)} (${accessHours}).`),
    {
      alike: (more) => `So ${more === 1 ? 'is' : 'are'} ${ofThatName(more)}`,
      rest: (more) => `${formatNumber(more)} more are closed on that day.`,
    },
  );
}

/** When the day's work ends, in minutes after its midnight: at night it goes on into the next day. */
function workEndMin(): number {
  const { workStart: start, workEnd: end } = operatorRules();
  return Math.max(dayMin, (minutesOf(end) ?? 0) + (endsNextDay({ start, end }) ? dayMin : 0));
}
