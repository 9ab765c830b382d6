/** Remembers which fields somebody has typed in, for as long as they are on the page. */
export function watchTyping(page: Document): { hasTyped: () => boolean; stop: () => void } {
  const fields = new Set<Element>();
  const forgetGone = (): void => {
    for (const field of fields) if (!field.isConnected) fields.delete(field);
  };
  const note = (event: Event): void => {
    forgetGone();
    if (event.target instanceof Element) fields.add(event.target);
  };
  page.addEventListener('input', note, true);
  return {
    hasTyped: () => {
      forgetGone();
      return fields.size > 0;
    },
    stop: () => page.removeEventListener('input', note, true),
  };
}
