import { type FocusEvent, useEffect, useLayoutEffect, useRef } from 'react';

type Place = { row: Element; section: Element | null; list: Element; at: number; fromEnd: number };

const controlsOf = (row: Element): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>('a[href], button')].filter((control) => !control.closest('dialog'));

const indexIn = (list: Element, row: Element): number => [...list.children].indexOf(row);

/**
 * For a list whose rows go once they are settled: the focus that went with a row comes to the same control of the row that moves up,
 * and after the last one to the heading.
 */
export function useFocusOnward() {
  const place = useRef<Place | null>(null);
  useLayoutEffect(() => {
    const was = place.current;
    if (!was) return;
    if (was.row.isConnected) {
      was.at = indexIn(was.list, was.row);
      return;
    }
    place.current = null;
    if (document.activeElement === document.body) onwardFrom(was)?.focus();
  });
  useEffect(() => {
    // Nothing tells a press beside every control from a button that is switched off, but the press itself.
    const forget = ({ target }: Event): void => {
      if (place.current && target instanceof Element && !isHeldBy(place.current, target)) place.current = null;
    };
    document.addEventListener('pointerdown', forget, true);
    return () => document.removeEventListener('pointerdown', forget, true);
  }, []);
  return {
    onFocus: ({ target, currentTarget: list }: FocusEvent): void => {
      const row = [...list.children].find((one) => one.contains(target));
      // A question is asked in its row, and goes with it.
      if (!row || !(target instanceof HTMLElement) || target.closest('dialog')) return;
      const controls = controlsOf(row);
      const fromEnd = controls.length - controls.indexOf(target);
      place.current = { row, list, section: list.closest('section'), at: indexIn(list, row), fromEnd };
    },
    /** Nowhere is where the focus of a button goes that is switched off meanwhile. */
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent): void => {
      if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) place.current = null;
    },
  };
}

/** Whether a press there leaves the focus in the row: on a control of it, or in a question that it asks. */
const isHeldBy = ({ row }: Place, pressed: Element): boolean =>
  pressed.closest('dialog') !== null || row.contains(pressed.closest('a[href], button'));

function onwardFrom({ list, section, at, fromEnd }: Place): HTMLElement | null {
  const row = list.isConnected ? (list.children[at] ?? list.lastElementChild) : null;
  if (row) {
    const controls = controlsOf(row);
    return controls.at(-Math.min(fromEnd, controls.length)) ?? null;
  }
  const heading = section?.isConnected ? section.querySelector<HTMLElement>('h2') : document.querySelector('h1');
  if (heading) heading.tabIndex = -1;
  return heading;
}
