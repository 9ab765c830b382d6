import { setImmediate as nextTurn } from 'node:timers/promises';

type Gathering<T, R> = {
  /** So many gatherings are under way at once. */
  lanes: number;
  /** Most that goes together, in the unit of `weightOf`; one that is heavier goes alone. */
  most: number;
  weightOf: (one: T) => number;
  /** Two that share a name are never under way together: the later waits until the earlier is done. */
  namesOf: (one: T) => readonly string[];
  /** An answer for each, in their order. When it fails, nothing of it was done. */
  work: (together: readonly T[]) => Promise<readonly R[]>;
  /** A failure that is nobody's mistake, so that trying one by one would only fail as often. */
  concernsAll: (error: unknown) => boolean;
};

type Waiting<T, R> = {
  one: T;
  weight: number;
  names: readonly string[];
  done: (answer: R) => void;
  failed: (error: unknown) => void;
};

/**
 * Does at once what comes while nobody else works, and together what comes while others are being worked on: statements
 * and their plans cost about the same for one as for many. What fails together is tried one by one, so that nobody pays
 * for another's mistake.
 */
export function gather<T, R>(kind: Gathering<T, R>): (one: T) => Promise<R> {
  const { lanes, most, weightOf, namesOf, work, concernsAll } = kind;
  let waiting: Waiting<T, R>[] = [];
  let running = 0;
  const busy = new Set<string>();

  const next = (): Waiting<T, R>[] => {
    const taken: Waiting<T, R>[] = [];
    const left: Waiting<T, R>[] = [];
    const passed = new Set<string>();
    let weight = 0;
    for (const each of waiting) {
      const fits = taken.length === 0 || weight + each.weight <= most;
      if (fits && !each.names.some((name) => busy.has(name) || passed.has(name))) {
        taken.push(each);
        weight += each.weight;
        for (const name of each.names) busy.add(name);
      } else {
        left.push(each);
        for (const name of each.names) passed.add(name);
      }
    }
    waiting = left;
    return taken;
  };

  const answer = async (together: readonly Waiting<T, R>[]): Promise<void> => {
    try {
      const answers = await work(together.map(({ one }) => one));
      for (const [at, { done }] of together.entries()) done(answers[at] as R);
    } catch (error) {
      if (together.length > 1 && !concernsAll(error)) await Promise.all(together.map((each) => answer([each])));
      else for (const { failed } of together) failed(error);
    }
  };

  const serve = async (): Promise<void> => {
    running += 1;
    await nextTurn();
    for (let together = next(); together.length > 0; together = next()) {
      await answer(together);
      for (const name of together.flatMap(({ names }) => names)) busy.delete(name);
    }
    running -= 1;
  };

  return (one) =>
    new Promise((done, failed) => {
      waiting.push({ one, weight: weightOf(one), names: namesOf(one), done, failed });
      if (running < lanes) void serve();
    });
}
