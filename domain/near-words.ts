/** Shorter words mean too many others. */
const shortest = 4;
/** From this length on two slips are forgiven. */
const long = 8;
const most = 3;

/** True of a word that a slip of the finger may have spoilt; a number is what it is. */
export const mayBeMistyped = (word: string): boolean => word.length >= shortest && !/^\d+$/.test(word);

/**
 * The known words that a mistyped one may mean, the nearest first: a letter too many, too few, another or two of them
 * swapped. What is typed may be the beginning of a word.
 */
export function nearWords(typed: string, known: readonly string[]): string[] {
  if (!mayBeMistyped(typed)) return [];
  const slips = typed.length >= long ? 2 : 1;
  const near: { word: string; slips: number }[] = [];
  for (const word of known) {
    if (word.length < typed.length - slips || !beginsAlike(typed, word)) continue;
    const found = Math.min(
      slipsBetween(typed, word, slips),
      ...beginningsOf(word, typed.length, slips).map((part) => slipsBetween(typed, part, slips)),
    );
    if (found <= slips) near.push({ word, slips: found });
  }
  return near
    .sort((a, b) => a.slips - b.slips || a.word.length - b.word.length || a.word.localeCompare(b.word))
    .slice(0, most)
    .map(({ word }) => word);
}

/** One of the first two letters is seldom wrong, and both never. */
const beginsAlike = (typed: string, word: string): boolean =>
  typed[0] === word[0] || typed[1] === word[1] || typed[0] === word[1] || typed[1] === word[0];

function beginningsOf(word: string, length: number, slips: number): string[] {
  const lengths = Array.from({ length: 2 * slips + 1 }, (_, n) => length - slips + n);
  return lengths.filter((n) => n > 0 && n < word.length).map((n) => word.slice(0, n));
}

/** Letters to change, add, leave out or swap to make one word of the other; more than `most` counts as one more. */
function slipsBetween(a: string, b: string, mostSlips: number): number {
  if (Math.abs(a.length - b.length) > mostSlips) return mostSlips + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? mostSlips + 1;
}
