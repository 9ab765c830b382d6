import { isDay } from '../../domain/calendar-day.ts';

/** A record as the API sends it: absent objects come as `{}`, amounts as JSON numbers with up to five decimals. */
export type Rec = Readonly<Record<string, unknown>>;

/** Whether it is an object, and no list. */
export const isRec = (value: unknown): value is Rec =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text without blanks around it; null where there is none. The first name that has something. */
export function text(rec: Rec, ...names: string[]): string | null {
  for (const name of names) {
    const value = rec[name];
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

/** A number, also one written as text; null where there is none. The first name that has one. */
export function number(rec: Rec, ...names: string[]): number | null {
  for (const name of names) {
    const value = rec[name];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value)) return Number(value);
  }
  return null;
}

/** The member of an object member, e.g. `type.name`; null where the object is `{}`, null or absent. */
export function within(rec: Rec, name: string, member: string): string | null {
  const inner = rec[name];
  return isRec(inner) ? text(inner, member) : null;
}

/** The objects of a list; none where it is no list. */
export function records(value: unknown): Rec[] {
  return Array.isArray(value) ? value.filter(isRec) : [];
}

/** An instant with its zone; null for what is none. */
export function instant(rec: Rec, ...names: string[]): Date | null {
  const told = text(rec, ...names);
  if (told === null) return null;
  if (!isDay(told.slice(0, 10))) return null;
  // The vendor documents '+00:00'; without a zone it means UTC, never the zone of this server.
  const at = new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(told) ? told : `${told.replace(' ', 'T')}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}

const perUnit = 100_000;

/** An amount as whole hundred-thousandths, the finest step the vendor sends; null where there is none. */
export function amount(rec: Rec, ...names: string[]): bigint | null {
  const value = number(rec, ...names);
  return value === null || Math.abs(value) > 1e10 ? null : BigInt(Math.round(value * perUnit));
}

/** Hundred-thousandths to whole cents, halves away from zero. */
export function toCents(fine: bigint): bigint {
  const step = BigInt(perUnit / 100);
  return (fine + (fine < 0n ? -step / 2n : step / 2n)) / step;
}

/** Cents as decimal text. */
export function centsText(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** An amount as decimal text in cents; null where there is none. */
export function money(rec: Rec, ...names: string[]): string | null {
  const fine = amount(rec, ...names);
  return fine === null ? null : centsText(toCents(fine));
}

/** Descriptions are HTML: words only. */
export function plainText(html: string | null): string | null {
  if (html === null) return null;
  const words = html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words === '' ? null : words;
}
