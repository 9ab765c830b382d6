import { isClosedOn } from '../../../domain/openings.ts';
import { endsNextDay, minutesOf } from '../../day-plans/crews.ts';
import { formatDay, formatNumber } from '../../http/format.ts';
import { operatorRules } from '../../http/operator-rules.ts';
import type { Candidate } from '../places/locations.ts';

/** Of so many each one is named. */
const mostNamed = 3;
const dayMin = 24 * 60;

/** What is known of a selection before it is planned, as sentences: which of its doors stay shut on the day. */
export function knownBefore(chosen: readonly Candidate[], day: string): string[] {
  const untilMin = workEndMin();
  const closed = chosen.filter(({ accessHours }) => isClosedOn(accessHours, { day, untilMin }));
  const lines = new Map<string, number>();
  for (const { name, accessHours } of closed) {
    const line = `${name} is closed on ${formatDay(day)} (${accessHours}).`;
    lines.set(line, (lines.get(line) ?? 0) + 1);
  }
  const named = [...lines].slice(0, lines.size > mostNamed ? mostNamed - 1 : mostNamed);
  const rest = closed.length - named.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...named.map(([line, count]) =>
      count === 1 ? line : `${line} So are ${formatNumber(count - 1)} more of that name.`,
    ),
    ...(rest > 0 ? [`${formatNumber(rest)} more are closed on that day.`] : []),
  ];
}

/** When the day's work ends, in minutes after its midnight: at night it goes on into the next day. */
function workEndMin(): number {
  const { workStart: start, workEnd: end } = operatorRules();
  return Math.max(dayMin, (minutesOf(end) ?? 0) + (endsNextDay({ start, end }) ? dayMin : 0));
}
