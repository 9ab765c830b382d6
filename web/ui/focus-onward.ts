import { type FocusEvent, useEffect, useLayoutEffect, useRef } from 'react';

type Place = {
  row: Element;
  section: Element | null;
  list: Element;
  at: number;
  control: HTMLElement;
  fromStart: number;
  fromEnd: number;
};

const controlsOf = (row: Element): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>('a[href], button')].filter((control) => !control.closest('dialog'));

const indexIn = (list: Element, row: Element): number => [...list.children].indexOf(row);

/**
 * For a list whose rows, or buttons of them, go once they are settled: the focus that went with a row comes to the same control of
 * the row that moves up, that of a button to the next one of its row, and after the last one to the heading. `then`: 'next' where
 * whoever pressed a button is done with its row, as what follows there would undo it.
 */
export function useFocusOnward(then: 'row' | 'next' = 'row') {
  const place = useRef<Place | null>(null);
  useLayoutEffect(() => {
    const was = place.current;
    if (!was) return;
    if (was.row.isConnected) {
      was.at = indexIn(was.list, was.row);
      if (!was.control.isConnected && document.activeElement === document.body)
        (then === 'row' ? onwardIn(was) : onwardPast(was))?.focus();
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
      // A field is no control to go on to, but what was pressed in it may send its row away.
      const fromStart = Math.max(0, controls.indexOf(target));
      const fromEnd = controls.length - fromStart;
      const section = list.closest('section');
      place.current = { row, list, section, at: indexIn(list, row), control: target, fromStart, fromEnd };
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

/** The control that took the place of one that went; a row without any is left for the next one. */
function onwardIn(place: Place): HTMLElement | null {
  const controls = controlsOf(place.row);
  return controls[Math.min(place.fromStart, controls.length - 1)] ?? onwardFrom({ ...place, at: place.at + 1 });
}

/** The same button of the next row; one that is pressed already would be taken back by another press. */
function onwardPast({ list, section, at, fromStart }: Place): HTMLElement | null {
  const next = list.children[at + 1];
  const control = next && controlsOf(next)[fromStart];
  return control && !control.matches(':disabled, [aria-pressed]') ? control : headingOf(section);
}

function onwardFrom({ list, section, at, fromEnd }: Place): HTMLElement | null {
  const row = list.isConnected ? (list.children[at] ?? list.lastElementChild) : null;
  const controls = row ? controlsOf(row) : [];
  const control = controls.at(-Math.min(fromEnd, controls.length));
  if (control && !control.matches(':disabled')) return control;
  return headingOf(section);
}

/** Where reading goes on in a section whose control went, ready for the focus; in that of the screen where the section went too. */
export function headingOf(section: Element | null | undefined): HTMLElement | null {
  const heading = (section?.isConnected && section.querySelector<HTMLElement>('h2')) || document.querySelector('h1');
  if (heading) heading.tabIndex = -1;
  return heading;
}
