import type { LocationRef } from '../../domain/location.ts';

export function placeAddress({ type, id }: LocationRef): string {
  return `/mobile-inventory?type=${type}&id=${id}`;
}

export function More({ total, shown }: { total: number; shown: number }) {
  if (total <= shown) return null;
  return (
    <p className="border-line border-t px-4 py-2 text-12 text-text-3">
      {`The oldest ${shown} are listed; the rest follows as these are settled.`}
    </p>
  );
}
