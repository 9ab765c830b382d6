import { sql } from 'drizzle-orm';
import { rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { getMarker, setMarker } from '../settings/service.ts';
import { headersOf } from '../watch/traces.ts';

/** Lines of one message. */
const batch = 500;
const timeoutMs = 10_000;
/** Place in the chain up to which lines were sent. */
const sentMarker = 'audit-sent-to';
/** Severities of OpenTelemetry: what was refused or went wrong is a warning. */
const severities = { info: 9, warn: 13 };
const isWarning = (action: string): boolean => /failed|denied|refused/.test(action);

type Line = {
  seq: number | string;
  hash: string;
  nanos: string;
  actorId: number | null;
  action: string;
  objectType: string | null;
  objectId: string | null;
  detail: unknown;
  address: string | null;
};

/**
 * Sends the audit log to the OpenTelemetry collector, as OTLP over HTTP, in the order of its chain. Each line carries its
 * hash, so what arrived there also shows a chain that was made anew here. What fails is sent again: at least once each.
 */
export async function forwardAudit({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<void> {
  if (!env.collector) return;
  for (;;) {
    const after = Number((await getMarker(db, sentMarker)) ?? 0);
    const lines = await linesAfter(db, after);
    const last = lines.at(-1);
    if (!last) return;
    await send(env.collector, lines);
    await setMarker(db, sentMarker, String(last.seq));
    if (lines.length < batch) return;
  }
}

function linesAfter(db: Deps['db'], after: number): Promise<Line[]> {
  return rows<Line>(
    db,
    sql`select c.seq, c.hash, (extract(epoch from a.at) * 1000000)::bigint || '000' as nanos, a.actor_id as "actorId",
               a.action, a.object_type as "objectType", a.object_id as "objectId", a.detail, a.address
        from audit_chain c join audit_log a on a.id = c.audit_id
        where c.seq > ${after}::bigint order by c.seq limit ${batch}`,
  );
}

type Collector = NonNullable<Deps['env']['collector']>;

async function send({ endpoint, headers, service }: Collector, lines: readonly Line[]): Promise<void> {
  const reply = await fetch(`${endpoint.replace(/\/$/, '')}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(headers) },
    body: JSON.stringify({
      resourceLogs: [
        {
          resource: { attributes: attributes({ 'service.name': service }) },
          scopeLogs: [{ scope: { name: 'milkrun.audit' }, logRecords: lines.map(recordOf) }],
        },
      ],
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  await reply.body?.cancel();
  if (!reply.ok) throw new Error(`the collector answered ${reply.status}`);
}

function recordOf({ nanos, action, detail, ...line }: Line) {
  const level = isWarning(action) ? 'warn' : 'info';
  return {
    timeUnixNano: nanos,
    severityNumber: severities[level],
    severityText: level.toUpperCase(),
    body: { stringValue: action },
    attributes: attributes({ ...line, detail: detail === null ? null : JSON.stringify(detail) }),
  };
}

function attributes(values: Record<string, string | number | null>) {
  return Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ({ key, value: { stringValue: String(value) } }));
}
