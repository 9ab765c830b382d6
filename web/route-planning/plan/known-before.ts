import { isClosedOn } from '../../../domain/openings.ts';
import { formatDay, formatNumber } from '../../http/format.ts';
import type { Candidate } from '../places/locations.ts';

/** Of so many each one is named. */
const mostNamed = 3;

/** What is known of a selection before it is planned, as sentences: which of its doors stay shut on the day. */
export function knownBefore(chosen: readonly Candidate[], day: string): string[] {
  const closed = chosen.filter(({ accessHours }) => isClosedOn(accessHours, day));
  const named = closed.length > mostNamed ? closed.slice(0, mostNamed - 1) : closed;
  const rest = closed.length - named.length;
  return [
    ...named.map(({ name, accessHours }) => `${name} is closed on ${formatDay(day)} (${accessHours}).`),
    ...(rest > 0 ? [`${formatNumber(rest)} more are closed on that day.`] : []),
  ];
}
