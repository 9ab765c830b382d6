const kmPerMile = 1.609344;

/** Kilometres (stored) to miles (shown). */
export function kmToMiles(km: number): number {
  return km / kmPerMile;
}

/** Miles (typed) to kilometres (stored). */
export function milesToKm(miles: number): number {
  return miles * kmPerMile;
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

/** Hours with at most one decimal, e.g. 474 minutes is `7.9h`, 0 is `0h`. */
export function hoursText(minutes: number): string {
  return `${Math.round(minutes / 6) / 10}h`;
}

/** Whole hundredths back to decimal text with two places. */
export function fromHundredths(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
