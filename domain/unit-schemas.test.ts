import { expect, test } from 'vitest';
import type { z } from 'zod';
import { money, optionalMoney, wholeNumber } from './unit-schemas.ts';

const sentences = (schema: z.ZodType, input: unknown) =>
  schema.safeParse(input).error?.issues.map((issue) => issue.message);

test('an amount that is due is asked for where it is missing, and told how to be written where it is something else', () => {
  const price = money('Price is required');
  expect(price.parse(' 2.50 ')).toBe('2.50');
  for (const missing of [undefined, null]) expect(sentences(price, missing)).toEqual(['Price is required']);
  expect(sentences(price, '')).toContain('Price is required');
  for (const other of ['abc', '-1', '2,50', true])
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
  for (const other of ['abc', '-1', true]) expect(sentences(cost, other)).toEqual(['Enter an amount such as 2.50']);
});

test('an amount sent as a JSON number is told to come as text, not to be what it is already', () => {
  for (const amount of [money('Price is required'), optionalMoney()])
    expect(sentences(amount, 2.5)).toEqual(['Send the amount as text, such as "2.50"']);
});

test('a whole number is refused with a sentence that names it, whatever is wrong with it', () => {
  const capacity = wholeNumber('Capacity', { least: 1, most: 100_000 });
  for (const other of ['abc', Number.NaN, 1.5, undefined])
    expect(sentences(capacity, other)).toEqual(['Capacity must be a whole number']);
  expect(sentences(capacity, 0)).toEqual(['Capacity must be at least 1']);
  expect(sentences(capacity, 100_001)).toEqual(['Capacity is too large: at most 100,000']);
  expect(sentences(wholeNumber('Minimum', { least: 0, most: 9 }), -1)).toEqual(['Minimum must be 0 or greater']);
});
