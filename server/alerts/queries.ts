import { and, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { findKeys, isOneOf, type Key } from '../db/statements/pieces.ts';
import { named, writtenOnce } from '../db/statements/told.ts';
import { vendingMachines } from '../machines/tables.ts';
import { machineAlerts } from './tables.ts';

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
export const listedFields =
  writtenOnce(sql`${named('vending_machine_alerts', ownFields)}, ${machineName} as "machineName",
  ${routeDesignation} as "routeDesignation"`);

/** Alerts of machines that are not resolved, the newest first. */
export function findOpenAlertKeys(db: Db, inScope: SQL, acknowledged: boolean | null): Promise<Key[]> {
  const wanted = acknowledged === null ? sql`true` : sql`${machineAlerts.acknowledged} = ${acknowledged}`;
  return findKeys(
    db,
    sql`select ${machineAlerts.id} as id from ${machineAlerts}
        join ${vendingMachines} on ${vendingMachines.id} = ${machineAlerts.machineId}
        where ${machineAlerts.resolvedAt} is null and ${wanted} and ${inScope}
        order by ${machineAlerts.createdAt} desc, ${machineAlerts.id} desc`,
  );
}

/** Of those of `findOpenAlertKeys`, in the same order. */
export function findOpenAlerts(db: Db, inScope: SQL, ids: readonly number[]) {
  return db
    .select(alertFields)
    .from(machineAlerts)
    .innerJoin(vendingMachines, eq(vendingMachines.id, machineAlerts.machineId))
    .where(and(isNull(machineAlerts.resolvedAt), isOneOf(machineAlerts.id, ids), inScope))
    .orderBy(desc(machineAlerts.createdAt), desc(machineAlerts.id));
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

/** True when this call was the one that ended it. */
export async function updateResolvedByHand(db: Db, id: number, by: { name: string; at: Date }): Promise<boolean> {
  const changed = await db
    .update(machineAlerts)
    .set({ resolvedAt: by.at, resolvedBy: by.name })
    .where(and(eq(machineAlerts.id, id), isNull(machineAlerts.resolvedAt)))
    .returning({ id: machineAlerts.id });
  return changed.length > 0;
}

/** True when this call was the one that opened it again. While its cause is there, no other alert tells of it. */
export async function updateReopened(db: Db, id: number): Promise<boolean> {
  const changed = await db
    .update(machineAlerts)
    .set({ resolvedAt: null, resolvedBy: null })
    .where(and(eq(machineAlerts.id, id), isNotNull(machineAlerts.resolvedBy), isNull(machineAlerts.causeEndedAt)))
    .returning({ id: machineAlerts.id });
  return changed.length > 0;
}
