import { type SQL, sql } from 'drizzle-orm';
import type { DayRange } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { piecesOf } from './place-pieces.ts';

export type Wish = { range: DayRange; system: string | null; currency: string };

const ofSystem = (system: string | null): SQL => (system === null ? sql`true` : sql`system = ${system}`);

const inRange = ({ range, system, currency }: Wish): SQL =>
  sql`day between ${range.from} and ${range.to} and currency = ${currency} and ${ofSystem(system)}`;

export type SystemSum = {
  system: string;
  lines: number;
  units: number;
  completed: number;
  failed: number;
  pending: number;
  refunded: number;
  revenue: string;
  cash: string;
  refunds: string;
  fees: string;
  feeLines: number;
};

export function findSystemSums(db: Db, wish: Wish): Promise<SystemSum[]> {
  const of = (status: string): SQL => sql`coalesce(sum(lines) filter (where status = ${status}), 0)::int`;
  return rows<SystemSum>(
    db,
    sql`select system, sum(lines)::int as lines, sum(units)::int as units, ${of('completed')} as completed,
          ${of('failed')} as failed, ${of('pending')} as pending, ${of('refunded')} as refunded,
          sum(revenue)::numeric(16, 2)::text as revenue,
          coalesce(sum(revenue) filter (where payment_method = 'cash'), 0)::numeric(16, 2)::text as cash,
          coalesce(sum(revenue) filter (where status = 'refunded'), 0)::numeric(16, 2)::text as refunds,
          sum(fee)::numeric(16, 2)::text as fees, sum(fee_lines)::int as "feeLines"
        from payment_days where ${inRange(wish)} group by 1 having sum(lines) <> 0 order by sum(revenue) desc, 1`,
  );
}

export type Cut = {
  by: 'day' | 'method' | 'card' | 'status' | 'hour';
  key: string;
  system: string;
  lines: number;
  amount: string;
  revenue: string;
};

/**
 * What was given back, as one amount: a payment that was given back brings nothing and has its price, a refund of its own has below
 * zero what it takes away, and their sum would be neither.
 */
const shownAmount = sql`sum(case when status = 'refunded' then amount - 2 * revenue else amount end)`;

/** The range cut by day and system, and by method, card type, state and hour. */
export function findCuts(db: Db, wish: Wish): Promise<Cut[]> {
  return rows<Cut>(
    db,
    sql`with cuts as (
          select case when grouping(day) = 0 then 'day' when grouping(payment_method) = 0 then 'method'
              when grouping(card_type) = 0 then 'card' else 'status' end as by,
            case when grouping(day) = 0 then day::text when grouping(payment_method) = 0 then payment_method
              when grouping(card_type) = 0 then card_type else status end as key,
            system, sum(lines) as lines, ${shownAmount} as amount, sum(revenue) as revenue
          from payment_days where ${inRange(wish)}
          group by grouping sets ((day, system), (payment_method), (card_type), (status))
          union all
          select 'hour', hour::text, null, sum(lines), sum(amount), sum(revenue)
          from payment_hours where ${inRange(wish)} group by hour)
        select by, key, coalesce(system, '') as system, lines::int, amount::numeric(16, 2)::text as amount,
          revenue::numeric(16, 2)::text as revenue
        from cuts where lines <> 0 order by by, cuts.revenue desc, key`,
  );
}

export async function findBefore(db: Db, wish: Wish): Promise<{ lines: number; revenue: string }> {
  const found = await firstRow<{ lines: number; revenue: string }>(
    db,
    sql`select coalesce(sum(lines), 0)::int as lines, coalesce(sum(revenue), 0)::numeric(16, 2)::text as revenue
        from payment_days where ${inRange(wish)}`,
  );
  return found ?? { lines: 0, revenue: '0.00' };
}

/** Amounts of two currencies are never added: those that are not the operator's stand apart. */
export function findOtherCurrencies(db: Db, { range, system, currency }: Wish) {
  return rows<{ currency: string; lines: number; revenue: string }>(
    db,
    sql`select currency, sum(lines)::int as lines, sum(revenue)::numeric(16, 2)::text as revenue from payment_days
        where day between ${range.from} and ${range.to} and currency <> ${currency} and ${ofSystem(system)}
        group by 1 having sum(lines) <> 0 order by 1`,
  );
}

/** Systems that ever told of a payment, found by steps over the key instead of reading all rows, and configured ones. */
export async function findKnownSystems(db: Db): Promise<string[]> {
  const found = await rows<{ system: string }>(
    db,
    sql`with recursive told as (
          select min(system) as system from payment_days
          union all
          select (select min(d.system) from payment_days d where d.system > told.system) from told where told.system is not null)
        select system from told where system is not null
        union select distinct system from integration_configs where removed_at is null`,
  );
  return found.map(({ system }) => system);
}

export type PlaceSum = {
  place: string;
  name: string;
  locationType: 'market' | 'vending_machine' | null;
  locationId: number | null;
  lines: number;
  failed: number;
  revenue: string;
  places: number;
};

/** The sums of places that come to those of a range; see `piecesOf`. */
function sumsOf({ range, system, currency }: Wish): SQL {
  const parts = piecesOf(range).map(({ grain, from, to, sign }) => {
    const signed = (value: SQL): SQL => (sign === 1 ? value : sql`-${value}`);
    const table = grain === 'block' ? sql`payment_blocks where` : sql`payment_places where grain = ${grain} and`;
    return sql`select place, ${signed(sql`lines`)} as lines, ${signed(sql`failed`)} as failed, ${signed(sql`revenue`)} as revenue
      from ${table} first_day between ${from}::date and ${to}::date and currency = ${currency} and ${ofSystem(system)}`;
  });
  return sql.join(parts, sql` union all `);
}

/** Sums by place; readers that stand in one machine are one place, the machine. */
export function findPlaceSums(db: Db, wish: Wish, limit: number): Promise<PlaceSum[]> {
  return rows<PlaceSum>(
    db,
    sql`with told as (
          select place, sum(lines) as lines, sum(failed) as failed, sum(revenue) as revenue from (${sumsOf(wish)}) s
          group by 1
        ), devices as (
          select 'device:' || config_id || ':' || vendor_id as place, name,
            case when machine_id is not null then 'vending_machine:' || machine_id
                 when market_id is not null then 'market:' || market_id end as linked
          from vendor_devices
        ), placed as (
          select coalesce(d.linked, t.place) as place, max(d.name) as device_name, sum(t.lines)::int as lines,
            sum(t.failed)::int as failed, sum(t.revenue) as revenue, count(*) over ()::int as places
          from told t left join devices d using (place) group by 1 having sum(t.lines) <> 0
          order by sum(t.revenue) desc, 1 limit ${limit}
        )
        select p.place, coalesce(m.name, k.name, p.device_name, split_part(p.place, ':', 3), '') as name,
          case when m.id is not null then 'vending_machine' when k.id is not null then 'market' end as "locationType",
          coalesce(m.id, k.id) as "locationId", p.lines, p.failed, p.revenue::numeric(16, 2)::text as revenue, p.places
        from placed p
        left join vending_machines m on m.id = case split_part(p.place, ':', 1) when 'vending_machine' then split_part(p.place, ':', 2)::int end
        left join markets k on k.id = case split_part(p.place, ':', 1) when 'market' then split_part(p.place, ':', 2)::int end
        order by p.revenue desc, 1`,
  );
}
