import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useMedia } from '../ui/use-media.ts';

/** A page that is only being opened is aimed at by nobody yet. */
const openingMs = 2_000;

/**
 * The strip comes and goes by itself, above a page that a thumb is about to press: on a phone the page is scrolled by as much, so that
 * nothing moves. At the top of the page it cannot be scrolled back: there the strip keeps its room until the page is scrolled or left.
 * `held` is that room in pixels.
 */
export function useSteadyStrip(text: string | null) {
  const strip = useRef<HTMLDivElement>(null);
  const isPhone = !useMedia('(min-width: 64rem)');
  const [path] = useLocation();
  const [held, setHeld] = useState(0);
  const [openedAt] = useState(() => performance.now());
  const room = useRef(0);
  const seen = useRef({ path, isNew: false });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is another with other words
  useLayoutEffect(() => {
    if (seen.current.path !== path) {
      seen.current = { path, isNew: true };
      setHeld(0);
      if (held > 0) return;
    }
    const page = document.documentElement;
    // Some browsers keep the page in its place by themselves, where it is scrolled already: once is enough.
    page.style.overflowAnchor = 'none';
    const height = strip.current?.offsetHeight ?? 0;
    const grown = height - room.current;
    const mayMove = !isPhone || seen.current.isNew || performance.now() - openedAt < openingMs;
    seen.current.isNew = false;
    if (!mayMove && window.scrollY < -grown) {
      setHeld(room.current);
      return;
    }
    room.current = height;
    // What the page is longer by, to be scrolled at all.
    page.style.setProperty('--strip', `${height}px`);
    if (!mayMove && grown !== 0) window.scrollBy({ top: grown, behavior: 'instant' });
    page.style.overflowAnchor = '';
  }, [text, held, path, isPhone, openedAt]);

  useEffect(() => {
    if (held === 0) return;
    const release = (): void => {
      if (window.scrollY >= held) setHeld(0);
    };
    window.addEventListener('scroll', release, { passive: true });
    return () => window.removeEventListener('scroll', release);
  }, [held]);
  return { strip, held };
}
