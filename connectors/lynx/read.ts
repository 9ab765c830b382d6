/** A record as Lynx or its queue messages send it: nothing about its fields is certain. */
export type Rec = Readonly<Record<string, unknown>>;

/**
 * JSON text to values, whole numbers of 16 digits and more as text: transaction ids have 64 bits and would lose their
 * last digits as numbers. Throws SyntaxError when it is no JSON.
 */
export function parseJson(json: string): unknown {
  return JSON.parse(
    json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+])-?\d{16,}(?![\d.eE])/g, (part) =>
      part.startsWith('"') ? part : `"${part}"`,
    ),
  );
}

/** Records of an answer: a bare array as published, one record alone, or an object that wraps one array. */
export function recordsOf(value: unknown): Rec[] {
  if (Array.isArray(value)) return value.filter(isRec);
  if (!isRec(value)) return [];
  const lists = Object.values(value).filter((one) => Array.isArray(one));
  const [only] = lists;
  return lists.length === 1 && Object.keys(value).length <= 3 && Array.isArray(only) ? only.filter(isRec) : [value];
}

/** Whether it is an object, and no list. */
export function isRec(value: unknown): value is Rec {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * One spelling for all: case, blanks and what stands in parentheses do not count, and the lower-case L that the vendor's
 * pages print for the I of `Id` is read as it.
 */
function bare(name: string): string {
  return name
    .replaceAll(/\([^)]*\)/g, '')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toLowerCase()
    .replace(/ld$/, 'id');
}

function field(rec: Rec, names: readonly string[]): unknown {
  for (const name of names) {
    const exact = rec[name];
    if (exact !== undefined && exact !== null) return exact;
  }
  const wanted = new Set(names.map(bare));
  const key = Object.keys(rec).find((one) => wanted.has(bare(one)) && rec[one] !== null);
  return key === undefined ? null : rec[key];
}

/** Text without blanks around it, numbers as text; null where there is nothing. First name that has something. */
export function text(rec: Rec, ...names: string[]): string | null {
  const value = field(rec, names);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** An id as text; 0 and -1 mean 'none' throughout Lynx. */
export function id(rec: Rec, ...names: string[]): string | null {
  const value = text(rec, ...names);
  return value === null || value === '0' || value === '-1' ? null : value;
}

/** Decimal text with 2 to 4 decimals; null where it is no number. */
export function amount(rec: Rec, ...names: string[]): string | null {
  const value = text(rec, ...names);
  if (value === null || !/^-?\d{1,12}(?:\.\d+)?(?:[eE]-\d)?$/.test(value)) return null;
  return decimals(Number(value));
}

/** Decimal text with 2 to 4 decimals. */
export function decimals(value: number): string {
  return value.toFixed(4).replace(/0{1,2}$/, '');
}

/** A number, also one written as text; null where there is none. First name that has something. */
export function number(rec: Rec, ...names: string[]): number | null {
  const value = text(rec, ...names);
  return value !== null && /^-?\d{1,15}(?:\.\d+)?$/.test(value) ? Number(value) : null;
}

/** `true` or `1`, also as text; null where nothing is told. */
export function flag(rec: Rec, ...names: string[]): boolean | null {
  const value = text(rec, ...names)?.toLowerCase();
  if (value === undefined) return null;
  return value === 'true' || value === '1';
}

const moment =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/i;

/**
 * An instant: 0 to 7 digits of a fraction, with or without a zone; without one it is UTC. Null for what is no date, a
 * date alone, and years before 2001, which is what clocks and columns say that were never set.
 */
export function instant(rec: Rec, ...names: string[]): Date | null {
  const told = text(rec, ...names);
  return told === null ? null : readInstant(told);
}

/** The same of a text. */
export function readInstant(told: string): Date | null {
  const parts = moment.exec(told);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second = '0', fraction = '', zone = 'Z'] = parts;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  const at = new Date(
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), ms),
  );
  const isDate = at.getUTCDate() === Number(day) && at.getUTCMonth() === Number(month) - 1;
  if (!isDate || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return at.getUTCFullYear() < 2001 ? null : new Date(at.getTime() - offsetMs(zone));
}

function offsetMs(zone: string): number {
  const parts = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  if (!parts) return 0;
  return (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3])) * 60_000;
}
