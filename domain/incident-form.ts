import { z } from 'zod';
import { incidentInputUpTo, incidentRadius } from './incident.ts';
import { radiusText } from './incident-words.ts';
import { instantIn } from './time.ts';
import type { DistanceUnit } from './unit-schemas.ts';
import { kmToMiles, milesToKm } from './units.ts';

/** What a form holds: texts as typed. `radius` is in the operator's unit, `reportedAt` on the operator's clock. */
export type IncidentTyped = {
  title: string;
  description: string;
  latitude: string;
  longitude: string;
  severity: string;
  type: string;
  radius: string;
  estimatedDuration: string;
  /** `YYYY-MM-DDTHH:MM`; empty: now. */
  reportedAt: string;
  roadClosed: boolean;
};

type Operator = { distanceUnit: DistanceUnit; timeZone: string };

/**
 * The rules of an incident over what is typed, so that a form and the server refuse the same with the same sentence.
 * `knownKm` is the radius that the form began with: one that nobody touched is not changed by rounding.
 */
export function typedIncident(operator: Operator, knownKm: number | null = null) {
  return z.preprocess(
    (typed) => fromTyped(typed as IncidentTyped, operator, knownKm),
    incidentInputUpTo(widestIn(operator.distanceUnit)),
  );
}

/** The widest radius in the unit that is typed, rounded to what is still taken. */
const widestIn = (unit: DistanceUnit): string =>
  unit === 'mi' ? `${Math.floor(kmToMiles(incidentRadius.maxKm))} mi` : `${incidentRadius.maxKm} km`;

function fromTyped(typed: IncidentTyped, { distanceUnit, timeZone }: Operator, knownKm: number | null) {
  const isKnown = knownKm !== null && typed.radius === radiusText(knownKm, distanceUnit);
  const radius = numberOf(typed.radius);
  const typedKm = distanceUnit === 'mi' ? milesToKm(radius) : radius;
  return {
    ...typed,
    description: typed.description.trim() || null,
    radius: isKnown ? knownKm : typedKm,
    estimatedDuration: typed.estimatedDuration.trim() === '' ? null : numberOf(typed.estimatedDuration),
    reportedAt: typed.reportedAt === '' ? null : instantOf(typed.reportedAt, timeZone),
  };
}

/** NaN for what is no number, an empty text included; the rules refuse it. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
}

function instantOf(local: string, timeZone: string): string {
  const [, day, hours, minutes] = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})/.exec(local) ?? [];
  if (!day) return local;
  return instantIn(timeZone, day, Number(hours) * 60 + Number(minutes)).toISOString();
}
