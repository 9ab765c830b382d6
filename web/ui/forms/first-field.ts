import { type RefObject, useEffect, useRef } from 'react';

/** For a form that a person opened to fill in: typing begins at its first field, once the form is ready. */
export function useFirstField<Holder extends HTMLElement = HTMLFormElement>(isReady = true): RefObject<Holder | null> {
  const form = useRef<Holder>(null);
  useEffect(() => {
    // Where a finger types, a keyboard would rise over the form before it was seen.
    if (!isReady || !window.matchMedia('(pointer: fine)').matches) return;
    form.current?.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')?.focus();
  }, [isReady]);
  return form;
}
