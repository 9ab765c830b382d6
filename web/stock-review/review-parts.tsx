import type { ReactNode } from 'react';
import type { LocationRef } from '../../domain/location.ts';
import { StateShape } from '../ui/badge.tsx';

export const rowClass =
  'grid gap-x-6 gap-y-3 border-line border-t px-4 py-3 first:border-t-0 lg:grid-cols-[minmax(0,1fr)_minmax(22.5rem,1fr)]';
/** A finger's size on small screens. */
export const touch = 'max-lg:min-h-12 max-lg:px-4 max-lg:text-16';

export function placeAddress({ type, id }: LocationRef): string {
  return `/mobile-inventory?type=${type}&id=${id}`;
}

export function Empty({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-2 px-4 py-3 text-text-2">
      <StateShape tone="ok" /> {children}
    </p>
  );
}

export function More({ total, shown }: { total: number; shown: number }) {
  if (total <= shown) return null;
  return (
    <p className="border-line border-t px-4 py-2 text-12 text-text-3">
      {`The oldest ${shown} are listed; the rest follows as these are settled.`}
    </p>
  );
}
