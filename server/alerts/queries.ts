import { and, desc, eq, ilike, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { AlertState } from '../../domain/alert-rules.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { named, type Told } from '../db/statements/told.ts';
import { vendingMachines } from '../machines/tables.ts';
import { machineInScope, type Scope } from '../scope/service.ts';
import { machineAlerts } from './tables.ts';

/** Nobody reads further down; newer alerts push the rest out of the list, not out of the table. */
const listedAtMost = 1_000;

const alertFields = {
  id: machineAlerts.id,
  machineId: machineAlerts.machineId,
  machineName: vendingMachines.name,
  routeDesignation: vendingMachines.routeDesignation,
  alertType: machineAlerts.alertType,
  message: machineAlerts.message,
  severity: machineAlerts.severity,
  acknowledged: machineAlerts.acknowledged,
  acknowledgedBy: machineAlerts.acknowledgedBy,
  acknowledgedAt: machineAlerts.acknowledgedAt,
  resolvedAt: machineAlerts.resolvedAt,
  resolvedBy: machineAlerts.resolvedBy,
  createdAt: machineAlerts.createdAt,
};

const { machineName, routeDesignation, ...ownFields } = alertFields;
const listedFields = sql`${named('vending_machine_alerts', ownFields)}, ${machineName} as "machineName",
  ${routeDesignation} as "routeDesignation"`;

export function findOpenAlerts(db: Db, inScope: SQL, acknowledged: boolean | null) {
  const wanted = acknowledged === null ? undefined : eq(machineAlerts.acknowledged, acknowledged);
  return db
    .select(alertFields)
    .from(machineAlerts)
    .innerJoin(vendingMachines, eq(vendingMachines.id, machineAlerts.machineId))
    .where(and(isNull(machineAlerts.resolvedAt), wanted, inScope))
    .orderBy(desc(machineAlerts.createdAt), desc(machineAlerts.id))
    .limit(listedAtMost);
}

export async function findAlert(db: Db, inScope: SQL, id: number) {
  const [found] = await db
    .select(alertFields)
    .from(machineAlerts)
    .innerJoin(vendingMachines, eq(vendingMachines.id, machineAlerts.machineId))
    .where(and(eq(machineAlerts.id, id), inScope));
  return found;
}

export type AlertRow = NonNullable<Awaited<ReturnType<typeof findAlert>>>;

/** True when this call was the one that took note of it. */
export async function updateAcknowledged(db: Db, id: number, by: { name: string; at: Date }): Promise<boolean> {
  const changed = await db
    .update(machineAlerts)
    .set({ acknowledged: true, acknowledgedBy: by.name, acknowledgedAt: by.at })
    .where(and(eq(machineAlerts.id, id), eq(machineAlerts.acknowledged, false)))
    .returning({ id: machineAlerts.id });
  return changed.length > 0;
}

export type NewAlert = {
  machineId: number;
  slotId: number | null;
  alertType: string;
  message: string;
  severity: 'critical' | 'high' | 'medium' | 'low';
};

export type Touched = { id: number; machineId: number; routeDesignation: string | null };

/** Inserts the alerts whose cause has no open alert yet; returns those. */
export function insertAlerts(db: Db, alerts: readonly NewAlert[]): Promise<Touched[]> {
  return rows<Touched>(
    db,
    sql`with raised as (
          insert into vending_machine_alerts (machine_id, slot_id, alert_type, message, severity)
          select a."machineId", a."slotId", a."alertType", a.message, a.severity
          from jsonb_to_recordset(${JSON.stringify(alerts)}::jsonb)
            as a("machineId" int, "slotId" int, "alertType" text, message text, severity text)
          where not exists (select 1 from vending_machine_alerts o where o.machine_id = a."machineId"
            and o.alert_type = a."alertType" and coalesce(o.slot_id, 0) = coalesce(a."slotId", 0)
            and o.resolved_by is not null and o.cause_ended_at is null)
          on conflict (machine_id, alert_type, (coalesce(slot_id, 0))) where resolved_at is null do nothing
          returning id, machine_id)
        select r.id, r.machine_id as "machineId", m.route_designation as "routeDesignation"
        from raised r join vending_machines m on m.id = r.machine_id`,
  );
}

/** Open, or ended by a person while its cause was still there. */
const isOngoing = sql`(a.resolved_at is null or (a.resolved_by is not null and a.cause_ended_at is null))`;

/** The types of a slot's alerts whose cause has not ended, as JSON; `slot` is its table in the statement. */
export const ongoingAlertTypes = (slot: SQL): SQL => sql`(select coalesce(jsonb_agg(a.alert_type), '[]')
  from vending_machine_alerts a where a.machine_id = ${slot}.machine_id and a.slot_id = ${slot}.id and ${isOngoing})`;

/** Closes the open alerts of one type, or of every one, on these slots, found over their machines' index. */
export function updateResolvedOfSlots(
  db: Db,
  cause: { alertType: string | null; slotIds: readonly number[] },
): Promise<Touched[]> {
  const ofType = cause.alertType === null ? sql`true` : sql`a.alert_type = ${cause.alertType}`;
  return rows<Touched>(
    db,
    sql`update vending_machine_alerts a set resolved_at = coalesce(a.resolved_at, now()), cause_ended_at = now()
        from vending_machine_inventory s join vending_machines m on m.id = s.machine_id
        where s.id in (select value::int from jsonb_array_elements_text(${JSON.stringify(cause.slotIds)}::jsonb))
          and a.machine_id = s.machine_id and a.slot_id = s.id and ${ofType}
          and ${isOngoing}
        returning a.id, a.machine_id as "machineId", m.route_designation as "routeDesignation"`,
  );
}

export async function updateResolvedOfMachine(db: Db, machineId: number): Promise<number[]> {
  const closed = await db
    .update(machineAlerts)
    .set({ resolvedAt: sql`now()` })
    .where(and(eq(machineAlerts.machineId, machineId), isNull(machineAlerts.resolvedAt)))
    .returning({ id: machineAlerts.id });
  return closed.map((row) => row.id);
}

export async function updateResolvedOfType(db: Db, machineId: number, alertType: string): Promise<Touched[]> {
  return rows<Touched>(
    db,
    sql`with closed as (
          update vending_machine_alerts set resolved_at = coalesce(resolved_at, now()), cause_ended_at = now()
          where machine_id = ${machineId} and alert_type = ${alertType}
            and (resolved_at is null or (resolved_by is not null and cause_ended_at is null))
          returning id, machine_id)
        select c.id, c.machine_id as "machineId", m.route_designation as "routeDesignation"
        from closed c join vending_machines m on m.id = c.machine_id`,
  );
}

export async function updateCausesOver(
  db: Db,
  machineId: number,
  { prefix, but }: { prefix: string; but: readonly string[] },
): Promise<void> {
  await db.execute(
    sql`update vending_machine_alerts set cause_ended_at = now()
        where machine_id = ${machineId} and starts_with(alert_type, ${prefix}) and resolved_by is not null
          and cause_ended_at is null and alert_type not in (select jsonb_array_elements_text(${JSON.stringify(but)}::jsonb))`,
  );
}

export type AlertFilter = {
  state: AlertState;
  severity?: string | undefined;
  type?: string | undefined;
  route?: string | undefined;
  machine?: number | undefined;
  q?: string | undefined;
  sort: 'newest' | 'gravest';
  cursor?: number | undefined;
  limit: number;
};

const inState: Record<AlertState, SQL | undefined> = {
  all: undefined,
  open: isNull(machineAlerts.resolvedAt),
  new: and(isNull(machineAlerts.resolvedAt), eq(machineAlerts.acknowledged, false)),
  acknowledged: and(isNull(machineAlerts.resolvedAt), eq(machineAlerts.acknowledged, true)),
  resolved: isNotNull(machineAlerts.resolvedAt),
};

const pattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** What is asked of the alerts alone, and what only their machines tell. */
type Matching = { ofAlerts: SQL | undefined; ofMachines: SQL | undefined };

function matching(filter: AlertFilter): Matching {
  const { severity, type, route, machine, q } = filter;
  const ofAlerts = and(
    inState[filter.state],
    severity ? eq(machineAlerts.severity, severity) : undefined,
    type ? eq(machineAlerts.alertType, type) : undefined,
    machine ? eq(machineAlerts.machineId, machine) : undefined,
  );
  const ofMachines = and(
    route ? eq(vendingMachines.routeDesignation, route) : undefined,
    q ? or(ilike(machineAlerts.message, pattern(q)), ilike(vendingMachines.name, pattern(q))) : undefined,
  );
  return { ofAlerts, ofMachines };
}

const byAge = [sql`${machineAlerts.createdAt}`, sql`${machineAlerts.id}`];
const gravity = sql`array_position(array['low', 'medium', 'high', 'critical'], ${machineAlerts.severity}::text)`;

/**
 * How many alerts match of machines that are there. Who sees every machine and filters by the alert alone is told without
 * looking at the machines: those of the few that are gone are taken off.
 */
function countAlerts(inScope: SQL, { ofAlerts, ofMachines, isAll }: Matching & { isAll: boolean }): SQL {
  if (!isAll || ofMachines) return sql`select count(*)::int from ${source} where ${and(inScope, ofAlerts, ofMachines)}`;
  const gone = sql`select count(*) from ${vendingMachines} cross join lateral (
    select ${machineAlerts.id} from ${machineAlerts} where ${machineAlerts.machineId} = ${vendingMachines.id} and ${ofAlerts ?? sql`true`}
    offset 0) a where ${vendingMachines.deletedAt} is not null`;
  return sql`select ((select count(*) from ${machineAlerts} where ${ofAlerts ?? sql`true`}) - (${gone}))::int`;
}

const source = sql`${machineAlerts} join ${vendingMachines} on ${vendingMachines.id} = ${machineAlerts.machineId}`;

/** One page of alerts in the order asked for, and how many match. The cursor is the last alert of the page before. */
export async function findAlertPage(db: Db, scope: Scope, filter: AlertFilter) {
  const inScope = machineInScope(scope);
  const wanted = matching(filter);
  const condition = and(inScope, wanted.ofAlerts, wanted.ofMachines) ?? inScope;
  const order = filter.sort === 'gravest' ? [gravity, ...byAge] : byAge;
  const place = sql.join(order, sql`, `);
  const after = filter.cursor
    ? sql`(${place}) < (select ${place} from ${machineAlerts} where ${machineAlerts.id} = ${filter.cursor})`
    : undefined;
  const counted = countAlerts(inScope, { ...wanted, isAll: scope.everything });
  const alerts = await rows<Told<AlertRow> & { total: number }>(
    db,
    sql`select ${listedFields}, (${counted}) as total from ${source} where ${condition} and ${after ?? sql`true`}
        order by ${sql.join(
          order.map((value) => sql`${value} desc`),
          sql`, `,
        )} limit ${filter.limit}`,
  );
  // Without a row to bring it, it is asked for: the rows of this page may have gone since the page before.
  if (alerts[0] || !after) return { alerts, total: alerts[0]?.total ?? 0 };
  return { alerts, total: (await firstRow<{ total: number }>(db, sql`select (${counted}) as total`))?.total ?? 0 };
}

/** True when this call was the one that ended it. */
export async function updateResolvedByHand(db: Db, id: number, by: { name: string; at: Date }): Promise<boolean> {
  const changed = await db
    .update(machineAlerts)
    .set({ resolvedAt: by.at, resolvedBy: by.name })
    .where(and(eq(machineAlerts.id, id), isNull(machineAlerts.resolvedAt)))
    .returning({ id: machineAlerts.id });
  return changed.length > 0;
}
