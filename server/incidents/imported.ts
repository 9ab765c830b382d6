import { sql } from 'drizzle-orm';
import { type IncidentInput, spanTold } from '../../domain/incident.ts';
import type { Db } from '../db/database.ts';
import { madeIds, rowsBefore, type WrittenRow } from '../db/statements/written-before.ts';
import { publish } from '../live/hub.ts';
import { retimeRoutes } from '../route-planning/service.ts';
import { findImported, type IncidentRow, insertIncident, updateIncidentFields } from './queries.ts';

export type ImportedIncident = IncidentInput;

/**
 * Stores incidents of a file. The same title, place and start, where one is said, is the same incident; a second time
 * changes nothing.
 */
export async function saveImportedIncidents(
  tx: Db,
  incidents: readonly ImportedIncident[],
  at: Date,
): Promise<{ created: number; updated: number }> {
  const counts = { created: 0, updated: 0 };
  for (const incident of incidents) {
    const { title, latitude, longitude, reportedAt: begin } = incident;
    const known = await findImported(tx, { title, latitude, longitude, reportedAt: begin ? new Date(begin) : null });
    const values = valuesOf(incident, at, known?.reportedAt ?? null);
    if (!known) {
      await insertIncident(tx, { ...values, source: 'import', updatedAt: at });
      counts.created += 1;
    } else if (isChanged(known, values)) {
      const { resolvedAt, status, reportedAt: _reportedAt, ...told } = values;
      await updateIncidentFields(tx, known.id, {
        ...told,
        ...(resolvedAt ? { resolvedAt, status } : {}),
        updatedAt: at,
      });
      counts.updated += 1;
    }
  }
  if (counts.created + counts.updated > 0) {
    await publish(tx, { topic: 'incidents' });
    await retimeRoutes(tx, at);
  }
  return counts;
}

function valuesOf(incident: ImportedIncident, at: Date, known: Date | null) {
  return { ...incident, description: incident.description || null, ...spanTold(incident, at, known) };
}

/** Fields that a file says anew. An end that a person gave is not taken back by a file without one. */
function isChanged(known: IncidentRow, values: ReturnType<typeof valuesOf>): boolean {
  return (
    known.description !== values.description ||
    known.severity !== values.severity ||
    known.type !== values.type ||
    known.radius !== values.radius ||
    known.roadClosed !== values.roadClosed ||
    known.estimatedDuration !== values.estimatedDuration ||
    (values.resolvedAt !== null && known.resolvedAt?.getTime() !== values.resolvedAt.getTime())
  );
}

/** Takes back what an import wrote: its new incidents go, changed ones read as before. */
export async function takeBackIncidents(tx: Db, written: readonly WrittenRow[], at: Date): Promise<void> {
  await tx.execute(sql`delete from traffic_incidents where id in ${madeIds(written)}`);
  await tx.execute(
    sql`update traffic_incidents t set description = n.description, severity = n.severity, type = n.type, radius = n.radius,
          road_closed = n.road_closed, estimated_duration = n.estimated_duration, resolved_at = n.resolved_at,
          status = n.status, updated_at = ${at.toISOString()}::timestamptz
        from ${rowsBefore(written, sql`traffic_incidents`)} n where t.id = n.id`,
  );
  await publish(tx, { topic: 'incidents' });
  await retimeRoutes(tx, at);
}
