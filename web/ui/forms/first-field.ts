import { type RefObject, useEffect, useRef } from 'react';

/** For a form that a person opened to fill in: typing begins at its first field. */
export function useFirstField(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Where a finger types, a keyboard would rise over the form before it was seen.
    if (!window.matchMedia('(pointer: fine)').matches) return;
    form.current?.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')?.focus();
  }, []);
  return form;
}
