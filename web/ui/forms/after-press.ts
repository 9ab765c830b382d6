import { useEffect, useRef } from 'react';

/**
 * Does something as soon as nothing is pressed any more. A press on a button takes the focus away from a field first: a sentence
 * that then appears under the field would move the button away before it is let go, and the press would do nothing.
 */
export function useAfterPress(): (work: () => void) => void {
  const isPressed = useRef(false);
  useEffect(() => {
    const press = (): void => {
      isPressed.current = true;
    };
    const letGo = (): void => {
      isPressed.current = false;
    };
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    addEventListener('pointerdown', press, options);
    addEventListener('pointerup', letGo, options);
    addEventListener('pointercancel', letGo, options);
    return () => listening.abort();
  }, []);
  return (work) => {
    if (!isPressed.current) {
      work();
      return;
    }
    const waiting = new AbortController();
    const done = (): void => {
      waiting.abort();
      // The click comes right behind.
      setTimeout(work);
    };
    addEventListener('pointerup', done, { signal: waiting.signal });
    addEventListener('pointercancel', done, { signal: waiting.signal });
  };
}
