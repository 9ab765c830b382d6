import type { Incident } from '../../contract/incidents.ts';
import { incidentTypeLabel, radiusText, severityLabel } from '../../domain/incident-words.ts';
import type { DistanceUnit } from '../../domain/unit-schemas.ts';
import { formatDateTime, formatTime, today } from '../http/format.ts';

/** What blocks the road, said before how bad it is. */
export function kindOf({ type, roadClosed }: Pick<Incident, 'type' | 'roadClosed'>): string {
  return roadClosed && type !== 'closure' ? `${incidentTypeLabel[type]}, road closed` : incidentTypeLabel[type];
}

export const severityOf = ({ severity }: Pick<Incident, 'severity'>): string => severityLabel[severity];

/** `Accident, high, 0.5 mi around`: what the map says of a circle. */
export function detailOf(incident: Incident, unit: DistanceUnit): string {
  return `${kindOf(incident)}, ${severityOf(incident).toLowerCase()}, ${radiusText(incident.radius, unit)} ${unit} around`;
}

/** Since when and until when, as far as is known. */
export function spanOf({ reportedAt, resolvedAt, estimatedDuration }: Incident, now: Date): string {
  const begins =
    Date.parse(reportedAt) > now.getTime() ? `from ${moment(reportedAt, now)}` : `since ${moment(reportedAt, now)}`;
  if (resolvedAt) return `${begins}, resolved ${moment(resolvedAt, now)}`;
  if (estimatedDuration === null) {
    return today(new Date(reportedAt)) < today(now)
      ? `${begins}, not resolved; counted on that day only`
      : `${begins}, until resolved; counts on that day only`;
  }
  const end = new Date(Date.parse(reportedAt) + estimatedDuration * 60_000);
  return end < now
    ? `${begins}, expected to have ended ${moment(end, now)}`
    : `${begins}, expected until ${moment(end, now)}`;
}

function moment(at: string | Date, now: Date): string {
  return today(new Date(at)) === today(now) ? formatTime(at) : formatDateTime(at);
}
