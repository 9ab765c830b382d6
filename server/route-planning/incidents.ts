import { eq } from 'drizzle-orm';
import {
  countsBetween,
  type IncidentFactors,
  incidentFactors,
  incidentSeverity,
  usualFactors,
} from '../../domain/incident.ts';
import type { EffectSettings, IncidentCircle } from '../../domain/incident-effect.ts';
import { toPoint } from '../../domain/location.ts';
import { defaultEstimate } from '../../domain/travel-estimate.ts';
import type { Db } from '../db/database.ts';
import { trafficIncidents } from '../incidents/tables.ts';
import { getMarker, getOperator, setMarker } from '../settings/service.ts';

/** Name of the marker under which an administrator's factors are kept. */
const factorsMarker = 'incident-factors';

/** How much incidents slow traffic: the administrator's factors, else the usual ones. */
export async function readFactors(db: Db): Promise<IncidentFactors> {
  const kept = await getMarker(db, factorsMarker);
  return kept === null ? usualFactors : incidentFactors.parse(JSON.parse(kept));
}

export const writeFactors = (db: Db, factors: IncidentFactors): Promise<void> =>
  setMarker(db, factorsMarker, JSON.stringify(factors));

/** Longest route that incidents are looked up for before its length is known. */
const longestRouteMs = 16 * 3_600_000;

export type Span = { from: Date; until: Date };

/** The longest that a way can be driven which leaves at an instant. */
export const drivenFrom = (from: Date): Span => ({ from, until: new Date(from.getTime() + longestRouteMs) });

export type Incidents = {
  settings: EffectSettings;
  all: readonly IncidentCircle[];
  /** Those that slow what is driven between two instants. */
  between: (span: Span) => IncidentCircle[];
};

/** The active incidents, read once for all legs that are timed. */
export async function activeIncidents(db: Db): Promise<Incidents> {
  const found = await db.select().from(trafficIncidents).where(eq(trafficIncidents.status, 'active'));
  const { timeZone } = await getOperator(db);
  const settings = { factors: await readFactors(db), detourFactor: defaultEstimate.detourFactor };
  const circleOf = (incident: (typeof found)[number]): IncidentCircle => ({
    id: incident.id,
    ...toPoint(incident),
    radiusKm: incident.radius,
    severity: incidentSeverity.parse(incident.severity),
    closed: incident.roadClosed || incident.type === 'closure',
  });
  return {
    settings,
    all: found.map(circleOf),
    between: (span) => found.filter((incident) => countsBetween(incident, span, timeZone)).map(circleOf),
  };
}
