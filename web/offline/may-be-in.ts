/**
 * Whether somebody may be signed in here, for the page's first script, which cannot see the session's own cookie: without
 * anybody it asks for nothing in vain. No secret, and nobody is let in by it. The server sets it with a page where it is
 * missing; `0` stays until the next sign-in, for the cookie of a session that has ended is still there.
 */
const name = 'milkrun_in';
const days = 30;

export function noteIn(isIn: boolean): void {
  if (typeof document === 'undefined' || mayBeIn() === isIn) return;
  // As the server sets it: over TLS alone where pages come that way.
  const seal = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the first script has to know at once, and the other interface answers later
  document.cookie = `${name}=${isIn ? 1 : 0}; path=/; max-age=${days * 86_400}; samesite=lax${seal}`;
}

/** Null: nothing is noted. */
export function mayBeIn(): boolean | null {
  const noted = /(?:^|; )milkrun_in=([01])/.exec(document.cookie)?.[1];
  return noted === undefined ? null : noted === '1';
}
