import { useSyncExternalStore } from 'react';
import type { ProgressStep } from '../offline/actions.ts';

/** How the last step at a place is taken back, until the page is closed. */
export type Undo = { label: string; placeName: string; steps: ProgressStep[] };

const listeners = new Set<() => void>();
let undos: ReadonlyMap<string, Undo> = new Map();

export const stopKey = (stopId: number): string => `stop:${stopId}`;
export const routeKey = (routeId: number): string => `route:${routeId}`;

/** Remembers or, with null, forgets how to take the last step at a place back. */
export function setUndo(key: string, undo: Undo | null): void {
  const next = new Map(undos);
  if (undo) next.set(key, undo);
  else next.delete(key);
  undos = next;
  for (const listener of listeners) listener();
}

export function forgetUndos(): void {
  undos = new Map();
  for (const listener of listeners) listener();
}

export function useUndo(key: string): Undo | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => undos.get(key) ?? null,
  );
}
