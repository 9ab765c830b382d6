const dayFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * What a route is called that nobody has named, such as 'Route 101, Nov 29, 2026': whose it is, where that is known, and its day
 * as screens write days.
 */
export function nameOfRoute(whose: string | null, day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  // An address may name any day: one that there is not stands as it is.
  const on = Number.isNaN(at.getTime()) ? day : dayFormat.format(at);
  return whose === null ? `Route ${on}` : `${whose}, ${on}`;
}
