import { useMemo, useState } from 'react';
import type { Candidate } from './locations.ts';

export type Selection = {
  /** Keys in the order they were chosen, markets and machines together. */
  keys: ReadonlySet<string>;
  chosen: readonly Candidate[];
  toggle: (key: string) => void;
  setMany: (keys: readonly string[], selected: boolean) => void;
  clear: () => void;
};

/** What is chosen for the route, over both lists. A location that is gone from the lists is no longer chosen. */
export function useSelection(byKey: ReadonlyMap<string, Candidate>): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const chosen = useMemo(() => [...keys].flatMap((key) => byKey.get(key) ?? []), [keys, byKey]);

  function setMany(changed: readonly string[], selected: boolean): void {
    setKeys((before) => {
      const after = new Set(before);
      for (const key of changed) {
        if (selected) after.add(key);
        else after.delete(key);
      }
      return after;
    });
  }

  return {
    keys,
    chosen,
    setMany,
    toggle: (key) => setMany([key], !keys.has(key)),
    clear: () => setKeys(new Set()),
  };
}
