import type { Incident } from '../../contract/incidents.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import {
  countsBetween,
  type IncidentFactors,
  type IncidentInput,
  type IncidentStatus,
  type IncidentUpdate,
  incidentSeverity,
  incidentStatus,
  incidentType,
  spanTold,
} from '../../domain/incident.ts';
import { changedFields, recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { readFactors, retimeRoutes, writeFactors } from '../route-planning/service.ts';
import { getOperator } from '../settings/service.ts';
import {
  findIncident,
  findIncidentLocked,
  findIncidents,
  type IncidentRow,
  insertIncident,
  updateIncidentFields,
} from './queries.ts';

export { type ImportedIncident, saveImportedIncidents, takeBackIncidents } from './imported.ts';
export { retimeAsTimePasses } from './retiming.ts';

const shownAfterwardsMs = 30 * 24 * 3_600_000;

/** Everyone signed in reads all incidents: a road is not a matter of one's route. */
export async function listIncidents(deps: Deps, status: IncidentStatus | null): Promise<Incident[]> {
  const clock = await clockOf(deps);
  const found = await findIncidents(deps.db, new Date(clock.now.getTime() - shownAfterwardsMs), status);
  return found.map((row) => toIncident(row, clock));
}

export async function getIncident(deps: Deps, id: number): Promise<Incident> {
  const found = await findIncident(deps.db, id);
  if (!found) throw unknown();
  return toIncident(found, await clockOf(deps));
}

/** Reports an incident; one that is over already is kept as resolved, one that ends later lasts until then. */
export function createIncident(deps: Deps, caller: Caller, input: IncidentInput): Promise<Incident> {
  const now = deps.clock.now();
  return change(deps, caller, 'incident.create', (tx) =>
    insertIncident(tx, {
      ...input,
      description: input.description || null,
      ...spanTold(input, now),
      createdBy: caller.userId,
      updatedAt: now,
    }),
  );
}

export function updateIncident(deps: Deps, caller: Caller, id: number, input: IncidentUpdate): Promise<Incident> {
  const { reportedAt, description, status, resolvedAt, ...fields } = input;
  return change(deps, caller, 'incident.update', async (tx) => {
    const before = await lockedIncident(tx, id);
    if (status && status !== before.status) {
      const sentence = `This incident is ${before.status}. Use the call to ${status === 'resolved' ? 'resolve' : 'reopen'} it.`;
      throw new AppError('invalid-input', sentence, { fields: { status: sentence } });
    }
    if (resolvedAt !== undefined && timeOf(resolvedAt) !== timeOf(before.resolvedAt)) {
      const sentence = 'Use the call to resolve or to reopen an incident to change its end.';
      throw new AppError('invalid-input', sentence, { fields: { resolvedAt: sentence } });
    }
    const start = reportedAt ? new Date(reportedAt) : undefined;
    if (start && before.resolvedAt && start > before.resolvedAt) {
      const sentence = 'Start must not lie after the end';
      throw new AppError('invalid-input', sentence, { fields: { reportedAt: sentence } });
    }
    return updateIncidentFields(tx, id, {
      ...fields,
      ...(description === undefined ? {} : { description: description || null }),
      ...(start ? { reportedAt: start } : {}),
      updatedAt: deps.clock.now(),
    });
  });
}

const timeOf = (at: Date | string | null): number | null => (at === null ? null : new Date(at).getTime());

/** Ends an incident; saying so twice keeps the first time. */
export function resolveIncident(deps: Deps, caller: Caller, id: number): Promise<Incident> {
  return change(deps, caller, 'incident.resolve', async (tx) => {
    const before = await lockedIncident(tx, id);
    if (before.status === 'resolved') return before;
    const now = deps.clock.now();
    return updateIncidentFields(tx, id, { status: 'resolved', resolvedAt: now, updatedAt: now });
  });
}

/** Takes back the end of an incident. */
export function reopenIncident(deps: Deps, caller: Caller, id: number): Promise<Incident> {
  return change(deps, caller, 'incident.reopen', async (tx) => {
    const before = await lockedIncident(tx, id);
    if (before.status === 'active') return before;
    return updateIncidentFields(tx, id, { status: 'active', resolvedAt: null, updatedAt: deps.clock.now() });
  });
}

export const getFactors = (deps: Deps): Promise<IncidentFactors> => readFactors(deps.db);

export async function setFactors(deps: Deps, caller: Caller, factors: IncidentFactors): Promise<IncidentFactors> {
  await deps.db.transaction(async (tx) => {
    const detail = changedFields(await readFactors(tx), factors);
    await writeFactors(tx, factors);
    await recordAudit(tx, caller, { action: 'incident.factors', objectType: 'settings', detail });
    await publish(tx, { topic: 'incidents' });
    await retimeRoutes(tx, deps.clock.now(), { roads: deps.roads });
  });
  return factors;
}

type Clock = { now: Date; timeZone: string };

async function clockOf({ db, clock }: Deps): Promise<Clock> {
  const { timeZone } = await getOperator(db);
  return { now: clock.now(), timeZone };
}

const unknown = () => new AppError('not-found', 'This incident does not exist.');

async function lockedIncident(tx: Db, id: number): Promise<IncidentRow> {
  const found = await findIncidentLocked(tx, id);
  if (!found) throw unknown();
  return found;
}

type Write = (tx: Db) => Promise<IncidentRow | undefined>;

/** One write with its audit row, its note and the times of the routes it touches, together or not at all. */
async function change(deps: Deps, caller: Caller, action: string, write: Write): Promise<Incident> {
  const clock = await clockOf(deps);
  return deps.db.transaction(async (tx) => {
    const row = await write(tx);
    if (!row) throw notFound('incident');
    const { title, severity, type, radius } = row;
    const detail = { title, severity, type, radius };
    await recordAudit(tx, caller, { action, objectType: 'traffic_incident', objectId: row.id, detail });
    await publish(tx, { topic: 'incidents', ids: [row.id] });
    await retimeRoutes(tx, clock.now, { roads: deps.roads, changed: row.id });
    return toIncident(row, clock);
  });
}

function toIncident(row: IncidentRow, { now, timeZone }: Clock): Incident {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    latitude: row.latitude,
    longitude: row.longitude,
    severity: incidentSeverity.parse(row.severity),
    type: incidentType.parse(row.type),
    status: incidentStatus.parse(row.status),
    radius: row.radius,
    estimatedDuration: row.estimatedDuration,
    roadClosed: row.roadClosed,
    reportedAt: row.reportedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    source: row.source,
    counts: countsBetween(row, { from: now, until: now }, timeZone),
  };
}
