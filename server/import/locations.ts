import type { LocationType } from '../../domain/location.ts';
import { type ImportedMachine, saveImportedMachines } from '../machines/service.ts';
import { type ImportedMarket, saveImportedMarkets } from '../markets/service.ts';
import { readNumbers } from './file/cells.ts';
import { type Columns, matchColumns, requireAny } from './file/columns.ts';
import {
  type LocationField,
  locationAliases,
  longestOfPlace,
  type Place,
  pointCells,
  readPlace,
  unknownKind,
  unknownStatus,
} from './places.ts';
import { findOccupiedCells, findOfOtherType } from './queries.ts';
import { flagCut, inChunks, namedColumns, type Outcome, type Run, wholeRows } from './run.ts';
import { type Around, cellDegrees, farthestLatitude, longitudeOf, looksSwapped } from './swapped-points.ts';

const chunkSize = 2000;
const noAddress = '(no address)';
const lookedUp = 'no latitude and longitude: placed where its address was found; look on the map whether it is there';

/** Imports markets and vending machines. A row without a usable point is refused: it would be drawn where nothing is. */
export async function importLocations(run: Run): Promise<Outcome> {
  const columns = matchColumns<LocationField>(run.table, locationAliases, run.map);
  requirePlaces(run, columns);
  if (!columns.has('status')) run.tally.note('No column tells a status: new places are active.');
  const tellsOfMachines = columns.has('model') || columns.has('serialNumber');
  if (tellsOfMachines && !columns.has('machineId') && !columns.has('kind'))
    run.tally.note('No column tells a Machine ID: new places are markets, not machines.');
  if (columns.has('applicant') && !columns.has('name')) {
    const column = columns.nameOf('applicant');
    run.tally.note(
      `Column '${column}' names persons and companies: only trade names after 'dba' are taken. Say that it means the name to take all.`,
    );
  }
  const points: Points = { around: await findAround(run), seen: 0, turned: [] };
  for await (const places of inChunks(readPlaces(run, columns, points), chunkSize)) await savePlaces(run, places);
  return {
    columns: namedColumns(columns, Object.keys(locationAliases) as LocationField[]),
    swapped: saySwapped(run, points),
  };
}

/** Where an address search is set up, an address says as well where a place is. */
function requirePlaces({ table, located }: Run, columns: Columns<LocationField>): void {
  const fields: readonly LocationField[] = located ? ['address', 'street'] : [];
  requireAny(table, columns, ['latitude', 'geometry', 'latitudeFirst', ...fields]);
  if (columns.has('latitude')) requireAny(table, columns, ['longitude', 'geometry', 'latitudeFirst']);
}

/** How many points there are, and the lines of those that look like latitude and longitude exchanged. */
type Points = { around: Around; seen: number; turned: number[] };

async function findAround({ tx, operator, at }: Run): Promise<Around> {
  const cells = new Set(await findOccupiedCells(tx, { degrees: cellDegrees, latitude: farthestLatitude }));
  return { cells, longitude: longitudeOf(operator.timeZone, at.toISOString().slice(0, 10)) };
}

/** Single rows are named; most of them mean that the columns are the wrong way round. */
function saySwapped(run: Run, { seen, turned }: Points): boolean {
  if (turned.length * 2 > seen) {
    run.tally.note(
      `Latitude and longitude look swapped: ${turned.length} of ${seen} points lie where you are only the other way round.`,
    );
    return true;
  }
  for (const line of turned) run.tally.flag(line, 'latitude and longitude look swapped: placed as written');
  return false;
}

async function* readPlaces(run: Run, columns: Columns<LocationField>, points: Points): AsyncGenerator<Place> {
  const firstLines = new Map<string, number>();
  for await (const row of wholeRows(run, columns)) {
    const numbers = readNumbers(pointCells(columns, row));
    if (numbers) {
      points.seen += 1;
      if (looksSwapped(numbers, points.around)) points.turned.push(row.line);
    }
    const located = run.located?.get(row.line);
    const place =
      typeof located === 'string' ? `has no point, and ${located}` : readPlace(columns, row, located?.point);
    if (typeof place === 'string') {
      run.tally.refuse(row.line, place);
      continue;
    }
    const keys = place.type === 'market' ? [place.integrationId] : [place.integrationId, `machine ${place.machineId}`];
    const before = keys.map((key) => firstLines.get(key)).find((line) => line !== undefined);
    if (before !== undefined) {
      run.tally.refuse(row.line, `repeats the location of line ${before}`);
      continue;
    }
    for (const key of keys) firstLines.set(key, row.line);
    const kind = unknownKind(columns, row);
    if (kind !== null) run.tally.flag(row.line, `'${kind}' is neither a market nor a machine: taken for a market`);
    const status = unknownStatus(columns, row);
    if (status !== null) run.tally.flag(row.line, `the status '${status}' is not known: taken as active`);
    if (located && typeof located !== 'string' && located.isLookedUp) run.tally.flag(row.line, lookedUp);
    flagGaps(run, place);
    flagCut(run, columns, row, longestOfPlace);
    yield place;
  }
}

function flagGaps(run: Run, place: Place): void {
  if (place.name === null) run.tally.flag(place.line, 'no name: called by operator, or by kind and address');
  if (place.address === null) run.tally.flag(place.line, `no address: shown as ${noAddress}`);
}

async function savePlaces(run: Run, places: readonly Place[]): Promise<void> {
  const markets = await ofType(run, places, 'market');
  const machines = await ofType(run, places, 'vending_machine');
  const saved = [
    await saveImportedMarkets(run.tx, markets.map(toMarket), run),
    await saveImportedMachines(run.tx, machines.map(toMachine), run.at),
  ];
  const created = saved.reduce((sum, one) => sum + one.created, 0);
  const updated = saved.reduce((sum, one) => sum + one.updated, 0);
  run.tally.count({ created, updated, unchanged: markets.length + machines.length - created - updated });
}

/** Places of one type, without those that stand already as the other: their stock and history hang on it. */
async function ofType(run: Run, places: readonly Place[], type: LocationType): Promise<Place[]> {
  const wanted = places.filter((place) => place.type === type);
  const taken = await findOfOtherType(
    run.tx,
    type,
    wanted.map((place) => place.integrationId),
  );
  const other = type === 'market' ? 'vending machine' : 'market';
  return wanted.filter((place) => {
    if (!taken.has(place.integrationId)) return true;
    run.tally.refuse(place.line, `is known as a ${other} already`);
    return false;
  });
}

const shared = ({
  line: _line,
  type: _type,
  machineId: _machineId,
  location: _location,
  model: _model,
  serialNumber: _serialNumber,
  ...place
}: Place) => ({
  ...place,
  integrationSource: 'import',
  fallbackAddress: noAddress,
});

function toMarket(place: Place): ImportedMarket {
  return shared(place);
}

function toMachine(place: Place): ImportedMachine {
  return {
    ...shared(place),
    machineId: place.machineId,
    location: place.location,
    model: place.model,
    serialNumber: place.serialNumber,
    fallbackLocation: place.name ?? place.fallbackName,
  };
}
