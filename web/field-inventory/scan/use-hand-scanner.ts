import { useEffect, useRef } from 'react';

/** A hand scanner types a whole code faster than a person two keys, ms between keys. */
const keyGapMs = 60;
/** The shortest code printed: shortened UPC without its check digit. */
const shortestCode = 6;

/** A hand scanner that types and presses Enter, wherever on the screen the focus is. In a box it types there, as keys do. */
export function useHandScanner(onCode: (code: string) => void): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => {
    let typed = '';
    let lastKeyMs = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      if (event.timeStamp - lastKeyMs > keyGapMs) typed = '';
      lastKeyMs = event.timeStamp;
      if (event.key === 'Enter' && typed.length >= shortestCode) {
        // The button in focus is not meant.
        event.preventDefault();
        latest.current(typed);
        typed = '';
      } else if (event.key.length === 1) typed += event.key;
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, []);
}
