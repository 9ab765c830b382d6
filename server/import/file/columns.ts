import { z } from 'zod';
import { unreadable } from './open-bytes.ts';
import type { SourceRow, Table } from './read-table.ts';

/** Column name as written in the file -> field, or null for a column to leave out. */
export const columnMap = z.record(z.string(), z.string().nullable());
export type ColumnMap = z.output<typeof columnMap>;

/** For each field the column names that mean it, the best first. */
export type Aliases<F extends string> = Readonly<Record<F, readonly string[]>>;

/** How the number of a machine is called, in every kind of file. */
export const machineNumberNames: readonly string[] = [
  'machineid',
  'deviceid',
  'assetid',
  'assetnumber',
  'assetno',
  'asset',
  'machinenumber',
  'machineno',
  'equipmentid',
  'equipmentnumber',
  'terminalid',
];

export type Columns<F extends string> = {
  width: number;
  has: (field: F) => boolean;
  /** The column's name as written; null without one. */
  nameOf: (field: F) => string | null;
  /** The cell's text, empty without the column. */
  read: (row: SourceRow, field: F) => string;
};

/** Letters and digits only, so that 'Device ID', 'device_id' and 'DeviceId' are one name. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Finds the column of each field: what the map says first, then the alias table. */
export function matchColumns<F extends string>(table: Table, aliases: Aliases<F>, map: ColumnMap): Columns<F> {
  const fields = Object.keys(aliases) as F[];
  const mapped = mappedColumns(table, fields, map);
  // Of two columns with one name the first is meant, unless somebody says so: 'Address (2)' is no second line of an address.
  const names = table.header.map((name, index) =>
    mapped.taken.has(index) || table.sameAs.has(name) ? '' : plainName(name),
  );
  const at = new Map<F, number>(mapped.at);
  for (const field of fields) {
    if (at.has(field)) continue;
    const index = aliases[field].map((alias) => names.indexOf(alias)).find((found) => found >= 0);
    if (index !== undefined) at.set(field, index);
  }
  return {
    width: table.header.length,
    has: (field) => at.has(field),
    nameOf: (field) => table.header[at.get(field) ?? -1] ?? null,
    read: (row, field) => row.cells[at.get(field) ?? -1] ?? '',
  };
}

function mappedColumns<F extends string>(table: Table, fields: readonly F[], map: ColumnMap) {
  const at = new Map<F, number>();
  const taken = new Set<number>();
  for (const [name, field] of Object.entries(map)) {
    const index = table.header.indexOf(name);
    if (index < 0) throw unreadable(`${table.name} has no column '${name}', which the map names.`);
    taken.add(index);
    if (field === null) continue;
    const known = fields.find((one) => one === field);
    if (!known) throw unreadable(`The map gives '${name}' the unknown field '${field}'. Fields: ${fields.join(', ')}.`);
    at.set(known, index);
  }
  return { at, taken };
}

/** Refuses a file in which none of these fields has a column. */
export function requireAny<F extends string>(table: Table, columns: Columns<F>, fields: readonly F[]): void {
  if (fields.some((field) => columns.has(field))) return;
  const wanted = fields.join(' or ');
  throw unreadable(
    `${table.name} has no column for ${wanted}. Its columns: ${table.header.join(', ').slice(0, 300)}. Rename the one that holds it, or say which it is.`,
  );
}

/** Why a row cannot be read against the header, if so. */
export function widthProblem(row: SourceRow, width: number): string | null {
  if (row.cells.length < width) return `has ${row.cells.length} cells where the header has ${width}`;
  return row.cells.slice(width).some((cell) => cell !== '')
    ? `has ${row.cells.length} cells where the header has ${width}`
    : null;
}
