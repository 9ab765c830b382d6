/** What this browser knows to choose from, and in any case the zone that is set. */
export function timeZoneOptions(now: string): { value: string; label: string }[] {
  const zones = [...new Set([now, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted();
  return zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}
