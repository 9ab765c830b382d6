import { useLocation, useSearch } from 'wouter';

/**
 * A value kept in the address bar's query, so that a view can be shared and the back button works. Setting null removes
 * it. Several can be set at once. Turning to a page is a step that Back undoes; a filter changes the view one is at.
 * What is set after a wait is dropped where another screen is open by then: its address is not this one's to change.
 */
export function useAddress(): {
  get: (name: string) => string | null;
  /** What it says at this moment, for what goes on after a wait. */
  getNow: (name: string) => string | null;
  set: (values: Record<string, string | null>) => void;
} {
  const [screen, navigate] = useLocation();
  const search = useSearch();
  return {
    get: (name) => new URLSearchParams(search).get(name),
    getNow: (name) => new URLSearchParams(window.location.search).get(name),
    set: (values) => {
      const { pathname, search: now } = window.location;
      if (pathname !== screen) return;
      const next = new URLSearchParams(now);
      for (const [name, value] of Object.entries(values)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
      const text = next.toString();
      navigate(text ? `${pathname}?${text}` : pathname, { replace: !Object.entries(values).some(isTurn) });
    },
  };
}

/** A table among others on its screen has its page under its own name, as `losses-page`. */
const isTurn = ([name, value]: [string, string | null]): boolean => /(^|-)page$/.test(name) && value !== null;
