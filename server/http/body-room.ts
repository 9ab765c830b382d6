import type { Pool } from './pools.ts';

/** What bodies may take of the memory at a time: each is held from its first byte until its call is answered. */
export const mostBodyBytes = 64_000_000;
/** Phones and partners may have all of it, everybody else together no more than this. */
const othersShare = 0.5;

/** What goes to the disk as it comes is never whole in the memory. */
const streamedPath = '/api/imports';
const streamedBytes = 100_000;

type Coming = { method: string; path: string; said: string | undefined; limit: number };

/** How much of a body will be held: what it says of its length, or the most it may have. What is too long is refused unread. */
export function heldBytes({ method, path, said, limit }: Coming): number {
  const bytes = said === undefined ? limit : Number(said);
  if (bytes > limit) return 0;
  return method === 'POST' && path === streamedPath ? Math.min(bytes, streamedBytes) : bytes;
}

/** Room for bodies; `take` gives a function that gives it back, or null where there is none. */
export function bodyRoom(most = mostBodyBytes) {
  const held: Record<Pool, number> = { sync: 0, interactive: 0, files: 0, background: 0 };
  const heldBy = (...pools: Pool[]): number => pools.reduce((sum, pool) => sum + held[pool], 0);
  const fits = (pool: Pool, bytes: number): boolean => {
    const others = heldBy('interactive', 'files', 'background');
    if (pool === 'sync') return held.sync + others + bytes <= most;
    return others + bytes <= most * othersShare && held.sync + others + bytes <= most;
  };
  return {
    held,
    take(pool: Pool, bytes: number): (() => void) | null {
      if (!fits(pool, bytes)) return null;
      held[pool] += bytes;
      return () => {
        held[pool] -= bytes;
      };
    },
  };
}
