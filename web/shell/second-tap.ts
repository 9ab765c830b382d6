/** A glove taps twice in this time without meaning to. */
const doubleTapMs = 500;

const pressable = 'button, a, label, input, select, textarea, summary, [role="button"]';

/** What was pressed first, and where it stood. */
type Tap = { pressed: Element; place: DOMRect; atMs: number };

const isIn = ({ left, right, top, bottom }: DOMRect, { clientX: x, clientY: y }: MouseEvent): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

/** A mouse counts its clicks itself, wherever they land; of a finger's, platforms do not agree. A key has no place to slip from. */
const mayBeSecond = (event: MouseEvent): boolean =>
  event.detail > (event instanceof PointerEvent && event.pointerType === 'mouse' ? 1 : 0);

/**
 * The second tap of a double tap presses nothing that came in the place of what the first one pressed: the next step of a day, a question
 * about it, the row below. Where the same thing still stands, as a stepper does, each tap counts; `data-again` says that what replaces
 * it is the same to a person.
 */
export function dropSecondTaps(timeOf: (event: Event) => number = ({ timeStamp }) => timeStamp): () => void {
  let first: Tap | null = null;
  const isDouble = (tap: Tap, event: MouseEvent): boolean =>
    timeOf(event) - tap.atMs < doubleTapMs && isIn(tap.place, event);
  const onClick = (event: MouseEvent): void => {
    const { target } = event;
    if (event.detail === 0 || !(target instanceof Element)) return;
    const isDropped = first && mayBeSecond(event) && isDouble(first, event) && !isStillThere(first, event);
    if (isDropped && !target.closest('[data-again]')) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const pressed = target.closest(pressable) ?? target;
    first = { pressed, place: pressed.getBoundingClientRect(), atMs: timeOf(event) };
  };
  window.addEventListener('click', onClick, { capture: true });
  return () => window.removeEventListener('click', onClick, { capture: true });
}

function isStillThere({ pressed }: Tap, { clientX, clientY }: MouseEvent): boolean {
  return pressed.isConnected && pressed.contains(document.elementFromPoint(clientX, clientY));
}
