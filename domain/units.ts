const kmPerMile = 1.609344;

/** Kilometres (stored) to miles (shown). */
export function kmToMiles(km: number): number {
  return km / kmPerMile;
}

/** Miles (typed) to kilometres (stored). */
export function milesToKm(miles: number): number {
  return miles * kmPerMile;
}

/** A distance in kilometres or miles as replies tell it: tenths of one unit turned into the other would be off by one. */
export function toldDistance(distance: number): number {
  return Math.round(distance * 1000) / 1000;
}

/** Whole hours plus minutes, e.g. 135 minutes is `2h 15m`. */
export function hoursAndMinutes(minutes: number): string {
  const whole = Math.round(minutes);
  return `${Math.floor(whole / 60)}h ${whole % 60}m`;
}

/** Below an hour minutes, e.g. `24 min`, else hours and minutes. */
export function durationText(minutes: number): string {
  return Math.round(minutes) < 60 ? `${Math.round(minutes)} min` : hoursAndMinutes(minutes);
}

/** Whole hundredths back to decimal text with two places. */
export function fromHundredths(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Whole hundredths of decimal text such as '12.50' or '-0.4'; further places are cut off. */
export function toHundredths(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.');
  const size = BigInt(`${whole || '0'}${fraction.slice(0, 2).padEnd(2, '0')}`);
  return amount.startsWith('-') ? -size : size;
}

/** The sum of amounts of money; one that is not known counts nothing. */
export function sumOfMoney(amounts: readonly (string | null)[]): string {
  return fromHundredths(amounts.reduce((sum, amount) => sum + toHundredths(amount ?? '0'), 0n));
}

/** One amount of money less another. */
export function lessMoney(amount: string, other: string): string {
  return fromHundredths(toHundredths(amount) - toHundredths(other));
}

/** An amount of money divided by a whole number above zero, halves away from zero. */
export function shareOfMoney(amount: string, parts: number): string {
  const all = toHundredths(amount);
  const size = (2n * (all < 0n ? -all : all) + BigInt(parts)) / (2n * BigInt(parts));
  return fromHundredths(all < 0n ? -size : size);
}

/** `$1,234.50` of a decimal string, in a currency by its ISO 4217 code. */
export function moneyText(amount: string, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Number(amount));
}
