import { type SQL, sql } from 'drizzle-orm';
import type { Severity } from '../../domain/alert-rules.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import type { Touched } from './queries.ts';
import type { Turn } from './rest.ts';

/** One cause that stands: of a machine, or of one of its slots. */
export type Cause = { machineId: number; slotId: number | null; message: string };

const machines = sql`vending_machines m`;
const living = sql`m.deleted_at is null and m.status = 'active'`;
const slots = sql`vending_machine_inventory s join ${machines} on m.id = s.machine_id`;
const inUse = sql`${living} and s.deleted_at is null`;
const slotName = sql`s.slot_number || ' ' || s.product_name`;
const instant = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;

export const countMachines = async (db: Db): Promise<number> =>
  (await firstRow<{ n: number }>(db, sql`select count(*)::int as n from ${machines} where ${living}`))?.n ?? 0;

/** Machines with so many slots at or below their minimum, but not empty. */
export function findLowMachines(db: Db, atLeast: number): Promise<Cause[]> {
  return rows<Cause>(
    db,
    sql`select s.machine_id as "machineId", null::int as "slotId",
          count(*) || case when count(*) = 1 then ' slot is low: ' else ' slots are low: ' end ||
          string_agg(s.slot_number, ', ' order by length(s.slot_number), s.slot_number) as message
        from ${slots} where ${inUse} and s.is_low and s.current_quantity > 0
        group by s.machine_id having count(*) >= ${atLeast}`,
  );
}

/** Machines that were heard of once, and not for so many hours. */
export function findSilent(db: Db, { at, hours }: { at: Date; hours: number }): Promise<Cause[]> {
  return rows<Cause>(
    db,
    sql`select m.id as "machineId", null::int as "slotId",
          'Not heard of since ' || to_char(m.last_seen at time zone o.time_zone, 'Mon FMDD, YYYY, FMHH12:MI AM') as message
        from ${machines} cross join (select coalesce((select time_zone from operator where id = 1), 'UTC') as time_zone) o
        where ${living} and m.last_seen < ${instant(at)} - make_interval(hours => ${hours}::int)`,
  );
}

/** Sales older than this say nothing about today's price. */
const priceMemory = sql`interval '2 days'`;

/** Slots whose last sales since their price was set were all at another one. */
export function findMispriced(db: Db, { at, sales }: { at: Date; sales: number }): Promise<Cause[]> {
  return rows<Cause>(
    db,
    sql`with recent as (
          select x.machine_id, x.slot_number, x.price, x.sale_date,
            row_number() over (partition by x.machine_id, x.slot_number order by x.sale_date desc) as nth
          from sales x
          where x.machine_id is not null and x.slot_number is not null and x.successful and not x.refunded
            and x.sale_date > ${instant(at)} - ${priceMemory} and x.sale_date <= ${instant(at)})
        select s.machine_id as "machineId", s.id as "slotId",
          ${slotName} || ': sold at ' || (array_agg(r.price order by r.nth))[1] || ', the planogram says ' || s.price as message
        from ${slots} join recent r on r.machine_id = s.machine_id and r.slot_number = s.slot_number
        where ${inUse} and r.nth <= ${sales} and r.sale_date > s.price_set_at
        group by s.id, s.machine_id, s.slot_number, s.product_name, s.price
        having count(*) = ${sales} and bool_and(r.price <> s.price)`,
  );
}

/** Slots that sold more than the books say there was. */
export function findImpossible(db: Db): Promise<Cause[]> {
  return rows<Cause>(
    db,
    sql`select s.machine_id as "machineId", s.id as "slotId",
          ${slotName} || ': ' || -b.quantity || ' more sold than there was. Count it: a filling is missing.' as message
        from item_balances b join vending_machine_inventory s on b.item_type = 'machine_slot' and s.id = b.item_id
        join ${machines} on m.id = s.machine_id
        where b.quantity < 0 and ${inUse}`,
  );
}

/** Machines with units that expire by a day, the first to expire named first. */
export function findExpiring(db: Db, until: string): Promise<Cause[]> {
  return rows<Cause>(
    db,
    sql`select s.machine_id as "machineId", null::int as "slotId",
          count(*) || case when count(*) = 1 then ' slot expires: ' else ' slots expire: ' end ||
          string_agg(s.slot_number || ' on ' || to_char(s.expiration_date, 'Mon FMDD'), ', '
            order by s.expiration_date, length(s.slot_number), s.slot_number) as message
        from ${slots} where ${inUse} and s.current_quantity > 0 and s.expiration_date <= ${until}::date
        group by s.machine_id`,
  );
}

/**
 * Slots that the ledger found empty have their open alert, as grave as now set: those from before the rule was switched on too.
 * Returns what changed.
 */
export async function raiseSoldOut(tx: Db, { alertType, severity, at }: Rule): Promise<Touched[]> {
  const isPutOff = sql`a.machine_id = s.machine_id and a.alert_type = ${alertType} and a.slot_id = s.id
    and a.resolved_by is not null and a.cause_ended_at is null`;
  const raised = await rows<Touched>(
    tx,
    sql`with a as (
          insert into vending_machine_alerts (machine_id, slot_id, alert_type, message, severity, created_at)
          select s.machine_id, s.id, ${alertType}, ${slotName} || ' is sold out', ${severity}, ${instant(at)} from ${slots}
          where m.deleted_at is null and s.deleted_at is null and s.current_quantity <= 0
            and exists (select 1 from item_balances b where b.item_type = 'machine_slot' and b.item_id = s.id)
            and not exists (select 1 from vending_machine_alerts a where ${isPutOff})
          on conflict (machine_id, alert_type, (coalesce(slot_id, 0))) where resolved_at is null do nothing
          returning id, machine_id)
        select ${touchedFields} from a join ${machines} on m.id = a.machine_id`,
  );
  const regraded = await rows<Touched>(
    tx,
    sql`update vending_machine_alerts a set severity = ${severity} from ${machines}
        where m.id = a.machine_id and a.alert_type = ${alertType} and a.resolved_at is null and a.severity <> ${severity}
        returning ${touchedFields}`,
  );
  return [...raised, ...regraded];
}

const touchedFields = sql`a.id, a.machine_id as "machineId", m.route_designation as "routeDesignation"`;

type Rule = { alertType: string; severity: Severity; at: Date };
/** The machines whose causes these are; all of them without. */
type Among = { turn?: Turn | undefined };

/**
 * Brings the open alerts of one type in line with its causes: raises what is new, ends what has gone, says anew what reads
 * otherwise. A cause whose alert was ended by hand raises no other until it was gone once. Returns what changed.
 */
export async function reconcile(
  tx: Db,
  { alertType, severity, at, turn = { of: 1, nth: 0 } }: Rule & Among,
  causes: readonly Cause[],
): Promise<Touched[]> {
  const listed = sql`jsonb_to_recordset(${JSON.stringify(causes)}::jsonb) as c("machineId" int, "slotId" int, message text)`;
  const same = sql`c."machineId" = a.machine_id and coalesce(c."slotId", 0) = coalesce(a.slot_id, 0)`;
  const gone = await rows<Touched>(
    tx,
    sql`update vending_machine_alerts a set resolved_at = coalesce(a.resolved_at, ${instant(at)}), cause_ended_at = ${instant(at)}
        from ${machines}
        where m.id = a.machine_id and a.alert_type = ${alertType} and a.machine_id % ${turn.of}::int = ${turn.nth}::int
          and (a.resolved_at is null or (a.resolved_by is not null and a.cause_ended_at is null))
          and not exists (select 1 from ${listed} where ${same})
        returning ${touchedFields}`,
  );
  const reworded = await rows<Touched>(
    tx,
    sql`update vending_machine_alerts a set message = c.message, severity = ${severity}
        from ${listed} join ${machines} on m.id = c."machineId"
        where ${same} and a.alert_type = ${alertType} and a.resolved_at is null
          and (a.message, a.severity) is distinct from (c.message, ${severity}::varchar)
        returning ${touchedFields}`,
  );
  const raised = await rows<Touched>(
    tx,
    sql`with a as (
          insert into vending_machine_alerts (machine_id, slot_id, alert_type, message, severity, created_at)
          select c."machineId", c."slotId", ${alertType}, c.message, ${severity}, ${instant(at)} from ${listed}
          where not exists (select 1 from vending_machine_alerts a where ${same} and a.alert_type = ${alertType}
            and a.resolved_by is not null and a.cause_ended_at is null)
          on conflict (machine_id, alert_type, (coalesce(slot_id, 0))) where resolved_at is null do nothing
          returning id, machine_id)
        select ${touchedFields} from a join ${machines} on m.id = a.machine_id`,
  );
  return [...gone, ...reworded, ...raised];
}
