import { createHash } from 'node:crypto';
import { isAccessHours } from '../../domain/access-hours.ts';
import type { LocationStatus, LocationType } from '../../domain/location.ts';
import { fitting, lacksPoint, type PointCells, type ReadPoint, readPoint, squeezed } from './file/cells.ts';
import type { Aliases, Columns } from './file/columns.ts';
import { machineNumberNames, plainName } from './file/columns.ts';
import type { SourceRow } from './file/read-table.ts';
import type { Longest } from './run.ts';

export const locationAliases = {
  id: [
    'osmid',
    'locationid',
    'licensenumber',
    'licencenumber',
    'externalid',
    'siteid',
    'storeid',
    'marketid',
    'marketnumber',
    'id',
  ],
  machineId: machineNumberNames,
  name: [
    'name',
    'dbaname',
    'locationname',
    'sitename',
    'marketname',
    'machinename',
    'storename',
    'title',
    'customer',
    'customername',
    'account',
    'accountname',
  ],
  // A licence register's person or company: only the trade name after 'dba' is taken.
  applicant: ['applicant'],
  kind: ['type', 'locationtype', 'kind', 'facilitytype'],
  operator: ['operator'],
  location: ['location', 'place', 'site', 'spot', 'placement', 'room', 'floor', 'area'],
  address: ['address', 'fulladdress', 'streetaddress', 'addressline1'],
  houseNumber: ['housenumber', 'streetnumber', 'addrhousenumber'],
  street: ['street', 'streetname', 'addrstreet'],
  addressLine2: ['addressline2', 'address2'],
  city: ['city', 'town', 'addrcity'],
  state: ['state', 'province', 'region', 'addrstate'],
  postcode: ['postcode', 'zip', 'zipcode', 'postalcode'],
  latitude: ['latitude', 'lat', 'y'],
  longitude: ['longitude', 'lng', 'lon', 'long', 'x'],
  geometry: ['georeference', 'geometry', 'geom', 'thegeom', 'wkt', 'point', 'coordinates'],
  // Nothing is called so: somebody says it of a column.
  latitudeFirst: [],
  status: ['status', 'state of service'].map(plainName),
  routeDesignation: ['routedesignation', 'route', 'routenumber', 'routeno', 'routename', 'routecode'],
  phone: ['phone', 'telephone', 'contactphone'],
  openingHours: ['openinghours', 'dayshours', 'hours'],
  model: ['model', 'modelname', 'machinemodel', 'equipmentmodel'],
  serialNumber: ['serialnumber', 'serialno', 'serial'],
} satisfies Aliases<string>;

export type LocationField = keyof typeof locationAliases;

export const longestOfPlace = {
  ...{ name: 255, address: 500, location: 255, city: 100, state: 50, routeDesignation: 20, openingHours: 255 },
  ...{ machineId: 100, model: 100, serialNumber: 100 },
} satisfies Longest<LocationField>;

/** A market or machine as a row tells it. */
export type Place = {
  line: number;
  type: LocationType;
  integrationId: string;
  machineId: string;
  name: string | null;
  fallbackName: string;
  location: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  latitude: string;
  longitude: string;
  status: LocationStatus | null;
  routeDesignation: string | null;
  accessHours: string | null;
  model: string | null;
  serialNumber: string | null;
  data: Record<string, string> | null;
};

const machineKinds = new Set(['vendingmachine', 'vending', 'machine', 'vm']);
const marketKinds = new Set(['market', 'micromarket', 'smartstore', 'smartcooler', 'store', 'shop']);
const outOfUse = new Set(['inactive', 'expired', 'suspend', 'suspended', 'requested', 'closed', 'removed', 'retired']);
const inUse = new Set(
  ['active', 'approved', 'issued', 'open', 'in use', 'in service', 'operational', 'operating', 'running', 'live'].map(
    plainName,
  ),
);
const underRepair = new Set(['maintenance', 'repair', 'outoforder', 'outofservice']);

/** The cells of a row that tell where it is. */
export function pointCells(columns: Columns<LocationField>, row: SourceRow): PointCells {
  const read = (field: LocationField): string => squeezed(columns.read(row, field));
  return {
    latitude: read('latitude'),
    longitude: read('longitude'),
    geometry: read('geometry'),
    latitudeFirst: read('latitudeFirst'),
  };
}

/**
 * What is known of a row that does not say where it is: whom it means, and what to ask an address search for, if anything. Only a
 * machine is known by its Machine ID too; the number of a market may be that of a machine.
 */
export type Unplaced = { line: number; integrationId: string; machineId: string | null; asked: string | null };

/** The row where it says nothing of where it is; null where it does. */
export function readUnplaced(columns: Columns<LocationField>, row: SourceRow): Unplaced | null {
  if (!lacksPoint(pointCells(columns, row))) return null;
  const read = (field: LocationField): string => squeezed(columns.read(row, field));
  const street = addressOf(read);
  const town = [read('state'), read('postcode')].filter(Boolean).join(' ');
  const asked = street === '' ? null : [street, read('city'), town].filter(Boolean).join(', ');
  const { integrationId, machineId } = identityOf(columns, read, told(read, noPoint));
  const isMachine = typeIn(read) === 'vending_machine';
  return { line: row.line, asked, integrationId, machineId: isMachine ? machineId : null };
}

const noPoint = { latitude: '', longitude: '' };

/**
 * Reads one row; a text is the reason why it cannot become a location. `found` is where one stands that does not say so
 * itself: whom it means does not depend on that.
 */
export function readPlace(
  columns: Columns<LocationField>,
  row: SourceRow,
  found: ReadPoint | null = null,
): Place | string {
  const read = (field: LocationField): string => squeezed(columns.read(row, field));
  const point = found ?? readPoint(pointCells(columns, row));
  if (typeof point === 'string') return point;
  const kind = kindIn(read('kind'));
  const type = typeIn(read);
  const address = addressIn(read);
  const name = nameIn(read);
  const identity = identityOf(columns, read, told(read, found ? noPoint : point));
  return {
    ...point,
    line: row.line,
    type,
    integrationId: identity.integrationId,
    machineId: identity.machineId,
    name,
    fallbackName:
      fitting(builtName(read, kind, type, address ?? identity.machineId), longestOfPlace.name) ?? identity.machineId,
    location: fitting(spotOf(read), longestOfPlace.location),
    address,
    city: fitting(read('city'), longestOfPlace.city),
    state: fitting(read('state'), longestOfPlace.state),
    status: readStatus(read('status')),
    routeDesignation: fitting(read('routeDesignation'), longestOfPlace.routeDesignation),
    accessHours: isAccessHours(read('openingHours'))
      ? fitting(read('openingHours'), longestOfPlace.openingHours)
      : null,
    model: fitting(read('model'), longestOfPlace.model),
    serialNumber: fitting(read('serialNumber'), longestOfPlace.serialNumber),
    data: extras(read),
  };
}

/** OpenStreetMap writes it after the key: `amenity=vending_machine`. */
const kindIn = (cell: string): string => cell.split('=').at(-1) ?? '';

/** A list of machines seldom has a column that says so: a Machine ID does, where the row does not call itself a market. */
function typeIn(read: Read): LocationType {
  const kind = plainName(kindIn(read('kind')));
  if (machineKinds.has(kind)) return 'vending_machine';
  return read('machineId') !== '' && !marketKinds.has(kind) ? 'vending_machine' : 'market';
}

type Read = (field: LocationField) => string;

const addressIn = (read: Read): string | null => fitting(addressOf(read), longestOfPlace.address);
const nameIn = (read: Read): string | null =>
  fitting(read('name') || tradeName(read('applicant')), longestOfPlace.name);

const told = (read: Read, { latitude, longitude }: ReadPoint): string[] => [
  ...[nameIn(read) ?? '', addressIn(read) ?? '', latitude, longitude],
];

/** The same row of a file met again: its id column where there is one, else name, address and point. */
function identityOf(columns: Columns<LocationField>, read: Read, told: readonly string[]) {
  const named = read('machineId');
  const column = (['id', 'machineId'] as const).find((field) => columns.has(field) && read(field) !== '');
  if (column) {
    const id = read(column);
    const name = plainId(columns.nameOf(column) ?? column);
    const machineId = fitting(named || id, longestOfPlace.machineId) ?? id;
    return { integrationId: fitting(`import:${name}:${id}`, 250) ?? id, machineId };
  }
  const hash = createHash('sha256').update(told.join('\n').toLowerCase()).digest('hex').slice(0, 20);
  return { integrationId: `import:place:${hash}`, machineId: `IMP-${hash.slice(0, 10).toUpperCase()}` };
}

function plainId(column: string): string {
  return column
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
}

function addressOf(read: Read): string {
  const street = read('address') || [read('houseNumber'), read('street')].filter(Boolean).join(' ');
  return [street, read('addressLine2')].filter(Boolean).join(', ');
}

/** 'Example LLC dba Good Tacos' -> 'Good Tacos'; persons and companies themselves are not taken. */
function tradeName(applicant: string): string {
  return /\bd\.?\s?\/?b\.?\s?\/?a\.?[:\s]+(.+)$/i.exec(applicant)?.[1] ?? '';
}

function builtName(read: Read, kind: string, type: LocationType, where: string): string {
  if (read('operator')) return read('operator');
  const words = kind.replaceAll('_', ' ').trim();
  const label = words && words.toLowerCase() !== 'yes' ? words : { market: 'market', vending_machine: 'machine' }[type];
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}, ${where}`;
}

/** Where a machine stands in words; a column of this name may hold coordinates instead. */
function spotOf(read: Read): string {
  const spot = read('location');
  return /^\(?-?\d/.test(spot) || /^POINT/i.test(spot) ? read('operator') : spot || read('operator');
}

/** A word for a kind that is neither a market nor a machine; without a Machine ID the place is taken for a market. */
export function unknownKind(columns: Columns<LocationField>, row: SourceRow): string | null {
  const cell = kindIn(squeezed(columns.read(row, 'kind')));
  const kind = plainName(cell);
  const isTold = kind === '' || machineKinds.has(kind) || marketKinds.has(kind);
  return isTold || squeezed(columns.read(row, 'machineId')) !== '' ? null : cell.slice(0, 40);
}

/** A word for a status that nobody knows; the place is taken for one in use. */
export function unknownStatus(columns: Columns<LocationField>, row: SourceRow): string | null {
  const cell = squeezed(columns.read(row, 'status'));
  const status = plainName(cell);
  return cell === '' || [inUse, outOfUse, underRepair].some((known) => known.has(status)) ? null : cell.slice(0, 40);
}

function readStatus(cell: string): LocationStatus | null {
  if (cell === '') return null;
  const status = plainName(cell);
  if (underRepair.has(status)) return 'maintenance';
  return outOfUse.has(status) ? 'inactive' : 'active';
}

function extras(read: Read): Record<string, string> | null {
  const kept = (['postcode', 'phone', 'openingHours'] as const).flatMap((field) => {
    const value = read(field);
    return value === '' ? [] : [[field, value] as const];
  });
  return kept.length ? Object.fromEntries(kept) : null;
}
