import { type SQL, sql } from 'drizzle-orm';
import { addDays } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { atMost, plannedOnce } from '../db/postgres/kept-plans.ts';
import { vendingMachines } from '../machines/tables.ts';
import { markets } from '../markets/tables.ts';
import { routes } from '../route-planning/tables.ts';

/** Each source yields its worst rows, at most `limit`, every row carrying how many there are in all. */
type Found = {
  id: number | string;
  place: string;
  marketId: number | null;
  machineId: number | null;
  routeDesignation: string | null;
  since: string;
  total: number;
};

const machineFields = sql`${vendingMachines.name} as place, null::int as "marketId", ${vendingMachines.id} as "machineId",
  ${vendingMachines.routeDesignation} as "routeDesignation"`;

/** A route nobody completed stops being news after a week. */
const watchedDays = 7;

/** Per route under way, its stop that has waited longest past its planned arrival. */
export function findLateRoutes(db: Db, inScope: SQL, at: { before: Date; day: string; limit: number }) {
  return rows<Found & { waiting: number }>(
    db,
    plannedOnce(sql`select ${routes.id} as id, coalesce(m.name, v.name, s.location_name) as place, s.market_id as "marketId",
          s.vending_machine_id as "machineId", ${routes.routeDesignation} as "routeDesignation",
          s.estimated_arrival as since, s.waiting, count(*) over ()::int as total
        from ${routes} cross join lateral (
          select t.*, count(*) over ()::int as waiting from route_stops t
          where t.route_id = ${routes.id} and not t.completed and t.skipped_reason is null
            and t.estimated_arrival < ${at.before.toISOString()}::timestamptz
          order by t.estimated_arrival limit 1) s
          left join markets m on m.id = s.market_id
          left join vending_machines v on v.id = s.vending_machine_id
        where ${routes.date} between ${addDays(at.day, -watchedDays)} and ${addDays(at.day, 1)}
          and ${routes.status} = 'in_progress' and ${inScope}
        order by s.estimated_arrival limit ${atMost(at.limit)}`),
  );
}

/** Machines in service that were heard of once and not since. */
export function findSilentMachines(db: Db, inScope: SQL, at: { before: Date; limit: number }): Promise<Found[]> {
  return rows<Found>(
    db,
    plannedOnce(sql`select ${vendingMachines.id} as id, ${machineFields}, ${vendingMachines.lastSeen} as since,
          count(*) over ()::int as total
        from ${vendingMachines}
        where ${vendingMachines.lastSeen} < ${at.before.toISOString()}::timestamptz
          and ${vendingMachines.status} = 'active' and ${inScope}
        order by ${vendingMachines.lastSeen} limit ${atMost(at.limit)}`),
  );
}

/** Machines with sold-out slots, the most first; since the first of them fell to zero. They are many, so the worst come from an index. */
export function findSoldOutMachines(db: Db, inScope: SQL, limit: number) {
  return rows<Omit<Found, 'total'> & { slots: number }>(
    db,
    plannedOnce(sql`select m.*, (select min(t.updated_at) from vending_machine_inventory t where t.machine_id = m.id and t.is_low
            and t.current_quantity = 0 and t.deleted_at is null) as since
        from (
          select ${vendingMachines.id} as id, ${machineFields}, ${vendingMachines.emptySlots} as slots
          from ${vendingMachines} where ${isSoldOut(inScope)}
          order by ${vendingMachines.emptySlots} desc, ${vendingMachines.id} limit ${atMost(limit)}) m`),
  );
}

export async function countSoldOutMachines(db: Db, inScope: SQL): Promise<number> {
  const [found] = await rows<{ total: number }>(
    db,
    plannedOnce(sql`select count(*)::int as total from ${vendingMachines} where ${isSoldOut(inScope)}`),
  );
  return found?.total ?? 0;
}

const isSoldOut = (inScope: SQL): SQL => sql`${vendingMachines.emptySlots} > 0 and ${inScope}`;

/** Severe alerts that nobody has taken note of. */
export function findSevereAlerts(db: Db, inScope: SQL, limit: number) {
  return rows<Found & { message: string; severity: 'critical' | 'high' }>(
    db,
    plannedOnce(sql`select a.id, a.message, a.severity, ${machineFields}, a.created_at as since, count(*) over ()::int as total
        from vending_machine_alerts a join ${vendingMachines} on ${vendingMachines.id} = a.machine_id
        where a.resolved_at is null and not a.acknowledged and a.severity in ('critical', 'high') and ${inScope}
          -- A silent machine is named by what it is, with the day it fell silent.
          and a.alert_type <> 'silent'
        order by a.severity, a.created_at limit ${atMost(limit)}`),
  );
}

const locationFields = sql`coalesce(${markets.name}, ${vendingMachines.name}) as place, ${markets.id} as "marketId",
  ${vendingMachines.id} as "machineId",
  coalesce(${markets.routeDesignation}, ${vendingMachines.routeDesignation}) as "routeDesignation"`;

/** Joins the item that `type` and `id` name, and where it stands. */
function joinLocation(type: SQL, id: SQL): SQL {
  return sql`left join inventory_items i on ${type} = 'market_item' and i.id = ${id}
    left join ${markets} on ${markets.id} = i.market_id
    left join vending_machine_inventory t on ${type} = 'machine_slot' and t.id = ${id}
    left join ${vendingMachines} on ${vendingMachines.id} = t.machine_id`;
}

type LocationScope = { market: SQL; machine: SQL };

/** Two people's differing counts of one item that nobody has settled. */
export function findCountConflicts(db: Db, inScope: LocationScope, limit: number) {
  return rows<Found & { productName: string; first: number; second: number }>(
    db,
    plannedOnce(sql`select c.id, ${locationFields}, coalesce(i.product_name, t.product_name) as "productName",
          c.first_quantity as first, c.second_quantity as second, c.created_at as since, count(*) over ()::int as total
        from count_conflicts c ${joinLocation(sql`c.item_type`, sql`c.item_id`)}
        where c.resolved_at is null and coalesce(i.deleted_at, t.deleted_at) is null
          and ((${markets.id} is not null and ${inScope.market}) or (${vendingMachines.id} is not null and ${inScope.machine}))
        order by c.created_at limit ${atMost(limit)}`),
  );
}

/** Events of phones that were not booked; a field worker sees the own ones. */
export function findHeldEvents(db: Db, actorId: number | null, limit: number) {
  const itemId = sql`(case when h.event->>'itemId' ~ '^[0-9]{1,9}$' then (h.event->>'itemId')::int end)`;
  const own = actorId === null ? sql`true` : sql`h.actor_id = ${actorId}`;
  return rows<Omit<Found, 'place'> & { place: string | null; reason: string; productName: string | null }>(
    db,
    plannedOnce(sql`select h.event_id as id, ${locationFields}, coalesce(i.product_name, t.product_name) as "productName", h.reason,
          h.received_at as since, count(*) over ()::int as total
        from held_events h ${joinLocation(sql`h.event->>'itemType'`, itemId)}
        where h.resolved_at is null and ${own}
        order by h.received_at limit ${atMost(limit)}`),
  );
}
