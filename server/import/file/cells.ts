import { isNowhere } from '../../../domain/place.ts';
import { keepableText } from '../../../domain/plain-text.ts';

/** What single cells mean. Each reader answers null for text that is nothing of its kind. */

/** One space where there were several, and nothing of what is not kept of a text. */
export function squeezed(text: string): string {
  return keepableText(text).replaceAll(/\s+/g, ' ').trim();
}

// Nobody groups from a leading zero: '0,500' is half a unit.
const groupedByComma = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;
const groupedByPoint = /^-?\d{1,3}(\.\d{3})+,\d+$/;
const plainDecimal = /^-?(\d+([.,]\d*)?|[.,]\d+)$/;

/** Decimal text with a point, from '1,234.50', '1.234,50' or '0,5'. */
function decimalText(text: string): string | null {
  if (groupedByComma.test(text)) return text.replaceAll(',', '');
  if (groupedByPoint.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return plainDecimal.test(text) ? text.replace(',', '.') : null;
}

/** An amount of money in hundredths; a currency sign or code around it is left out, further decimals are rounded. */
export function readMoney(cell: string): bigint | null {
  const bare = cell.replace(/^(\p{Sc}|[A-Z]{3})\s*/u, '').replace(/\s*(\p{Sc}|[A-Z]{3})$/u, '');
  const text = decimalText(bare);
  if (text === null) return null;
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  if (whole.length > 8) return null;
  const thousandths = BigInt(`${whole || '0'}${fraction.padEnd(3, '0').slice(0, 3)}`);
  const hundredths = (thousandths + 5n) / 10n;
  return text.startsWith('-') ? -hundredths : hundredths;
}

/** Signs that several currencies share stand for any of them. */
const signed: Record<string, RegExp> = {
  $: /^(?:AUD|BRL|CAD|CLP|COP|HKD|MXN|NZD|SGD|TWD|USD|UYU|ARS|BSD|BBD|BZD|FJD|JMD|TTD|XCD)$/,
  '€': /^EUR$/,
  '£': /^(?:GBP|EGP|LBP)$/,
  '¥': /^(?:JPY|CNY)$/,
  '₴': /^UAH$/,
  '₹': /^INR$/,
};

/** The code or sign of another currency in a cell of money; null where none is named or it is this one. */
export function otherCurrency(cell: string, currency: string): string | null {
  const named = /^(\p{Sc}|[A-Z]{3})|(\p{Sc}|[A-Z]{3})$/u.exec(cell)?.[0];
  if (named === undefined || named === currency || signed[named]?.test(currency)) return null;
  return named in signed || named.length === 3 ? named : null;
}

/** What to say of such money. */
export const foreignReason = (label: string, other: string, currency: string): string =>
  `a ${label} in ${other}, where yours are in ${currency}: not used`;

/** A whole number, also written as '2.0'. */
export function readWhole(cell: string): number | null {
  const text = decimalText(cell);
  const value = text === null ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) ? value : null;
}

/** Degrees as decimal text with at most 8 decimals, as stored. */
function readDegrees(cell: string): string | null {
  const text = decimalText(cell);
  if (text === null) return null;
  const value = Number(text);
  if (!Number.isFinite(value) || Math.abs(value) > 999) return null;
  return value.toFixed(8);
}

export type ReadPoint = { latitude: string; longitude: string };

/** True for a code that a spreadsheet turned into a number and rounded: its digits are lost. */
export function isRounded(code: string): boolean {
  return /^\d([.,]\d+)?E\+?\d+$/i.test(code);
}

/** What to say of such a code. */
export const roundedReason = (code: string): string =>
  `has the barcode ${code}, which a spreadsheet has rounded: format the column as text there and export again`;

/** Longitude stands first in 'POINT (lon lat)'; `latitudeFirst` is a point of which somebody said otherwise, or '40.7, -74'. */
export type PointCells = { latitude: string; longitude: string; geometry: string; latitudeFirst?: string };

function coordinatesOf(cells: PointCells): { latitude: string; longitude: string } {
  const [, lon, lat] = /^POINT\s*\(\s*(\S+)\s+(\S+?)\s*\)$/i.exec(cells.geometry) ?? [];
  const [, first, second] =
    /^(?:POINT\s*)?\(?\s*([^\s,()]+)[\s,]+([^\s,()]+?)\s*\)?$/i.exec(cells.latitudeFirst ?? '') ?? [];
  return { latitude: first ?? lat ?? cells.latitude, longitude: second ?? lon ?? cells.longitude };
}

/** Both coordinates as numbers, on the globe or not; null where one is none or both are 0. */
export function readNumbers(cells: PointCells): { lat: number; lng: number } | null {
  const { latitude, longitude } = coordinatesOf(cells);
  const [lat, lng] = [readDegrees(latitude), readDegrees(longitude)];
  if (lat === null || lng === null || isNowhere({ latitude: lat, longitude: lng })) return null;
  return { lat: Number(lat), lng: Number(lng) };
}

/** True where a row says nothing of where it is: no coordinates, or 0,0. */
export function lacksPoint(cells: PointCells): boolean {
  const { latitude, longitude } = coordinatesOf(cells);
  return (latitude === '' && longitude === '') || readPoint(cells) === unknownPlace;
}

const unknownPlace = 'has the point 0,0, which stands for an unknown place';

/** A point, or the reason why there is none. */
export function readPoint(cells: PointCells): ReadPoint | string {
  const { latitude, longitude } = coordinatesOf(cells);
  if (latitude === '' && longitude === '') return 'has no point: neither latitude nor longitude';
  const lat = readDegrees(latitude);
  const lng = readDegrees(longitude);
  if (lat === null) return `has a latitude that is no number: ${latitude.slice(0, 40)}`;
  if (lng === null) return `has a longitude that is no number: ${longitude.slice(0, 40)}`;
  if (isNowhere({ latitude: lat, longitude: lng })) return unknownPlace;
  if (Math.abs(Number(lat)) > 90) return `has the latitude ${latitude}, beyond 90 degrees: are the columns swapped?`;
  if (Math.abs(Number(lng)) > 180) return `has the longitude ${longitude}, beyond 180 degrees`;
  return { latitude: lat, longitude: lng };
}

/** Cut to what the column holds; null for nothing. */
export function fitting(text: string, max: number): string | null {
  const clean = squeezed(text);
  if (clean === '') return null;
  // By whole characters, as the column counts them: half a surrogate pair is no text.
  return clean.length <= max ? clean : [...clean].slice(0, max).join('').trim();
}
