import { expect, it } from 'vitest';
import { addDays, distanceOfDays } from '../../domain/time.ts';
import { type Piece, piecesOf } from './place-pieces.ts';

const lengths = { block: 28, week: 7, day: 1 };

/** How often each day is counted. */
function countsOf(pieces: readonly Piece[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { grain, from, to, sign } of pieces) {
    const length = distanceOfDays(from, to) + lengths[grain];
    for (let n = 0; n < length; n++) {
      const day = addDays(from, n);
      counts.set(day, (counts.get(day) ?? 0) + sign);
    }
  }
  return counts;
}

const rowsOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { grain, from, to }) => sum + distanceOfDays(from, to) / lengths[grain] + 1, 0);

it.each([1, 6, 7, 30, 90, 366])(
  'the pieces of %i days count each of them once and no other, from whatever day on',
  (length) => {
    for (let n = 0; n < 60; n++) {
      const from = addDays('2026-01-01', n);
      const range = { from, to: addDays(from, length - 1) };
      const counted = [...countsOf(piecesOf(range))].filter(([, times]) => times !== 0);
      expect(counted.map(([, times]) => times)).toEqual(Array.from({ length }, () => 1));
      expect(counted.map(([day]) => day).sort()[0]).toBe(from);
    }
  },
);

it('a quarter is fourteen rows of a place at the most', () => {
  for (let n = 0; n < 60; n++) {
    const from = addDays('2026-01-01', n);
    expect(rowsOf(piecesOf({ from, to: addDays(from, 89) }))).toBeLessThanOrEqual(14);
  }
});

it('each piece begins on a first day of its kind', () => {
  for (const { grain, from, to } of piecesOf({ from: '2026-01-09', to: '2026-04-08' })) {
    for (const day of [from, to]) expect(distanceOfDays('2000-01-03', day) % lengths[grain]).toBe(0);
  }
});
