import { Skeleton } from './skeleton.tsx';

export const statGrid = 'grid grid-cols-4 gap-4 max-xl:grid-cols-2 max-sm:gap-2';

/** Four figures that load. */
export function StatPlaceholders() {
  return (
    <section role="status" aria-label="Loading figures" className={statGrid}>
      {[1, 2, 3, 4].map((n) => (
        <div key={n} className="grid h-30 content-between rounded border border-line p-4">
          <Skeleton className="h-5 w-28" />
          <Skeleton className="h-8 w-20" />
          <Skeleton className="h-4 w-36 max-w-full" />
        </div>
      ))}
    </section>
  );
}
