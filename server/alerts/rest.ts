import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../deps.ts';

export type Parts = Pick<Deps, 'db' | 'clock' | 'env'> & {
  /** Between parts of long work. */
  rest?: () => Promise<void>;
  /** Which machines are looked at where it takes long; all of them without. */
  turn?: Turn;
};

/** The machines whose id leaves this remainder. */
export type Turn = { of: number; nth: number };

type Means = { now: () => number; wait: (ms: number) => Promise<unknown> };
const ownMeans: Means = { now: () => performance.now(), wait: (ms) => pause(ms) };

/** A rest after each part of long work, so long that the work has this share of the time. */
export function atEase(share: number, { now, wait }: Means = ownMeans): () => Promise<void> {
  let begun = now();
  return async () => {
    await wait((now() - begun) * (1 / share - 1));
    begun = now();
  };
}
