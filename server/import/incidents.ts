import { incidentInput } from '../../domain/incident.ts';
import { milesToKm } from '../../domain/units.ts';
import { type ImportedIncident, saveImportedIncidents } from '../incidents/service.ts';
import { readPoint, readWhole, squeezed } from './file/cells.ts';
import { type Aliases, type Columns, matchColumns, requireAny } from './file/columns.ts';
import { instantReader, readWritten } from './file/dates.ts';
import type { SourceRow } from './file/read-table.ts';
import { inChunks, namedColumns, type Outcome, type Run, wholeRows } from './run.ts';

const chunkSize = 500;

const incidentAliases = {
  title: ['title', 'name', 'headline', 'summary', 'incident'],
  description: ['description', 'details', 'comment', 'note', 'notes'],
  latitude: ['latitude', 'lat', 'y'],
  longitude: ['longitude', 'lng', 'lon', 'long', 'x'],
  geometry: ['geometry', 'point', 'thegeom', 'wkt'],
  severity: ['severity', 'level', 'impact', 'priority'],
  type: ['type', 'kind', 'category', 'incidenttype', 'eventtype'],
  radius: ['radius', 'radiuskm', 'km'],
  radiusMiles: ['radiusmi', 'radiusmiles', 'miles'],
  estimatedDuration: ['estimatedduration', 'duration', 'minutes', 'durationmin', 'durationminutes'],
  reportedAt: ['reportedat', 'start', 'starttime', 'from', 'begins', 'reported', 'date'],
  resolvedAt: ['resolvedat', 'end', 'endtime', 'until', 'to', 'resolved', 'closedat'],
  roadClosed: ['roadclosed', 'closed'],
} satisfies Aliases<string>;

type IncidentField = keyof typeof incidentAliases;
type Instants = ReturnType<typeof instantReader>;

/** Imports traffic incidents. Times without a zone are on the operator's clock; a radius is in kilometres or in miles. */
export async function importIncidents(run: Run): Promise<Outcome> {
  const columns = matchColumns<IncidentField>(run.table, incidentAliases, run.map);
  for (const field of ['title', 'severity', 'type'] as const) requireAny(run.table, columns, [field]);
  requireAny(run.table, columns, ['latitude', 'geometry']);
  for await (const incidents of inChunks(readIncidents(run, columns), chunkSize)) {
    const { created, updated } = await saveImportedIncidents(run.tx, incidents, run.at);
    run.tally.count({ created, updated, unchanged: incidents.length - created - updated });
  }
  return { columns: namedColumns(columns, Object.keys(incidentAliases) as IncidentField[]) };
}

async function* readIncidents(run: Run, columns: Columns<IncidentField>): AsyncGenerator<ImportedIncident> {
  const instants = instantReader(run.operator.timeZone);
  const firstLines = new Map<string, number>();
  for await (const row of wholeRows(run, columns)) {
    const read = readIncident(columns, row, instants);
    if (typeof read === 'string') {
      run.tally.refuse(row.line, read);
      continue;
    }
    const key = [read.title, read.latitude, read.longitude, read.reportedAt].join('\n');
    const before = firstLines.get(key);
    if (before !== undefined) {
      run.tally.refuse(row.line, `repeats the incident of line ${before}`);
      continue;
    }
    firstLines.set(key, row.line);
    yield read;
  }
}

/** The incident of a row, or the sentence why it is none. */
function readIncident(columns: Columns<IncidentField>, row: SourceRow, instants: Instants): ImportedIncident | string {
  const read = (field: IncidentField): string => squeezed(columns.read(row, field));
  const point = readPoint({ latitude: read('latitude'), longitude: read('longitude'), geometry: read('geometry') });
  if (typeof point === 'string') return point;
  const reportedAt = readInstant(read('reportedAt'), instants);
  const resolvedAt = readInstant(read('resolvedAt'), instants);
  if (reportedAt === undefined) return `has a start that is no date: ${read('reportedAt').slice(0, 40)}`;
  if (resolvedAt === undefined) return `has an end that is no date: ${read('resolvedAt').slice(0, 40)}`;
  const duration = read('estimatedDuration');
  const radius = radiusOf(read('radius'), read('radiusMiles'));
  const parsed = incidentInput.safeParse({
    title: read('title'),
    description: read('description') || null,
    ...point,
    severity: read('severity').toLowerCase(),
    type: read('type').toLowerCase(),
    ...(radius === null ? {} : { radius }),
    estimatedDuration: duration === '' ? null : (readWhole(duration) ?? Number.NaN),
    reportedAt,
    resolvedAt,
    roadClosed: /^(yes|true|1|y)$/i.test(read('roadClosed')),
  });
  if (parsed.success) return parsed.data;
  return parsed.error.issues[0]?.message ?? 'cannot be read';
}

/** ISO text; null for an empty cell, undefined for what is no date. */
function readInstant(cell: string, instants: Instants): string | null | undefined {
  if (cell === '') return null;
  const written = readWritten(cell);
  return written ? instants(written).toISOString() : undefined;
}

/** Kilometres; null where nothing is said, NaN for what is no number. */
function radiusOf(km: string, miles: string): number | null {
  if (km !== '') return Number(km.replace(',', '.'));
  return miles === '' ? null : milesToKm(Number(miles.replace(',', '.')));
}
