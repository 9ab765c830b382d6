import type { Deps } from '../deps.ts';
import { findNameWords } from './search-queries.ts';

type Kept = { at: number; words: string[]; renewing: boolean };

const kept = new WeakMap<Deps['db'], Kept>();
const freshMs = 60_000;

/** Words of all names, as they were a moment ago: read anew beside a search, so that only the first one waits. */
export async function nameWords({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<readonly string[]> {
  const now = clock.now().getTime();
  const known = kept.get(db);
  if (!known) {
    const words = await findNameWords(db);
    kept.set(db, { at: now, words, renewing: false });
    return words;
  }
  if (now - known.at > freshMs && !known.renewing) {
    known.renewing = true;
    findNameWords(db).then(
      (words) => kept.set(db, { at: now, words, renewing: false }),
      () => {
        // The words that are known still serve; the next search tries again.
        known.renewing = false;
      },
    );
  }
  return known.words;
}
