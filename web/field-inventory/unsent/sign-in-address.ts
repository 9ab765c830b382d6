/** The sign-in screen, which leads back here. */
export function signInAddress(): string {
  return `/login?next=${encodeURIComponent(window.location.pathname + window.location.search)}`;
}
