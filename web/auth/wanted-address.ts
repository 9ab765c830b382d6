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

/** How somebody came to be signed out: by their own going, by a session that ended under them, or they never were in. */
export type Gone = 'left' | 'ended' | 'never-in';

/**
 * The sign-in address for somebody who is not signed in any more: it keeps the screen asked for, and whose session ended
 * is told so there. Who signed out leaves the screen behind, for the next person on this phone has other places. Null:
 * already there.
 */
export function signInAddress({ pathname, search }: { pathname: string; search: string }, gone: Gone): string | null {
  if (pathname === '/login') return null;
  if (gone === 'left') return '/login';
  const wanted = `${pathname}${search}`;
  const query = new URLSearchParams();
  if (wanted !== '/') query.set('next', wanted);
  if (gone === 'ended') query.set('ended', '1');
  return query.size > 0 ? `/login?${query}` : '/login';
}

/** True on a sign-in screen that somebody was led to because their session ended. */
export const cameFromEnded = (search: string): boolean => new URLSearchParams(search).has('ended');

let left = false;

/** From here on a refused call is this person's own going. Until the next page. */
export function leaving(): void {
  left = true;
}

export function toSignIn(gone: Exclude<Gone, 'left'>): void {
  const address = signInAddress(window.location, left ? 'left' : gone);
  if (address !== null) window.location.assign(address);
}
