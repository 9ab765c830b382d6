import { expect, test } from 'vitest';
import { money, optionalMoney } from './unit-schemas.ts';

const sentences = (schema: ReturnType<typeof money> | ReturnType<typeof optionalMoney>, input: unknown) =>
  schema.safeParse(input).error?.issues.map((issue) => issue.message);

test('an amount that is due is asked for where it is missing, and told how to be written where it is something else', () => {
  const price = money('Price is required');
  expect(price.parse(' 2.50 ')).toBe('2.50');
  for (const missing of [undefined, null]) expect(sentences(price, missing)).toEqual(['Price is required']);
  expect(sentences(price, '')).toContain('Price is required');
  for (const other of ['abc', '-1', '2,50', 2.5])
    expect(sentences(price, other)).toEqual(['Enter an amount such as 2.50']);
});

test('an amount that may be left empty is none for empty text', () => {
  const cost = optionalMoney();
  expect(['', '  ', null, undefined, '0.91'].map((input) => cost.parse(input))).toEqual([
    null,
    null,
    null,
    undefined,
    '0.91',
  ]);
  for (const other of ['abc', '-1', 2.5]) expect(sentences(cost, other)).toEqual(['Enter an amount such as 2.50']);
});
