import { sql } from 'drizzle-orm';
import { distanceKm, toPoint } from '../../domain/location.ts';
import { type DrivenLeg, type EstimateFit, fitEstimate } from '../../domain/travel-estimate.ts';
import { recordAudit } from '../audit/service.ts';
import { type Db, rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { deleteFit, saveFit } from './queries.ts';

/** Legs learned from at most, the newest first. */
const mostLegs = 20_000;

type LegRow = {
  fromLat: string;
  fromLng: string;
  toLat: string;
  toLng: string;
  seconds: number;
  roadKm: number | null;
};

/**
 * Legs between stops completed one after the other: from leaving one, or from arriving there and the service planned, to
 * arriving at the next. Road lengths count only where an engine measured them. Legs that incidents slowed, or that led around
 * closed roads, teach nothing: plans add to the estimate what incidents take.
 */
function findDrivenLegs(db: Db, at: Date): Promise<LegRow[]> {
  return rows<LegRow>(
    db,
    sql`with driven as (
          select r.completed_at, r.distance_source, s.leg_distance_km, s.delay, s.stop_order, s.actual_arrival,
            coalesce(m.latitude, v.latitude) as lat, coalesce(m.longitude, v.longitude) as lng,
            lag(s.stop_order) over legs as before_order, lag(s.actual_arrival) over legs as before_arrival,
            lag(coalesce(greatest(s.completed_at, s.actual_arrival),
              s.actual_arrival + make_interval(mins => s.service_min))) over legs as before_left,
            lag(coalesce(m.latitude, v.latitude)) over legs as before_lat,
            lag(coalesce(m.longitude, v.longitude)) over legs as before_lng
          from routes r join route_stops s on s.route_id = r.id
          left join markets m on m.id = s.market_id
          left join vending_machines v on v.id = s.vending_machine_id
          where r.status = 'completed' and s.completed and s.actual_arrival is not null
            and r.completed_at > ${at.toISOString()}::timestamptz - interval '180 days'
          window legs as (partition by r.id order by s.stop_order))
        select before_lat::text as "fromLat", before_lng::text as "fromLng", lat::text as "toLat", lng::text as "toLng",
          extract(epoch from actual_arrival - before_left)::int as seconds,
          case when distance_source in ('valhalla', 'osrm') then leg_distance_km end as "roadKm"
        from driven where before_order = stop_order - 1 and actual_arrival > before_arrival and delay = 0
        order by completed_at desc limit ${mostLegs}`,
  );
}

/** Fits the estimate to completed routes and keeps it; null while too few legs were driven. */
export async function learnEstimate({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<EstimateFit | null> {
  const at = clock.now();
  const legs = (await findDrivenLegs(db, at)).map((row): DrivenLeg => {
    const from = toPoint({ latitude: row.fromLat, longitude: row.fromLng });
    const to = toPoint({ latitude: row.toLat, longitude: row.toLng });
    return { straightKm: distanceKm(from, to), drivenSeconds: row.seconds, roadKm: row.roadKm };
  });
  const fit = fitEstimate(legs);
  // Figures that are no better on legs they have not seen are not taken.
  if (fit && isBetter(fit)) await saveFit(db, fit, at);
  return fit;
}

const isBetter = ({ errorAfterMin, errorBeforeMin }: EstimateFit): boolean => errorAfterMin <= errorBeforeMin;

/** Learns at once, because a manager asks for it. */
export async function learnNow(deps: Deps, caller: Caller): Promise<'learned' | 'no-better' | 'too-few'> {
  const fit = await learnEstimate(deps);
  if (!fit) return 'too-few';
  if (!isBetter(fit)) return 'no-better';
  await recordAudit(deps.db, caller, { action: 'travel-estimate.learn', objectType: 'travel_estimate', objectId: 1 });
  return 'learned';
}

/** Back to the usual figures. */
export async function resetEstimate({ db }: Deps, caller: Caller): Promise<void> {
  await db.transaction(async (tx) => {
    await deleteFit(tx);
    await recordAudit(tx, caller, { action: 'travel-estimate.reset', objectType: 'travel_estimate', objectId: 1 });
  });
}
