import type { ReactNode } from 'react';
import { StateShape } from './badge.tsx';

/** A row of a list that waits for a person: what there is on the left, the decision on the right. */
export const rowClass =
  'grid gap-x-6 gap-y-3 border-line border-t px-4 py-3 first:border-t-0 lg:grid-cols-[minmax(0,1fr)_minmax(22.5rem,1fr)]';
/** A finger's size on small screens. */
export const touch = 'max-lg:min-h-12 max-lg:px-4 max-lg:text-16';

export function NothingToSettle({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-2 px-4 py-3 text-text-2">
      <StateShape tone="ok" /> {children}
    </p>
  );
}
