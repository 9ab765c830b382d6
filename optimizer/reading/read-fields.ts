/**
 * Reads single fields of a record that came from outside. Guarantees: every value handed on has its type and range; every
 * refusal names the thing and the field, in words a dispatcher can act on. The only place of the optimiser that meets `unknown`.
 */

/** Thrown for malformed input. `where` names the thing ("job 7"), `field` the field ("service"). */
export class InvalidProblem extends Error {
  readonly where: string;
  readonly field: string;

  constructor(where: string, field: string, complaint: string) {
    super(`${where}: ${field} ${complaint}`);
    this.name = 'InvalidProblem';
    this.where = where;
    this.field = field;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

interface Range {
  min?: number;
  max?: number;
  whole?: boolean;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown, where: string, field: string): Fields {
  if (isFields(value)) return value;
  throw new InvalidProblem(where, field, 'must be an object');
}

export function listOf(value: unknown, where: string, field: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new InvalidProblem(where, field, 'must be a list');
}

export function numberOf(value: unknown, where: string, field: string, range: Range = {}): number {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, whole = true } = range;
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new InvalidProblem(where, field, `must be a number, not ${String(value)}`);
  }
  if (whole && !Number.isInteger(value)) throw new InvalidProblem(where, field, `must be a whole number, not ${value}`);
  if (value < min) throw new InvalidProblem(where, field, `must not be below ${min}, but is ${value}`);
  if (value > max) throw new InvalidProblem(where, field, `must not be above ${max}, but is ${value}`);
  return value;
}

export function optionalNumberOf(value: unknown, where: string, field: string, range?: Range): number | undefined {
  if (value === undefined || value === null) return undefined;
  return numberOf(value, where, field, range);
}

export function numbersOf(value: unknown, where: string, field: string, range?: Range): number[] {
  return listOf(value, where, field).map((entry) => numberOf(entry, where, field, range));
}

export function idOf(value: unknown, where: string, field: string): number | string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new InvalidProblem(where, field, 'must be a number or a text');
}

export function textOf(value: unknown, where: string, field: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new InvalidProblem(where, field, 'must be a text');
}

export function windowOf(value: unknown, where: string, field: string): [number, number] {
  const ends = listOf(value, where, field);
  if (ends.length !== 2) throw new InvalidProblem(where, field, 'must be a pair [from, to]');
  const from = numberOf(ends[0], where, field);
  const to = numberOf(ends[1], where, field);
  if (to < from) throw new InvalidProblem(where, field, `ends (${to}) before it starts (${from})`);
  return [from, to];
}

/** Windows sorted by their start; overlapping ones are refused because their meaning is unclear. */
export function windowsOf(value: unknown, where: string, field: string): [number, number][] {
  const windows = listOf(value, where, field).map((entry) => windowOf(entry, where, field));
  windows.sort((a, b) => a[0] - b[0]);
  for (const [index, window] of windows.entries()) {
    const before = windows[index - 1];
    if (before !== undefined && window[0] <= before[1]) throw new InvalidProblem(where, field, 'must not overlap');
  }
  return windows;
}

export function refuseRepeated(ids: readonly (number | string)[], where: string): void {
  const seen = new Set<number | string>();
  for (const id of ids) {
    if (seen.has(id)) throw new InvalidProblem(`${where} ${id}`, 'id', 'is used twice');
    seen.add(id);
  }
}
