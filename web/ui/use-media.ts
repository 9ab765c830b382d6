import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

const matches = (query: string): boolean => window.matchMedia(query).matches;

/** Whether the window fits a media query, such as '(min-width: 64rem)'. On the way to paper it is what the screen fitted. */
export function useMedia(query: string): boolean {
  const last = useRef<boolean | null>(null);
  const subscribe = useCallback(
    (listener: () => void): (() => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => {
    // The sheets are counted by then: another drawing would leave some of them empty.
    if (last.current === null || !matches('print')) last.current = matches(query);
    return last.current;
  });
}

/** As `max-sm` has it: a query knows no width less than 40rem, only one up to it. */
export const smallScreen = '(max-width: 39.99rem)';

/** A phone held upright: there a table has room for two or three columns. */
export const useSmallScreen = (): boolean => useMedia(smallScreen);

const subscribeToPrint = (listener: () => void): (() => void) => {
  const list = window.matchMedia('print');
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
};

/**
 * Whether the page is on its way to paper. Browsers count the sheets before they tell that the medium is another: what is drawn for
 * paper alone has to be there at their first word, or its last sheets are missing.
 */
export function usePrinted(): boolean {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    const begin = (): void => flushSync(() => setAsked(true));
    const end = (): void => setAsked(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  const isPaper = useSyncExternalStore(subscribeToPrint, () => matches('print'));
  return isAsked || isPaper;
}
