import type { Clock } from '../deps.ts';
import type { Db } from './database.ts';

/** From here on one more or less cannot be told by it, and to count costs more than all else that is answered with it. */
const many = 1_000;
const keepMs = 5_000;
const mostKept = 100;

type Counted = { at: number; total: number };
const kept = new WeakMap<Db, Map<string, Counted>>();

type On = { db: Db; clock: Clock };

/** How many there were, if they were many a moment ago: such a number may be five seconds old. */
export function countedLately({ db, clock }: On, what: string): number | null {
  const known = kept.get(db)?.get(what);
  return known && clock.now().getTime() - known.at < keepMs ? known.total : null;
}

/** Remembers a number that was just counted, where it is one of many. */
export function rememberMany({ db, clock }: On, what: string, total: number): void {
  const numbers = kept.get(db) ?? new Map<string, Counted>();
  if (numbers.size >= mostKept) numbers.clear();
  kept.set(db, numbers);
  if (total < many) numbers.delete(what);
  else numbers.set(what, { at: clock.now().getTime(), total });
}

/** Counts, unless that was done a moment ago and there were many. */
export async function countMany(on: On, what: string, count: () => Promise<number>): Promise<number> {
  const known = countedLately(on, what);
  if (known !== null) return known;
  const total = await count();
  rememberMany(on, what, total);
  return total;
}
