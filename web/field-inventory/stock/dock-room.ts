import { type RefCallback, useCallback } from 'react';

/**
 * Keeps the slot in hand in sight above the dock, which grows and shrinks with what it holds: the room it takes is kept in
 * `--dock` of the screen's section, and slots scroll clear of it.
 */
export function useDockRoom(): RefCallback<HTMLElement> {
  return useCallback((dock: HTMLElement | null) => {
    const section = dock?.parentElement;
    if (!dock || !section) return;
    const makeRoom = () => {
      const below = Number.parseFloat(getComputedStyle(dock).bottom) || 0;
      section.style.setProperty('--dock', `${Math.ceil(dock.getBoundingClientRect().height + below) + 8}px`);
      section
        .querySelector('[data-slots] [data-chosen="true"]')
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    };
    const observer = new ResizeObserver(makeRoom);
    observer.observe(dock);
    makeRoom();
    return () => {
      observer.disconnect();
      section.style.removeProperty('--dock');
    };
  }, []);
}
