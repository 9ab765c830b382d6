import type { ReactNode } from 'react';
import { hoursAndMinutes } from '../../domain/units.ts';

/** The grid of the figures on top. */
export const fourTiles = 'grid grid-cols-4 gap-4 max-xl:grid-cols-2 max-sm:gap-2 print:grid-cols-4';
export const sixTiles = 'grid grid-cols-3 gap-4 max-lg:grid-cols-2 max-sm:gap-2 print:grid-cols-3';

/** A share as `12.4%`; a dash where there is nothing to share. */
export function percentText(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(1)}%`;
}

/** Minutes as `2h 24m`; a dash where nobody knows them. */
export function minutesText(minutes: number | null): string {
  return minutes === null ? '–' : hoursAndMinutes(minutes);
}

/** The rows that figures of the same screen lead to. */
export const rowsId = 'rows';

export function Rows({ children }: { children: ReactNode }) {
  return (
    <div id={rowsId} tabIndex={-1} className="min-w-0 scroll-mt-20">
      {children}
    </div>
  );
}
