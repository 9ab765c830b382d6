import type { Visit } from '../../contract/visits.ts';

type Line = Visit['lines'][number];
type FiveNumbers = Pick<Line, 'beginning' | 'adds' | 'removed' | 'spoiled' | 'ending'>;

/** The five numbers of all items of a visit; unknown where one of them is. */
export function totalsOf(lines: readonly Line[]): FiveNumbers {
  const sum = (of: (line: Line) => number | null): number | null =>
    lines.reduce<number | null>((total, line) => {
      const units = of(line);
      return total === null || units === null ? null : total + units;
    }, 0);
  return {
    beginning: sum((line) => line.beginning),
    adds: sum((line) => line.adds) ?? 0,
    removed: sum((line) => line.removed) ?? 0,
    spoiled: sum((line) => line.spoiled) ?? 0,
    ending: sum((line) => line.ending),
  };
}

const reasons = ['expired', 'damaged', 'other'] as const;

/** Units spoiled by why, such as '2 expired, 1 damaged'; empty when nothing was. */
export function spoiledWords(lines: readonly Pick<Line, 'spoiledBy'>[]): string {
  return reasons
    .map((reason) => ({ reason, units: lines.reduce((sum, line) => sum + (line.spoiledBy[reason] ?? 0), 0) }))
    .filter(({ units }) => units > 0)
    .map(({ reason, units }) => `${units} ${reason}`)
    .join(', ');
}
