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

/**
 * The sign-in address for somebody who is not signed in any more: it keeps the screen asked for. Who signed out leaves it
 * behind, for the next person on this phone has other places. Null: already there.
 */
export function signInAddress(
  { pathname, search }: { pathname: string; search: string },
  hasLeft: boolean,
): string | null {
  if (pathname === '/login') return null;
  const wanted = `${pathname}${search}`;
  return hasLeft || wanted === '/' ? '/login' : `/login?next=${encodeURIComponent(wanted)}`;
}

let left = false;

/** From here on a refused call is this person's own going. Until the next page. */
export function leaving(): void {
  left = true;
}

export function toSignIn(): void {
  const address = signInAddress(window.location, left);
  if (address !== null) window.location.assign(address);
}
