import { sql } from 'drizzle-orm';
import type { DayEnd, DayWork } from '../../contract/day-ends.ts';
import type { DayEndEvent } from '../../domain/field-event.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { personName } from '../db/statements/person-name.ts';
import { nameOfMovement } from '../inventory/service.ts';

export type NewDayEnd = { event: DayEndEvent; userId: number; endedAt: Date };

/** Writes the end of a day; an older word about it never replaces a newer one. */
export async function upsertDayEnd(db: Db, { event, userId, endedAt }: NewDayEnd): Promise<void> {
  const { eventId, date, routeIds, returns, bagNumbers, unitsFilled, unsent } = event;
  await db.execute(
    sql`insert into day_ends (user_id, date, event_id, ended_at, route_ids, returns, bag_numbers, units_filled, unsent)
        select ${userId}, ${date}::date, ${eventId}::uuid, ${endedAt.toISOString()}::timestamptz,
          (select coalesce(array_agg(r.value::int order by r.n), '{}')
             from jsonb_array_elements_text(${JSON.stringify(routeIds)}::jsonb) with ordinality as r(value, n)),
          ${JSON.stringify(returns)}::jsonb,
          (select coalesce(array_agg(b.value order by b.n), '{}')
             from jsonb_array_elements_text(${JSON.stringify(bagNumbers)}::jsonb) with ordinality as b(value, n)),
          ${unitsFilled}, ${unsent}
        on conflict (user_id, date) do update set event_id = excluded.event_id, ended_at = excluded.ended_at,
          route_ids = excluded.route_ids, returns = excluded.returns, bag_numbers = excluded.bag_numbers,
          units_filled = excluded.units_filled, unsent = excluded.unsent
        where day_ends.ended_at <= excluded.ended_at`,
  );
}

/** The finished days of a date, of one person or of everybody. */
export function findDayEnds(db: Db, date: string, userId: number | null): Promise<DayEnd[]> {
  const own = userId === null ? sql`` : sql`and d.user_id = ${userId}`;
  return rows<DayEnd>(
    db,
    sql`select d.event_id as "eventId", d.user_id as "personId", ${personName('u')} as "personName",
          d.date::text as date, to_char(d.ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "endedAt",
          d.route_ids as "routeIds", d.returns, d.bag_numbers as "bagNumbers", d.units_filled as "unitsFilled", d.unsent
        from day_ends d join users u on u.id = d.user_id
        where d.date = ${date}::date ${own} order by d.ended_at, d.user_id`,
  );
}

/** What a person's phones recorded on a day of the operator's, oldest first. */
export function findDayMovements(
  db: Db,
  userId: number,
  { date, timeZone }: { date: string; timeZone: string },
): Promise<DayWork['movements']> {
  return rows<DayWork['movements'][number]>(
    db,
    sql`select m.event_id as "eventId", m.visit_id as "visitId", m.item_type as "itemType", m.item_id as "itemId",
          ${nameOfMovement} as "productName",
          m.kind, m.quantity, m.shown, m.reason
        from stock_movements m
        where m.actor_id = ${userId} and m.device_id is not null and m.kind <> 'sale'
          and m.received_at >= ${date}::date::timestamp at time zone ${timeZone}
          and m.effective_at >= ${date}::date::timestamp at time zone ${timeZone}
          and m.effective_at < (${date}::date + 1)::timestamp at time zone ${timeZone}
        order by m.effective_at, m.device_seq, m.event_id`,
  );
}

/** Cash bags of visits with a movement, and of those at stops of the person's routes of the day. */
export function findDayBags(
  db: Db,
  userId: number,
  { date, visitIds }: { date: string; visitIds: readonly string[] },
): Promise<DayWork['visits']> {
  return rows<DayWork['visits'][number]>(
    db,
    sql`select v.id as "visitId", v.bag_number as "bagNumber" from visits v
        where v.actor_id = ${userId} and (
          v.id = any(array(select value::uuid from jsonb_array_elements_text(${JSON.stringify(visitIds)}::jsonb)))
          or v.route_id = any(array(select r.id from routes r where r.date = ${date}::date)))
        order by v.opened_at, v.id`,
  );
}
