import { type SQL, sql } from 'drizzle-orm';
import { visitBounds, visitsLearnedFrom } from '../../domain/service-time.ts';

const columns = {
  market: { own: sql`markets.id`, visit: sql`v.market_id`, stop: sql`s.market_id` },
  vending_machine: { own: sql`vending_machines.id`, visit: sql`v.vending_machine_id`, stop: sql`s.vending_machine_id` },
};

/**
 * Minutes of the latest visits of the location in the row, the newest first, as a JSON array. A stop that was driven without
 * a visit being written counts from its arrival to its end.
 */
export function pastMinutesOf(type: keyof typeof columns): SQL {
  const { own, visit, stop } = columns[type];
  const { leastMin, mostMin } = visitBounds;
  const minutes = (from: SQL, until: SQL): SQL => sql`extract(epoch from ${until} - ${from})::float8 / 60`;
  return sql`coalesce((select jsonb_agg(p.minutes order by p.at desc) from (
    select past.minutes, past.at from (
      select ${minutes(sql`v.opened_at`, sql`v.closed_at`)} as minutes, v.opened_at as at from visits v
      where ${visit} = ${own} and v.closed_at is not null
      union all
      select ${minutes(sql`s.actual_arrival`, sql`s.completed_at`)}, s.actual_arrival from route_stops s
      where ${stop} = ${own} and s.completed_at is not null and s.actual_arrival is not null
        and not exists (select 1 from visits v where ${visit} = ${stop} and v.stop_id = s.id and v.closed_at is not null)
    ) past where past.minutes between ${leastMin} and ${mostMin} order by past.at desc limit ${visitsLearnedFrom}) p), '[]')`;
}
