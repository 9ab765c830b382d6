import { sql } from 'drizzle-orm';
import type { IncidentCircle, KnownLine } from '../../domain/incident-effect.ts';
import type { Point } from '../../domain/location.ts';
import { type Db, rows } from '../db/database.ts';
import type { CacheKey } from './cache.ts';
import { decodePolyline, encodePolyline } from './engines/polyline.ts';
import type { Leg } from './engines/provider.ts';
import { type Spot, spotKey, spotOf } from './grid.ts';

const decimals = 5;
const rowsAtOnce = 200;
/** Degrees of latitude of a kilometre. */
const degreesPerKm = 1 / 111.195;

const isOf = ({ profile, version }: CacheKey) => sql`w.profile = ${profile} and w.version = ${version}`;

type Stored = { seconds: number; metres: number; line: string; isStale: boolean };

/** The legs from point to point as they are stored; null where one of them is not. */
export async function readLegs(db: Db, key: CacheKey, points: readonly Point[]): Promise<Leg[] | null> {
  const wanted = JSON.stringify(pairsOf(points));
  const at = key.at.toISOString();
  const asked = sql`jsonb_to_recordset(${wanted}::jsonb) as r(n int, "fromLat" int, "fromLng" int, "toLat" int, "toLng" int)`;
  const isAsked = sql`${isOf(key)} and w.from_lat = r."fromLat" and w.from_lng = r."fromLng"
    and w.to_lat = r."toLat" and w.to_lng = r."toLng"`;
  const found = await rows<Stored>(
    db,
    sql`select w.seconds, w.metres, w.line, w.used_at < ${at}::timestamptz - interval '1 day' as "isStale"
        from ${asked} join travel_lines w on ${isAsked} order by r.n`,
  );
  if (found.length < points.length - 1) return null;
  // Once a day is enough to tell what is in use.
  if (found.some((row) => row.isStale)) {
    await db.execute(sql`update travel_lines w set used_at = ${at}::timestamptz from ${asked} where ${isAsked}`);
  }
  return found.map(({ seconds, metres, line }) => ({ seconds, metres, geometry: decodePolyline(line, decimals) }));
}

type Pair = { n: number; fromLat: number; fromLng: number; toLat: number; toLng: number };

function pairsOf(points: readonly Point[]): Pair[] {
  const spots = points.map(spotOf);
  return spots.slice(1).flatMap((to, n) => {
    const from = spots[n];
    return from ? [{ n, fromLat: from.lat, fromLng: from.lng, toLat: to.lat, toLng: to.lng }] : [];
  });
}

/** Stores legs that follow a road; of two processes that store the same one either may win. */
export async function writeLegs(db: Db, key: CacheKey, points: readonly Point[], legs: readonly (Leg | null)[]) {
  const fresh = new Map<string, Pair & ReturnType<typeof columnsOf>>();
  for (const pair of pairsOf(points)) {
    const leg = legs[pair.n];
    if (!leg || leg.seconds === null || leg.metres === null || leg.geometry.length === 0) continue;
    const name = [pair.fromLat, pair.fromLng, pair.toLat, pair.toLng].join();
    fresh.set(name, { ...pair, ...columnsOf(leg) });
  }
  // One order for everybody, so that two writers never wait for each other.
  const ready = [...fresh.keys()].sort().flatMap((name) => fresh.get(name) ?? []);
  for (let start = 0; start < ready.length; start += rowsAtOnce) {
    await db.execute(
      sql`insert into travel_lines (profile, version, from_lat, from_lng, to_lat, to_lng, seconds, metres, line,
            south, west, north, east, used_at)
          select ${key.profile}, ${key.version}, r."fromLat", r."fromLng", r."toLat", r."toLng", r.seconds, r.metres, r.line,
            r.south, r.west, r.north, r.east, ${key.at.toISOString()}::timestamptz
          from jsonb_to_recordset(${JSON.stringify(ready.slice(start, start + rowsAtOnce))}::jsonb)
            as r("fromLat" int, "fromLng" int, "toLat" int, "toLng" int, seconds int, metres int, line text,
              south int, west int, north int, east int)
          on conflict (profile, version, from_lat, from_lng, to_lat, to_lng) do update set used_at = excluded.used_at`,
    );
  }
}

function columnsOf({ seconds, metres, geometry }: Leg) {
  const spots = geometry.map(spotOf);
  const [lats, lngs] = [spots.map(({ lat }) => lat), spots.map(({ lng }) => lng)];
  return {
    seconds,
    metres,
    line: encodePolyline(geometry, decimals),
    south: least(lats),
    west: least(lngs),
    north: most(lats),
    east: most(lngs),
  };
}

// A long way has more points than a call takes arguments.
const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));

type Near = { fromLat: number; fromLng: number; toLat: number; toLng: number; line: string | null };

/**
 * The roads between any two of the points of which the course is stored. One that is far from every circle comes without
 * its points: that it is not touched is all there is to say of it.
 */
export async function readLines(
  db: Db,
  key: CacheKey,
  points: readonly Point[],
  circles: readonly IncidentCircle[],
): Promise<KnownLine[]> {
  const indexesOf = new Map<number, number[]>();
  const spots: Spot[] = [];
  for (const [index, point] of points.entries()) {
    const spot = spotOf(point);
    const indexes = indexesOf.get(spotKey(spot));
    if (indexes) indexes.push(index);
    else {
      indexesOf.set(spotKey(spot), [index]);
      spots.push(spot);
    }
  }
  const found = await rows<Near>(
    db,
    sql`with spots as materialized (select * from jsonb_to_recordset(${JSON.stringify(spots)}::jsonb) as r(lat int, lng int)),
          boxes as materialized (select * from jsonb_to_recordset(${JSON.stringify(circles.map(boxOf))}::jsonb)
            as r(south int, west int, north int, east int))
        select w.from_lat as "fromLat", w.from_lng as "fromLng", w.to_lat as "toLat", w.to_lng as "toLng",
          case when exists (select 1 from boxes b where w.south <= b.north and w.north >= b.south
            and w.west <= b.east and w.east >= b.west) then w.line end as line
        from spots s join travel_lines w on ${isOf(key)} and w.from_lat = s.lat and w.from_lng = s.lng
        where (w.to_lat, w.to_lng) in (select lat, lng from spots)`,
  );
  return found.flatMap(({ fromLat, fromLng, toLat, toLng, line }) => {
    const course = line === null ? [] : decodePolyline(line, decimals);
    const starts = indexesOf.get(spotKey({ lat: fromLat, lng: fromLng })) ?? [];
    const targets = indexesOf.get(spotKey({ lat: toLat, lng: toLng })) ?? [];
    return starts.flatMap((from) => targets.map((to) => ({ from, to, line: course })));
  });
}

function boxOf({ lat, lng, radiusKm }: IncidentCircle) {
  const high = radiusKm * degreesPerKm;
  const wide = high / Math.max(0.01, Math.cos((lat * Math.PI) / 180));
  const [southWest, northEast]: [Spot, Spot] = [
    spotOf({ lat: lat - high, lng: lng - wide }),
    spotOf({ lat: lat + high, lng: lng + wide }),
  ];
  return { south: southWest.lat, west: southWest.lng, north: northEast.lat, east: northEast.lng };
}

/** Removes what nobody asked for in a month: places that are gone, and answers of earlier maps. */
export async function purgeLines(db: Db, at: Date): Promise<void> {
  await db.execute(sql`delete from travel_lines where used_at < ${at.toISOString()}::timestamptz - interval '30 days'`);
}
