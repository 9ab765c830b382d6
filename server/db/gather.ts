import { setImmediate as nextTurn } from 'node:timers/promises';

type Gathering<T, R> = {
  /** Most that goes together, in the unit of `weightOf`; one that is heavier goes alone. */
  most: number;
  weightOf: (one: T) => number;
  /** Two that share a name never go together: the later waits until the earlier is done. */
  namesOf: (one: T) => readonly string[];
  /** An answer for each, in their order. When it fails, nothing of it was done. */
  work: (together: readonly T[]) => Promise<readonly R[]>;
  /** A failure that is nobody's mistake, so that trying one by one would only fail as often. */
  concernsAll: (error: unknown) => boolean;
  /** Told how long what went together took; `waiting` is what waits whenever it is asked, in as much as goes together at most. */
  onTaken?: (ms: number, waiting: () => number) => void;
};

type Gatherer<T, R> = {
  take: (one: T) => Promise<R>;
  /** Resolves when what is worked on now is done. */
  underWay: () => Promise<unknown>;
};

type Waiting<T, R> = {
  one: T;
  weight: number;
  names: readonly string[];
  done: (answer: R) => void;
  failed: (error: unknown) => void;
};

/**
 * Does what comes one after the other, and together what came while others were being worked on: statements and their
 * plans cost about the same for one as for many, and nobody waits for locks that another holds. What fails together is
 * tried one by one, so that nobody pays for another's mistake.
 */
export function gather<T, R>(kind: Gathering<T, R>): Gatherer<T, R> {
  const { work, concernsAll } = kind;
  let waiting: Waiting<T, R>[] = [];
  let isServed = false;
  let underWay: Promise<void> | null = null;

  const answer = async (together: readonly Waiting<T, R>[]): Promise<void> => {
    try {
      const answers = await work(together.map(({ one }) => one));
      for (const [at, { done }] of together.entries()) done(answers[at] as R);
    } catch (error) {
      if (together.length > 1 && !concernsAll(error)) await Promise.all(together.map((each) => answer([each])));
      else for (const { failed } of together) failed(error);
    }
  };

  const share = (): number => waiting.reduce((sum, { weight }) => sum + weight, 0) / kind.most;

  const takeNext = async (): Promise<void> => {
    const begun = performance.now();
    const { taken, left } = nextOf(waiting, kind.most);
    waiting = left;
    await answer(taken);
    kind.onTaken?.(performance.now() - begun, share);
  };

  const serve = async (): Promise<void> => {
    isServed = true;
    while (waiting.length > 0) {
      // The embedded database works in this thread: what came meanwhile has to be read from the network first.
      underWay = nextTurn().then(takeNext);
      await underWay;
    }
    underWay = null;
    isServed = false;
  };

  return {
    take: (one) =>
      new Promise((done, failed) => {
        waiting.push({ one, weight: kind.weightOf(one), names: kind.namesOf(one), done, failed });
        if (!isServed) void serve();
      }),
    underWay: async () => underWay,
  };
}

/** The first that waits, and with it what fits; who is passed over holds back those that share a name. */
function nextOf<T, R>(waiting: readonly Waiting<T, R>[], most: number) {
  const taken: Waiting<T, R>[] = [];
  const left: Waiting<T, R>[] = [];
  const seen = new Set<string>();
  let weight = 0;
  for (const each of waiting) {
    const fits = taken.length === 0 || weight + each.weight <= most;
    if (fits && !each.names.some((name) => seen.has(name))) {
      taken.push(each);
      weight += each.weight;
    } else left.push(each);
    for (const name of each.names) seen.add(name);
  }
  return { taken, left };
}
