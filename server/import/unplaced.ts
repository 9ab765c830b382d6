import { AppError } from '../../domain/errors.ts';
import type { Db } from '../db/database.ts';
import type { FindPoint } from '../geocoding/service.ts';
import { type ColumnMap, type Columns, matchColumns, widthProblem } from './file/columns.ts';
import { openTable, type Table } from './file/read-table.ts';
import { type LocationField, locationAliases, readUnplaced, type Unplaced } from './places.ts';
import { findStanding } from './queries.ts';
import type { Watch } from './report.ts';
import { inChunks, type Located, type LocatedRows } from './run.ts';

/** At the pace of a public search, one a second, this is most of an hour. */
const mostLookedUp = 3_000;
const chunkSize = 2_000;

type Asked = { db: Db; file: string; map: ColumnMap; find: FindPoint; watch: Watch | undefined };

/**
 * Where the rows without a point are: where their place stands already, else where the address search finds it. Asked before
 * anything is written, so that nobody waits for the search. Throws AppError where it does not answer, or has too much to do.
 */
export async function locateRows({ db, file, map, find, watch }: Asked): Promise<LocatedRows> {
  const located = new Map<number, Located>();
  const table = await openTable(file);
  try {
    const columns = matchColumns<LocationField>(table, locationAliases, map);
    let lookedUp = 0;
    for await (const rows of inChunks(unplacedRows(table, columns), chunkSize)) {
      const standing = await findStanding(db, rows);
      for (const { line, asked } of rows) {
        const point = standing.get(line);
        if (point) located.set(line, { point, isLookedUp: false });
        if (point || asked === null) continue;
        lookedUp += 1;
        if (lookedUp > mostLookedUp) throw tooMany();
        const found = await find(asked);
        located.set(line, typeof found === 'string' ? found : { point: found, isLookedUp: true });
        watch?.({ read: lookedUp, done: 0 });
      }
    }
  } finally {
    await table.close();
  }
  return located;
}

const tooMany = (): AppError =>
  new AppError(
    'invalid-input',
    `More than ${mostLookedUp.toLocaleString('en-US')} places without latitude and longitude: their addresses are looked up in parts. Split the file.`,
  );

async function* unplacedRows(table: Table, columns: Columns<LocationField>): AsyncGenerator<Unplaced> {
  for await (const row of table.rows) {
    const unplaced = widthProblem(row, columns.width) === null ? readUnplaced(columns, row) : null;
    if (unplaced) yield unplaced;
  }
}
