/** Numbers that look random and are the same for the same seed: the simulator knows no other source of chance. */
export type Random = {
  /** At least 0, below 1. */
  next: () => number;
  /** A whole number from `from` to `to`, both included. */
  int: (from: number, to: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(list: readonly T[]) => T;
  /** Events in a span in which `mean` are expected. */
  poisson: (mean: number) => number;
  /** Normal with mean 0 and deviation 1. */
  normal: () => number;
};

/** A 32-bit hash of whole numbers. Source: the finaliser of MurmurHash3, applied to each in turn. */
export function hash(...parts: readonly number[]): number {
  let h = 0x9e3779b9;
  for (const part of parts) {
    h = Math.imul(h ^ part, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return h >>> 0;
}

/** A hash of whole numbers as a fraction: at least 0, below 1. */
export function share(...parts: readonly number[]): number {
  return hash(...parts) / 4_294_967_296;
}

/** Source: mulberry32, period 2^32; plenty for one location's year. */
export function randomOf(...seed: readonly number[]): Random {
  let state = hash(...seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    normal,
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => at(list, Math.floor(next() * list.length)),
    poisson: (mean) => poisson(mean, next, normal),
  };
}

function poisson(mean: number, next: () => number, normal: () => number): number {
  if (mean > 40) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
  const limit = Math.exp(-mean);
  let product = next();
  let events = 0;
  while (product > limit) {
    product *= next();
    events += 1;
  }
  return events;
}

/** The element at an index that is known to be there. Throws a RangeError where it is not. */
export function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`no element ${index} of ${list.length}`);
  return found;
}
