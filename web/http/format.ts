import { serverNow } from './clock.ts';
import { toExact } from './parse.ts';

/** How the operator writes times, distances and money; set once after sign-in. */
let zone: string | undefined;
let money = 'USD';
let distance: 'mi' | 'km' = 'mi';

type Formats = { timeZone: string; distanceUnit: 'mi' | 'km'; currency: string };

export function setOperatorFormats(operator: Formats): void {
  money = operator.currency;
  zone = operator.timeZone;
  distance = operator.distanceUnit;
}

const kept = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

/** Making a formatter costs a phone several milliseconds, using it again almost nothing. */
function keep<F extends Intl.DateTimeFormat | Intl.NumberFormat>(name: string, make: () => F): F {
  const found = kept.get(name) as F | undefined;
  if (found) return found;
  const made = make();
  kept.set(name, made);
  return made;
}

const dayFormat = (timeZone: string | undefined) =>
  keep(
    `day ${timeZone}`,
    () => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone }),
  );

/** `MMM d, yyyy` of an instant, where the operator is. */
export function formatDate(at: string | Date): string {
  return dayFormat(zone).format(new Date(at));
}

/** `EEE, MMM d, yyyy` of an instant, where the operator is: where days are worked by the weekday. */
export function formatWeekday(at: string | Date): string {
  const format = keep(
    `weekday ${zone}`,
    () =>
      new Intl.DateTimeFormat('en-US', {
        ...{ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' },
        timeZone: zone,
      }),
  );
  return format.format(new Date(at));
}

/** `MMM d, yyyy` of a calendar day. A date field may be empty and an address may name any day: one that there is not stands as it is. */
export function formatDay(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? day : dayFormat('UTC').format(at);
}

function timeText(at: Date, timeZone: string | undefined): string {
  const text = keep(
    `time ${timeZone}`,
    () => new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone }),
  ).format(at);
  // Intl separates with a narrow no-break space, which reads and searches as another text.
  return text.replace(/\u202f/g, ' ');
}

/** `h:mm a`, where the operator is. */
export function formatTime(at: string | Date): string {
  return timeText(new Date(at), zone);
}

/** `1:00 PM`: the time at which an hour of the day, 0 to 23, begins. */
export const formatHour = (hour: number): string => timeText(new Date(Date.UTC(2000, 0, 1, hour)), 'UTC');

export function formatDateTime(at: string | Date): string {
  return `${formatDate(at)}, ${formatTime(at)}`;
}

/** The same for a narrow column: its line may break before the time, and never between the time and AM or PM. */
export function formatDateTimeNarrow(at: string | Date): string {
  return formatDateTime(at).replace(/ (?=[AP]M$)/, '\u00a0');
}

/** `MMM d, yyyy, h:mm a` of a clock without a zone, such as a machine's: as it stands. */
export function formatClock(local: string): string {
  const at = new Date(`${local}Z`);
  return `${dayFormat('UTC').format(at)}, ${timeText(at, 'UTC')}`;
}

/** `USD`: beside a number that a person types. */
export const operatorCurrency = (): string => money;

/** A figure below zero with the sign that is as wide as a plus: Intl and every number write a hyphen. */
export const trueMinus = (figure: string): string => figure.replace('-', '−');

/** `$1,234.50` of a decimal string, in the operator's currency unless another is named. */
export function formatMoney(amount: string, currency = money): string {
  const format = keep(`money ${currency}`, () => new Intl.NumberFormat('en-US', { style: 'currency', currency }));
  return trueMinus(format.format(toExact(amount)));
}

/** `$12.50` at the scale of a chart. */
export function formatMoneyMark(amount: number, currency = money): string {
  return formatMoney(amount.toFixed(2), currency);
}

/** What is added to a figure of money that leaves out units paid in another currency; empty where there are none. */
export function foreignText(units: number): string {
  if (units === 0) return '';
  return `; ${countOf(units, 'unit')} not paid in ${money} left out`;
}

export function formatNumber(value: number): string {
  return trueMinus(keep('number', () => new Intl.NumberFormat('en-US')).format(value));
}

/** `+3`, `−3` or `0`: by how much something changes. */
export const formatSigned = (change: number): string => `${change > 0 ? '+' : ''}${formatNumber(change)}`;

/** '1 stop', '1,200 stops'. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

const kmPerMile = 1.609344;

const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** `1,234.5`: with one decimal, whatever it measures. */
export function formatTenths(value: number): string {
  return trueMinus(keep('tenths', () => new Intl.NumberFormat('en-US', tenths)).format(value));
}

/** A distance given in miles, in the operator's unit with one decimal. */
export function formatMiles(miles: number): string {
  return `${formatTenths(milesInUnit(miles))} ${distance}`;
}

/** A distance given in miles as a number of the operator's unit: the scale of a chart is round in it. */
export function milesInUnit(miles: number): number {
  return distance === 'mi' ? miles : miles * kmPerMile;
}

/** `500 mi` at the scale of a chart, of a distance in the operator's unit. */
export function formatDistanceMark(value: number): string {
  return `${formatNumber(value)} ${distance}`;
}

/** A speed given in km/h, in the operator's unit. */
export function formatSpeed(kmh: number): string {
  return distance === 'mi' ? `${(kmh / kmPerMile).toFixed(0)} mph` : `${kmh.toFixed(0)} km/h`;
}

/** Today's calendar day where the operator is, by the server's clock. */
export function today(now = serverNow()): string {
  return keep(
    `calendar ${zone}`,
    () => new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  ).format(now);
}
