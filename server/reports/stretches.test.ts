import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rangeBefore } from '../../domain/report.ts';
import { addDays, distanceOfDays } from '../../domain/time.ts';
import { piecesOf } from './stretches.ts';

const epoch = '2000-01-01';
const firstOf = (day: string, days: number): string =>
  addDays(epoch, days * Math.floor(distanceOfDays(epoch, day) / days));
const lengths = [
  [64, 16, 4, 1],
  [16, 1],
];

it('every day counts once, as what it is, whatever stretches a range begins and ends in', () => {
  const span = fc.record({ start: fc.integer({ min: -400, max: 10_000 }), length: fc.integer({ min: 1, max: 366 }) });
  fc.assert(
    fc.property(span, fc.constantFrom(...lengths), ({ start, length }, some) => {
      const from = addDays(epoch, start);
      const range = { from, to: addDays(from, length - 1) };
      const before = rangeBefore(range);
      const pieces = piecesOf({ range, before }, some);
      for (let day = addDays(before.from, -40); day < addDays(range.to, 40); day = addDays(day, 1)) {
        const counts = { none: 0, before: 0, range: 0, later: 0 };
        for (const { days, from: first, to: last, as, notAs } of pieces) {
          const row = firstOf(day, days);
          if (row < first || row > last) continue;
          counts[as] += 1;
          counts[notAs] -= 1;
        }
        const { none: _, ...told } = counts;
        expect([day, told]).toEqual([
          day,
          {
            before: Number(day >= before.from && day <= before.to),
            range: Number(day >= range.from && day <= range.to),
            later: Number(day > range.to),
          },
        ]);
      }
    }),
    { numRuns: 40 },
  );
});

it('a quarter up to today reads a dozen rows of a place at the most, whatever day it is', () => {
  for (let n = 0; n < 64; n++) {
    const to = addDays('2026-04-04', n);
    const range = { from: addDays(to, -89), to };
    const read = piecesOf({ range, before: rangeBefore(range) }, [64, 16, 4, 1])
      .filter(({ as, notAs }) => as === 'range' || notAs === 'range')
      .filter(({ from }) => from <= to)
      .reduce((sum, { days, from, to: last }) => sum + (distanceOfDays(from, last < to ? last : to) / days + 1), 0);
    expect(Math.floor(read), to).toBeLessThanOrEqual(12);
  }
});
