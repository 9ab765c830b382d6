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

/** How somebody came to be signed out who did not go: by a session that ended under them, or they never were in. */
export type Gone = 'ended' | 'never-in';

/**
 * The sign-in address for somebody who is not signed in any more: it keeps the screen asked for, and whose session ended
 * is told so there. Null: already there.
 */
export function signInAddress({ pathname, search }: { pathname: string; search: string }, gone: Gone): string | null {
  if (pathname === '/login') return null;
  const wanted = `${pathname}${search}`;
  const query = new URLSearchParams();
  if (wanted !== '/') query.set('next', wanted);
  if (gone === 'ended') query.set('ended', '1');
  return query.size > 0 ? `/login?${query}` : '/login';
}

/** True on a sign-in screen that somebody was led to because their session ended. */
export const cameFromEnded = (search: string): boolean => new URLSearchParams(search).has('ended');

let goingTo: string | null = null;

/**
 * From here on a refused call is this person's own going, which leads there: who signed out leaves the screen behind, for
 * the next person on this phone has other places. Until the next page, or until what it returns is called.
 */
export function leaving(address: string): () => void {
  goingTo = address;
  return () => {
    goingTo = null;
  };
}

export function toSignIn(gone: Gone): void {
  const address = goingTo ?? signInAddress(window.location, gone);
  if (address !== null) window.location.assign(address);
}
