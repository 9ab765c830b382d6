import { type PointerEvent, useRef } from 'react';

/** How far a finger goes sideways before it is a swipe, px; a thumb that rolls is not. */
const swipePx = 56;

/** To the left for the next slot, to the right for the one before, as the pages of a book. */
export function useSwipe(go: (by: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onPointerDown: ({ clientX, clientY }: PointerEvent) => {
      start.current = { x: clientX, y: clientY };
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      const from = start.current;
      start.current = null;
      if (!from) return;
      const dx = clientX - from.x;
      if (Math.abs(dx) < swipePx || Math.abs(dx) < 2 * Math.abs(clientY - from.y)) return;
      go(dx < 0 ? 1 : -1);
    },
    onPointerCancel: () => {
      start.current = null;
    },
  };
}
