import { sql } from 'drizzle-orm';
import { type Db, rows } from '../db/database.ts';
import { type Grid, putCell, type Spot, spotKey } from './grid.ts';

const cellBytes = 16;
/** A row that has grown past this begins anew: what it held is old and asked for rarely. */
const rowLimitBytes = cellBytes * 20_000;
const rowsAtOnce = 200;

/** Whose answers: the profile with what else they depend on, and the version of engine and map. */
export type CacheKey = { profile: string; version: string; at: Date };

/** Fills a grid over spots with what is stored. */
export async function readCache(db: Db, { profile, version, at }: CacheKey, spots: readonly Spot[], grid: Grid) {
  const columnOf = new Map(spots.map((spot, index) => [spotKey(spot), index]));
  for (let start = 0; start < spots.length; start += rowsAtOnce) {
    const asked = JSON.stringify(spots.slice(start, start + rowsAtOnce));
    const among = sql`profile = ${profile} and version = ${version} and (from_lat, from_lng) in
      (select r.lat, r.lng from jsonb_to_recordset(${asked}::jsonb) as r(lat int, lng int))`;
    const found = await rows<{ lat: number; lng: number; cells: string; isStale: boolean }>(
      db,
      sql`select from_lat as lat, from_lng as lng, encode(cells, 'base64') as cells,
            used_at < ${at.toISOString()}::timestamptz - interval '1 day' as "isStale"
          from travel_rows where ${among}`,
    );
    for (const row of found) readRow(row, columnOf, grid);
    // Once a day is enough to tell what is in use.
    if (found.some((row) => row.isStale)) {
      await db.execute(sql`update travel_rows set used_at = ${at.toISOString()}::timestamptz where ${among}`);
    }
  }
}

type StoredRow = Spot & { cells: string };

function readRow(row: StoredRow, columnOf: ReadonlyMap<number, number>, grid: Grid): void {
  const from = columnOf.get(spotKey(row));
  if (from === undefined) return;
  const cells = Buffer.from(row.cells, 'base64');
  for (let at = 0; at + cellBytes <= cells.length; at += cellBytes) {
    const to = columnOf.get(spotKey({ lat: cells.readInt32BE(at), lng: cells.readInt32BE(at + 4) }));
    if (to === undefined || to === from) continue;
    const seconds = cells.readInt32BE(at + 8);
    putCell(grid, from, to, seconds < 0 ? [null, null] : [seconds, cells.readInt32BE(at + 12)]);
  }
}

/** A row of new cells: columns of the grid whose answers were not stored before. */
export type NewCells = { row: number; columns: readonly number[] };

/** Appends cells of the grid; of two processes that store the same cell either may win. */
export async function writeCache(
  db: Db,
  key: CacheKey,
  spots: readonly Spot[],
  content: { grid: Grid; fresh: readonly NewCells[] },
) {
  const ready = content.fresh
    .flatMap(({ row, columns }) => {
      const from = spots[row];
      const cells = packed(content.grid, row, columns, spots);
      return from && cells.length ? [{ ...from, cells: cells.toString('base64') }] : [];
    })
    // One order for everybody, so that two writers never wait for each other.
    .sort((a, b) => spotKey(a) - spotKey(b));
  for (let start = 0; start < ready.length; start += rowsAtOnce) {
    const some = JSON.stringify(ready.slice(start, start + rowsAtOnce));
    await db.execute(
      sql`insert into travel_rows (profile, version, from_lat, from_lng, cells, used_at)
          select ${key.profile}, ${key.version}, r.lat, r.lng, decode(r.cells, 'base64'), ${key.at.toISOString()}::timestamptz
          from jsonb_to_recordset(${some}::jsonb) as r(lat int, lng int, cells text) order by r.lat, r.lng
          on conflict (profile, version, from_lat, from_lng) do update set used_at = excluded.used_at,
            cells = case when octet_length(travel_rows.cells) > ${rowLimitBytes} then excluded.cells
                    else travel_rows.cells || excluded.cells end`,
    );
  }
}

function packed(grid: Grid, row: number, columns: readonly number[], spots: readonly Spot[]): Buffer {
  const cells = Buffer.alloc(columns.length * cellBytes);
  let at = 0;
  for (const column of columns) {
    const spot = spots[column];
    const seconds = grid.durations[row]?.[column];
    const metres = grid.distances[row]?.[column];
    if (!spot || seconds === undefined || metres === undefined || row === column) continue;
    cells.writeInt32BE(spot.lat, at);
    cells.writeInt32BE(spot.lng, at + 4);
    cells.writeInt32BE(seconds ?? -1, at + 8);
    cells.writeInt32BE(metres ?? -1, at + 12);
    at += cellBytes;
  }
  return cells.subarray(0, at);
}

/** Removes what nobody asked for in a month: places that are gone, and answers of earlier maps. */
export async function purgeCache(db: Db, at: Date): Promise<void> {
  await db.execute(sql`delete from travel_rows where used_at < ${at.toISOString()}::timestamptz - interval '30 days'`);
}
