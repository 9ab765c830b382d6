/**
 * The screen first asked for, from the login address's query, as a whole address; never another site. The browser's own
 * reading decides: it takes a backslash for a slash, skips tabs and resolves dots, so the beginning of the text proves
 * nothing, and a path alone could still begin with two slashes.
 */
export function wantedAddress(search: string, origin: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  const home = `${origin}/`;
  if (!URL.canParse(next, home)) return home;
  const url = new URL(next, home);
  return url.origin === origin ? url.href : home;
}
