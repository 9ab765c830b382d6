import { type RefObject, useEffect, useRef } from 'react';

/** For a form that a person opened to fill in: typing begins at its first field, once the form is ready. */
export function useFirstField<Holder extends HTMLElement = HTMLFormElement>(isReady = true): RefObject<Holder | null> {
  const form = useRef<Holder>(null);
  useEffect(() => {
    // Where a finger types, a keyboard would rise over the form before it was seen.
    if (!isReady || !window.matchMedia('(pointer: fine)').matches) return;
    const field = form.current?.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea');
    if (!field) return;
    // A dialog around the form that is yet to open gives the focus to whatever asks for it, else to its first button.
    field.autofocus = true;
    field.focus();
  }, [isReady]);
  return form;
}
