import { useEffect, useRef } from 'react';
import type { Picking } from './use-picked.ts';

/** Escape gives up what is picked; the focus that was on the bar goes to the box of the table's head, and not to nowhere. */
export function useLeave({ picked, clear }: Picking) {
  const place = useRef<HTMLDivElement>(null);
  const isSome = picked.size > 0;
  const was = useRef(isSome);
  useEffect(() => {
    if (was.current && !isSome && document.activeElement === document.body) {
      place.current?.querySelector<HTMLElement>('thead input')?.focus();
    }
    was.current = isSome;
  }, [isSome]);
  useEffect(() => {
    if (!isSome) return;
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && isMeant(event)) clear();
    };
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [isSome, clear]);
  return place;
}

/** Where Escape ends something else: a dialog, what hangs from the bar above, a message, or whatever is typed. */
const others = 'dialog, header, nav, [data-state=open], textarea, select, input:not([type=checkbox])';

const isMeant = ({ target, defaultPrevented }: KeyboardEvent): boolean =>
  !defaultPrevented && target instanceof Element && target.closest(others) === null;
