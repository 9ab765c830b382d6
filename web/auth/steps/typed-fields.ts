/** What holds fields that come and go: the steps of a dialog, the parts of a form. */
const holder = 'dialog, form';

/**
 * Remembers where somebody has typed, for as long as that field, or the form or dialog it stood in, is on the page. A
 * dialog that is open counts as typed in: what was chosen in it by buttons and lists tells nobody of it.
 */
export function watchTyping(page: Document): { hasTyped: () => boolean; stop: () => void } {
  const places = new Set<Element>();
  const forgetGone = (): void => {
    for (const place of places) if (!place.isConnected || place.matches('dialog:not([open])')) places.delete(place);
  };
  const note = (event: Event): void => {
    forgetGone();
    if (event.target instanceof Element) places.add(event.target.closest(holder) ?? event.target);
  };
  page.addEventListener('input', note, true);
  return {
    hasTyped: () => {
      forgetGone();
      return places.size > 0 || page.querySelector('dialog[open]') !== null;
    },
    stop: () => page.removeEventListener('input', note, true),
  };
}
