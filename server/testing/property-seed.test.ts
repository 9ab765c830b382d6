import fc from 'fast-check';
import { expect, it } from 'vitest';

it('a property meets the same values when it is tried again', () => {
  const tried = [1, 2].map(() => {
    const values: number[] = [];
    fc.assert(
      fc.property(fc.integer(), (value) => {
        values.push(value);
      }),
      { numRuns: 20 },
    );
    return values;
  });
  expect(new Set(tried[0]).size).toBeGreaterThan(5);
  expect(tried[1]).toEqual(tried[0]);
});
