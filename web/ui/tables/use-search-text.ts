import { useEffect, useRef, useState } from 'react';
import { useAddress } from '../address/use-address.ts';
import { useDebounced } from '../use-debounced.ts';

/**
 * The text of a search box: typed here at once, asked of the server and kept in the address a moment after the last letter. A
 * new search begins at the first page. Back, and links, change the box.
 */
export function useSearchText(name = 'q'): { text: string; setText: (text: string) => void } {
  const { get, set } = useAddress();
  const asked = get(name) ?? '';
  const [text, setText] = useState(asked);
  const [known, setKnown] = useState(asked);
  /** What this box put into the address: it may arrive there when more has been typed already. */
  const own = useRef(asked);
  const settled = useDebounced(text.trim());
  if (asked !== known) {
    setKnown(asked);
    if (asked !== own.current) setText(asked);
  }
  useEffect(() => {
    own.current = asked;
  }, [asked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a settled text moves the address, never the address itself
  useEffect(() => {
    if (settled !== text.trim() || settled === asked) return;
    own.current = settled;
    set({ [name]: settled || null, page: null });
  }, [settled]);
  return { text, setText };
}
