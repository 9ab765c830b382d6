import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * A location opens at its top, and the list behind it comes back where it was left. `place` is what is shown, null for
 * the list; `leaveList` is called before the list makes room.
 */
export function useOwnScroll(place: string | null): { leaveList: () => void } {
  const listTop = useRef(0);
  const before = useRef(place);
  useLayoutEffect(() => {
    if (before.current === place) return;
    before.current = place;
    window.scrollTo(0, place === null ? listTop.current : 0);
  }, [place]);
  useEffect(() => {
    // The browser's own memory of the place is of a page as high as what was shown then.
    const usual = window.history.scrollRestoration;
    window.history.scrollRestoration = 'manual';
    return () => {
      window.history.scrollRestoration = usual;
    };
  }, []);
  return {
    leaveList: () => {
      if (place === null) listTop.current = window.scrollY;
    },
  };
}
