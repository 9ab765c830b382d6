import type { IncidentSeverity, IncidentType } from './incident.ts';
import type { DistanceUnit } from './unit-schemas.ts';
import { kmToMiles } from './units.ts';

// Apart from the rules, so that a screen that only names incidents does not load the schema library.

export const severityLabel: Record<IncidentSeverity, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  critical: 'Critical',
};

export const incidentTypeLabel: Record<IncidentType, string> = {
  accident: 'Accident',
  congestion: 'Congestion',
  construction: 'Road works',
  closure: 'Road closed',
  weather: 'Weather',
  event: 'Event',
  other: 'Other',
};

/** A radius as it is typed and read: in the operator's unit, at most two decimals. */
export function radiusText(km: number, unit: DistanceUnit): string {
  return String(Math.round((unit === 'mi' ? kmToMiles(km) : km) * 100) / 100);
}

/** An instant as a form's field of date and time holds it, on the operator's clock. */
export function localTime(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const part = Object.fromEntries(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}
