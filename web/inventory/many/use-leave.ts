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
      if (event.key === 'Escape' && isMeant(event, place.current)) clear();
    };
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [isSome, clear]);
  return place;
}

/** Not where Escape ends something else: in a dialog, a field that is typed into, or outside of the table. */
function isMeant({ target, defaultPrevented }: KeyboardEvent, place: HTMLElement | null): boolean {
  if (defaultPrevented || !(target instanceof Element) || target.closest('dialog')) return false;
  if (target instanceof HTMLInputElement && target.type !== 'checkbox') return false;
  return target === document.body || place?.contains(target) === true;
}
