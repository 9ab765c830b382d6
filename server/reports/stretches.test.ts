import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rangeBefore } from '../../domain/report.ts';
import { addDays, distanceOfDays } from '../../domain/time.ts';
import { piecesOf } from './stretches.ts';

const epoch = '2000-01-01';
const firstOf = (day: string): string => addDays(epoch, 16 * Math.floor(distanceOfDays(epoch, day) / 16));

it('every day counts once, as what it is, whatever stretches a range begins and ends in', () => {
  const span = fc.record({ start: fc.integer({ min: -400, max: 10_000 }), length: fc.integer({ min: 1, max: 366 }) });
  fc.assert(
    fc.property(span, ({ start, length }) => {
      const from = addDays(epoch, start);
      const range = { from, to: addDays(from, length - 1) };
      const before = rangeBefore(range);
      const pieces = piecesOf({ range, before });
      for (let day = addDays(before.from, -40); day < addDays(range.to, 40); day = addDays(day, 1)) {
        const counts = { none: 0, before: 0, range: 0, later: 0 };
        for (const { of, from: first, to: last, as, notAs } of pieces) {
          const row = of === 'days' ? day : firstOf(day);
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
    { numRuns: 20 },
  );
});

it('a quarter up to today reads a twelfth of its days', () => {
  const range = { from: '2026-01-05', to: '2026-04-04' };
  const pieces = piecesOf({ range, before: rangeBefore(range) });
  const days = pieces
    .filter(({ of, as, notAs }) => of === 'days' && as !== 'later' && notAs !== 'later')
    .reduce((sum, { from, to }) => sum + distanceOfDays(from, to) + 1, 0);
  expect(days).toBeLessThanOrEqual(16);
});
